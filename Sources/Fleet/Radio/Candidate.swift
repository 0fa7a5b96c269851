package import Clock
package import OsmoProtocol
package import RadioPort

/// Where the link to one camera stands.
///
/// | from | event | to |
/// | --- | --- | --- |
/// | idle | its turn comes | connecting |
/// | connecting | 15 s pass (6 s, 3.5 s: `ConnectionQueue`), or it is not wanted any more | cancelling (Disconnect sent) |
/// | connecting | `connectEnded(ok)` | opening |
/// | connecting, cancelling | `connectEnded(failure)` | idle |
/// | cancelling | `connectEnded(ok)` | closing (Disconnect sent) |
/// | opening, idle | `linkOpen` | open |
/// | opening | 15 s pass, `setupFailed` | closing (Disconnect sent) |
/// | opening, open | not wanted any more | closing (Disconnect sent) |
/// | opening, open, closing | `linkClosed` | idle |
/// | any | its adapter or BlueZ goes | idle |
package enum LinkPhase: Equatable, Sendable {
    case idle
    /// A Connect is out since then.
    case connecting(LinkID, since: Instant)
    /// The Connect was given up; its end is awaited. Disconnect is sent again at `again`.
    case cancelling(LinkID, again: Instant)
    /// Connected; services and notifications are being set up, until `until`.
    case opening(LinkID, until: Instant)
    case open(LinkID)
    /// Disconnect was sent and the end is awaited; sent again at `again`, `tries` more times.
    case closing(LinkID, again: Instant, tries: Int)

    /// The link meant; nil when idle.
    package var link: LinkID? {
        switch self {
        case .idle: nil
        case .connecting(let link, _), .cancelling(let link, _), .opening(let link, _),
            .open(let link), .closing(let link, _, _):
            link
        }
    }

    /// Whether the camera can be talked to.
    var isOpen: Bool { if case .open = self { true } else { false } }

    /// Whether it occupies the adapter's one Connect.
    var holdsSlot: Bool {
        switch self {
        case .connecting, .cancelling: true
        case .idle, .opening, .open, .closing: false
        }
    }

    /// Whether the adapter has a link for it.
    var linked: Bool {
        switch self {
        case .opening, .open, .closing: true
        case .idle, .connecting, .cancelling: false
        }
    }

    /// Whether a scan would disturb it.
    var settingUp: Bool {
        switch self {
        case .connecting, .cancelling, .opening: true
        case .idle, .open, .closing: false
        }
    }

    /// When it is over by itself; how long a Connect may take is the queue's to say.
    var deadline: Instant {
        switch self {
        case .idle, .open, .connecting: .never
        case .opening(_, let until): until
        case .cancelling(_, let again), .closing(_, let again, _): again
        }
    }
}

/// Why a link or an attempt ended, as far as the next attempt is concerned.
package enum LinkFailure: Equatable, Sendable {
    /// Connect's own deadline passed: it advertises and does not answer, or it left.
    case deadline
    /// Connect failed, with BlueZ's words.
    case connect(ConnectOutcome)
    /// Services were not there in time.
    case servicesDeadline
    case setup(SetupFailure)
    /// It went before it could be used.
    case lostInSetup

    /// In a few words, for status and log.
    package var words: String {
        switch self {
        case .deadline: "does not answer Connect"
        case .connect(let outcome): outcome.words
        case .servicesDeadline: "services never resolved"
        case .setup(.noCharacteristics): "camera service not found"
        case .setup(.notify(let text)): "notifications: \(text)"
        case .setup(.write(let text)): "no way to write: \(text)"
        case .setup(.mtu(let mtu)): "MTU \(mtu) is too small, 69 needed"
        case .lostInSetup: "link lost while it was set up"
        }
    }
}

extension ConnectOutcome {
    /// In a few words, for status and log.
    package var words: String {
        switch self {
        case .ok: "connected"
        case .inProgress: "BlueZ is busy with an older attempt"
        case .notReady: "adapter is off"
        case .unknownDevice: "BlueZ forgot the device"
        case .aborted: "connection aborted"
        case .adapterFull: "adapter is full"
        case .noReply: "no reply from BlueZ"
        case .denied: "BlueZ refuses access (D-Bus policy)"
        case .failed(let text): text
        }
    }
}

/// A camera that is to be connected: what the queue knows of it.
package struct Candidate: Sendable {
    /// An adapter that hears the camera.
    struct SightingRecord: Sendable {
        var adapter: BluetoothAddress
        var rssi: Int?
        var instant: Instant
        /// What the adapter had scanned in all by then.
        var scannedDuration: TimeSpan
        /// BlueZ holds a link to it that was left over or made by somebody else. A connected camera
        /// does not advertise, so it counts as present until BlueZ says otherwise.
        var connected: Bool
        /// Worth a Connect: BlueZ knows the device now and nothing says that it is gone.
        var valid: Bool
    }

    /// The camera.
    package let address: BluetoothAddress
    /// The one adapter that may be used; nil for any.
    package var pinned: BluetoothAddress?
    /// Whether a link is wanted now.
    package var wanted = true
    /// Whether BlueZ should keep the device.
    package var trusted: Bool
    /// To be removed from BlueZ and from the queue when its link is down.
    var leaving = false

    /// How far its link is.
    package var phase = LinkPhase.idle
    var sightings: [SightingRecord] = []
    /// When the next attempt may be made.
    package var backoff: Backoff
    /// No attempt before this.
    package var notBefore = Instant.zero
    /// When it was last lost or asked for.
    var expected = Instant.zero
    /// When the kernel last gave a Connect to it up.
    var givenUp: Instant?
    /// When the last attempt or link ended.
    var lastEnd: Instant?
    /// Aborted attempts in a row, which are repeated at once (field note D3).
    var aborts = 0
    /// `inProgress` in a row.
    var stale = 0
    /// `unknownDevice` in a row.
    var unknown = 0
    /// The adapter on which the last attempt failed: another one is preferred.
    var avoidedAdapter: BluetoothAddress?
    /// The adapter of the last attempt.
    var lastAdapter: BluetoothAddress?
    /// Links in a row that could not be set up.
    var setupFailures = 0
    /// The device is to be removed from BlueZ once its link is down, to be found anew.
    var refresh = false
    /// When its last turn was, counted in turns of everybody: the lowest goes first.
    var lastTurn: UInt64 = 0
    /// Why the last attempt failed, for `last_error`; nil after a success.
    package var error: String?

    init(address: BluetoothAddress, pinned: BluetoothAddress?, trusted: Bool, retries: Int) {
        self.address = address
        self.pinned = pinned
        self.trusted = trusted
        backoff = Backoff(retries: retries)
    }

    /// Whether its link stands, or is made, by way of another adapter than the one it is pinned to.
    var isMisplaced: Bool {
        guard let pinned, let link = phase.link, link.adapter != pinned else { return false }
        return true
    }

    /// Whether an attempt may begin as soon as an adapter is free.
    func eligible(at now: Instant) -> Bool {
        wanted && phase == .idle && notBefore <= now && !backoff.exhausted
            && sightings.contains { isUsable($0, at: now) }
    }

    /// Adapters that a Connect may begin on, with the signal.
    func usableSightings(at now: Instant) -> [(adapter: BluetoothAddress, rssi: Int?)] {
        sightings.filter { isUsable($0, at: now) }.map { ($0.adapter, $0.rssi) }
    }

    private func isUsable(_ record: SightingRecord, at now: Instant) -> Bool {
        record.valid
            && (record.connected || now - record.instant <= ConnectionQueue.sightingLife)
            && (pinned ?? record.adapter) == record.adapter
    }

    /// The lowest is tried first.
    var rank: (Int, UInt64) { (backoff.failures == 0 ? 0 : 1, lastTurn) }

    /// The signal where it is heard best, dBm.
    package var rssi: Int? { sightings.compactMap(\.rssi).max() }

    /// When its state changes by itself: a pause is over, or it has not been heard for too long.
    package func change(after now: Instant) -> Instant {
        guard phase == .idle, wanted, !backoff.exhausted else { return .never }
        if notBefore > now { return notBefore }
        let heard = sightings.filter(\.valid).map(\.instant).max() ?? .zero
        let end = heard + ConnectionQueue.sightingLife
        return end >= now ? end + TimeSpan(nanoseconds: 1) : .never
    }

    /// The link that BlueZ held by way of that adapter is gone, and the camera has not been heard since.
    mutating func linkLeft(_ adapter: BluetoothAddress) {
        for index in sightings.indices
        where sightings[index].adapter == adapter && sightings[index].connected {
            sightings[index].connected = false
            sightings[index].valid = false
        }
    }

    mutating func invalidateSightings() {
        for index in sightings.indices { sightings[index].valid = false }
    }

    /// It became usable, or a person asks for it: nothing is held against it any more.
    mutating func clear() {
        backoff.reset()
        aborts = 0
        stale = 0
        unknown = 0
        setupFailures = 0
        notBefore = .zero
        avoidedAdapter = nil
        error = nil
    }
}
