package import Clock
package import OsmoProtocol

/// A camera as the rules see it.
package struct AutoCamera: Equatable, Sendable {
    /// Its Bluetooth address.
    package var address: BluetoothAddress
    /// Since when it takes commands; nil while it does not.
    package var readySince: Instant?
    /// It sleeps, as far as is known.
    package var isAsleep = false
    /// It is neither connected nor known to sleep.
    package var isAway = false
    /// By its status; nil while that is unknown.
    package var isRecording: Bool?
    /// It is in a photo mode: records nothing, and takes photos.
    package var takesPhotos = false
    /// A photo is being taken.
    package var isShooting = false
    /// The card is full, or it is too hot: a recording would end at once.
    package var cannotRecord = false

    /// A camera of which nothing is known.
    package init(address: BluetoothAddress) { self.address = address }
}

/// What the rules want done with a camera.
package enum AutoOrder: String, Sendable {
    case start, stop, sleep, wake, photo
}

/// What the rules decided, in this order.
package enum AutoAction: Equatable, Sendable {
    /// To be answered by `AutoRules.answered`.
    case order(AutoOrder, BluetoothAddress)
    /// For people: KIND `alarm` with this reason.
    case alarm(String, BluetoothAddress)
    /// For people: the vehicle started, or stopped.
    case moving(Bool)
    /// For people: the vehicle is in another place; nil outside all of them.
    case place(String?)
}

/// What the rules remember of one camera.
struct AutoMemory: Sendable {
    let address: BluetoothAddress
    /// A command by hand has the last word about its recording.
    var holdsRecording = false
    /// The same about sleep and waking.
    var holdsPower = false
    /// The order that is under way.
    var pending: AutoOrder?
    /// When the last order of each kind ended.
    var ended: [AutoOrder: Instant] = [:]
    /// A stop is due, for one of these reasons.
    var owesStop: StopReason?
    /// Stops that failed.
    var failedStops = 0
    /// It was started, or recorded, since the rule that holds began to hold.
    var wasStarted = false
    /// When it was started again.
    var restarts: [Instant] = []
    /// No order before this.
    var notBefore = Instant.zero
    /// As last seen.
    var wasRecording = false
    /// When its last recording ended, as far as was seen.
    var idleSince = Instant.zero
    /// The vehicle moves, and it has not been woken for that yet.
    var owesWake = false
    /// Of the last photo: metres along the way, and when.
    var shotAt: Double?
    var shotInstant: Instant?

    enum StopReason { case rest, place }

    init(address: BluetoothAddress) { self.address = address }
}
