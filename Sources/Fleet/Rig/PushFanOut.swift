internal import Clock
internal import LineProtocol
internal import Navigation
internal import OsmoProtocol
internal import RadioPort
internal import TrackFormat

/// What is pushed and when: positions of the receivers, the schedule, and one encoded frame a tick
/// for all cameras (decisions 6 to 10).
package struct PushFanOut: Sendable {
    /// Epochs whose cameras are still counted: one is open while the next has begun.
    static let epochBound = 8

    var source: PositionSource
    var schedule: PushSchedule
    /// How positions are carried and in which zone their time is given.
    var carrying: Carrying
    var timeField: RigSettings.TimeField
    /// This machine's time zone, as last said.
    var zone = LocalZone.utc
    /// When source or schedule are due; valid after `refresh`.
    private(set) var deadline = Instant.zero
    /// The source's part of it.
    private(set) var sourceDeadline = Instant.never
    /// Of cameras that are not with us any more.
    private(set) var retiredPushes = 0
    private(set) var retiredDrops = 0
    private(set) var retiredVoids = 0

    /// Counts GPS frames over all cameras, so that one encoded frame serves them all.
    private var sequence: UInt16 = 0
    private var buffer: [UInt8] = []
    /// The links of the last push: mostly those of the next one.
    private(set) var links: [LinkID] = []
    private var lastVoid: Instant?
    private var epochs: [(sequence: Int, cameras: Int)] = []

    init(settings: RigSettings) {
        source = PositionSource(device: settings.device, buildDate: settings.buildDate)
        schedule = PushSchedule(rate: min(settings.idleRate ?? settings.rate, settings.rate))
        carrying = settings.motion == .hold ? .hold : .extrapolate
        timeField = settings.timeField
    }

    /// - Parameter sourceToo: something happened to the source.
    mutating func refresh(sourceToo: Bool) {
        if sourceToo { sourceDeadline = source.nextDeadline ?? .never }
        deadline = min(sourceDeadline, schedule.nextDeadline ?? .never)
    }

    /// The frame that tells where the rig is at `now`; nil where that is not known.
    mutating func position(at now: Instant) -> (push: GPSPush, position: CarriedPosition)? {
        guard let carried = source.position(at: now, carrying: carrying),
            let push = GPSPush(carried, field: timeField, zone: zone)
        else { return nil }
        return (push, carried)
    }

    /// The frame that says that there is no position.
    ///
    /// - Parameter time: what it gives as time, where known.
    mutating func void(at time: UnixTime?, _ now: Instant) -> GPSPush {
        lastVoid = now
        return GPSPush(voidAt: time, field: timeField, zone: zone)
    }

    /// Whether a void is due although the schedule meant a position that then was none.
    func mayVoid(at now: Instant) -> Bool {
        lastVoid.map { now - $0 >= PushSchedule.voidInterval } ?? true
    }

    /// The whole frame, with the next number of the fleet-wide sequence.
    mutating func encode(_ push: GPSPush) -> [UInt8] {
        sequence &+= 1
        push.encode(sequence: sequence, into: &buffer)
        return buffer
    }

    /// Keeps `links` as they are where nothing changed, so that a tick allocates no list.
    mutating func gather(_ index: Int, _ link: LinkID) {
        if index < links.count, links[index] == link { return }
        links.removeSubrange(min(index, links.count)...)
        links.append(link)
    }

    /// `gather` is over after so many links.
    mutating func gathered(_ count: Int) {
        if links.count > count { links.removeSubrange(count...) }
    }

    // MARK: Epochs

    /// So many more cameras took a push of that epoch; less than none: that many took none after all.
    mutating func count(_ change: Int, of sequence: Int) {
        if let index = epochs.firstIndex(where: { $0.sequence == sequence }) {
            epochs[index].cameras += change
            return
        }
        if epochs.count == Self.epochBound { epochs.removeFirst() }
        epochs.append((sequence, change))
    }

    /// Cameras that took a push of that epoch.
    func cameras(of sequence: Int) -> Int {
        epochs.first { $0.sequence == sequence }?.cameras ?? 0
    }

    /// A camera goes; what it took stays counted.
    mutating func retire(_ session: CameraSession) {
        retiredPushes += session.pushed
        retiredDrops += session.dropped
        retiredVoids += session.voids
    }
}
