package import Clock

/// Makes positions from what gpsd's receivers report: chooses the receiver, joins reports to
/// epochs, judges freshness and time, and carries positions from one fix to the next.
///
/// | state | when |
/// | --- | --- |
/// | `disconnected` | there is no gpsd |
/// | `nodata` | no receiver says anything |
/// | `nofix` | the receiver has no fix, or a fix without a place |
/// | `fix2d`, `fix3d` | the last fix is fresh |
/// | `frozen` | fixes come, but their time stands still |
package struct PositionSource: Sendable {
    /// Receivers that are kept apart; gpsd serves four by default.
    static let maxReceivers = 8
    /// A time that goes back by more than this is another time line, not a flicker.
    private static let maxFlicker = TimeSpan.seconds(60)

    private var configuredDevice: String?
    private var receivers: [Receiver] = []
    private var choice = ReceiverChoice()
    private var connected = false
    private var trust: TimeTrust
    private var clocks: ClockJudge
    private var sequence = 0
    /// The time of the last row on the present time line.
    private var lastRow: UnixTime?
    /// Whether the last event for the fleet was a fix, not a loss.
    private var fresh = false

    /// The state of the receivers, as `status` shows it.
    package private(set) var state = ReceiverState.disconnected

    /// - Parameters:
    ///   - device: the only receiver to listen to; nil for the best.
    ///   - buildDate: no date is believed before it.
    package init(device: String?, buildDate: UnixTime) {
        configuredDevice = device
        trust = TimeTrust(buildDate: buildDate)
        clocks = ClockJudge(buildDate: buildDate)
    }

    /// What gpsd said at `now`.
    package mutating func handle(_ input: ReceiverInput, at now: Instant) -> [PositionEvent] {
        var events: [PositionEvent] = []
        switch input {
        case .connected:
            connected = true
            settle(at: now, loss: nil, into: &events)
        case .disconnected:
            if let index = chosenIndex, let over = receivers[index].closeEpoch() {
                close(over, into: &events)
            }
            receivers.removeAll()
            connected = false
            settle(at: now, loss: .gone, into: &events)
        case .report(let report): handle(report, at: now, into: &events)
        case .reports(let reports):
            for report in reports { handle(report, at: now, into: &events) }
        }
        return events
    }

    /// From `now` on uses `device` alone; nil for the best receiver.
    package mutating func listen(to device: String?, at now: Instant) -> [PositionEvent] {
        guard device != configuredDevice else { return [] }
        configuredDevice = device
        var events: [PositionEvent] = []
        if let device {
            if let index = chosenIndex, receivers[index].device != device,
                let over = receivers[index].closeEpoch()
            {
                close(over, into: &events)
            }
            receivers.removeAll { $0.device != device }
        }
        settle(at: now, loss: nil, into: &events)
        return events
    }

    private mutating func handle(
        _ report: Report, at now: Instant, into events: inout [PositionEvent]
    ) {
        var loss: Loss?
        switch report {
        case .device(let path, let active):
            if !active, let index = index(of: path) {
                receivers[index].letGo()
                loss = .gone
            }
        case .sky(let sky):
            if let index = index(of: sky.device, at: now) { receivers[index].handle(sky, at: now) }
        case .position(let report):
            if let index = index(of: report.device, at: now) {
                handle(report, by: index, at: now, into: &events)
            }
        }
        settle(at: now, loss: loss, into: &events)
    }

    /// Lets time pass until `now`: epochs end, fixes go stale, a better receiver is chosen.
    package mutating func advance(to now: Instant) -> [PositionEvent] {
        var events: [PositionEvent] = []
        for index in receivers.indices {
            let over = receivers[index].closeEpoch(at: now)
            if let over, index == chosenIndex { close(over, into: &events) }
        }
        settle(at: now, loss: nil, into: &events)
        return events
    }

    /// When `advance` has something to do if nothing comes before; nil for never.
    package var nextDeadline: Instant? {
        guard let index = chosenIndex else { return nil }
        let own = receivers[index].deadline(isFresh: fresh, isSilent: state == .nodata)
        let next = min(choice.deadline ?? .never, own)
        return next == .never ? nil : next
    }

    /// The machine's own clock read `time` at `instant`; `synchronised` where NTP or the like keeps
    /// it right, `precise` where it is known to be right to a tenth of a second. To be called at
    /// start and every minute or so.
    package mutating func setSystemClock(
        _ time: UnixTime, synchronised: Bool, precise: Bool? = nil, at instant: Instant
    ) -> [PositionEvent] {
        clocks.setSystemClock(
            time, synchronised: synchronised, precise: precise ?? synchronised, at: instant)
        let change = trust.setSystemClock(time, synchronised: synchronised, at: instant)
        var events: [PositionEvent] = []
        if let change { apply(change, into: &events) }
        return events
    }
}

// MARK: - What is known

extension PositionSource {
    /// The last fix of the chosen receiver, unchanged, for as long as it is fresh or `state` says
    /// that there is one.
    package var fix: Fix? {
        guard fresh || state == .fix2d || state == .fix3d, let index = chosenIndex
        else { return nil }
        return receivers[index].fix
    }

    /// Whether positions are carried by a velocity that the receiver did not state.
    package var isVelocityDerived: Bool {
        guard fresh, let index = chosenIndex else { return false }
        return receivers[index].track.isDerived
    }

    /// gpsd's name of the chosen receiver; nil while there is none.
    package var device: String? { choice.device }

    /// The measured epochs a second of the chosen receiver; nil before two epochs.
    package var rateHertz: Double? {
        guard let index = chosenIndex else { return nil }
        return receivers[index].rate.hertz
    }

    /// The usual time between its epochs; nil before two epochs.
    package var epochInterval: TimeSpan? {
        guard let index = chosenIndex else { return nil }
        return receivers[index].rate.interval
    }

    /// Whether its time may name files and date rows.
    package var timeTrusted: Bool { trust.trusted }

    /// GPS time at `instant`, while it is trusted.
    package func utc(at instant: Instant) -> UnixTime? {
        guard trust.trusted else { return nil }
        if let index = chosenIndex, let offset = clocks.offset(of: receivers[index].clock) {
            return UnixTime(nanoseconds: instant.nanoseconds &- offset)
        }
        return trust.reference.map { UnixTime(nanoseconds: instant.nanoseconds &+ $0) }
    }

    /// Where the rig is at `now`; nil without a fresh fix.
    package func position(at now: Instant, carrying: Carrying) -> CarriedPosition? {
        guard let index = chosenIndex else { return nil }
        return receivers[index].position(at: now, carrying: carrying, clocks)
    }
}

// MARK: - What happens

extension PositionSource {
    private var chosenIndex: Int? {
        choice.device.flatMap { index(of: $0) }
    }

    private func index(of device: String) -> Int? {
        // A closure would get a copy of each receiver with everything in it.
        for index in receivers.indices where receivers[index].device == device { return index }
        return nil
    }

    /// The receiver called `device`, made known if it is new; nil for one that is not wanted.
    private mutating func index(of device: String, at now: Instant) -> Int? {
        if let configuredDevice, device != configuredDevice { return nil }
        if let index = index(of: device) { return index }
        if receivers.count == PositionSource.maxReceivers {
            let others = receivers.indices.filter { receivers[$0].device != choice.device }
            guard
                let quietest = others.min(by: {
                    receivers[$0].lastReport < receivers[$1].lastReport
                })
            else { return nil }
            receivers.remove(at: quietest)
        }
        receivers.append(Receiver(device: device, at: now))
        return receivers.count - 1
    }

    private mutating func handle(
        _ report: PositionReport, by index: Int, at now: Instant,
        into events: inout [PositionEvent]
    ) {
        let outcome = receivers[index].handle(report, at: now, clocks)
        guard index == chosenIndex else { return }
        if let over = outcome.closed { close(over, into: &events) }
        for over in outcome.late { close(over, into: &events) }
        if let time = outcome.wentBack {
            if let lastRow, lastRow - time > PositionSource.maxFlicker { self.lastRow = nil }
            for change in trust.update(time: time, arrival: now) { apply(change, into: &events) }
        }
        if let news = outcome.news { announce(index, first: news == .first, into: &events) }
    }

    /// Tells of the fix that the receiver has just reported.
    private mutating func announce(
        _ index: Int, first: Bool, into events: inout [PositionEvent]
    ) {
        guard let fix = receivers[index].fix else { return }
        if first || receivers[index].sequence == nil {
            sequence += 1
            receivers[index].number(sequence)
            for change in trust.update(time: fix.time, arrival: fix.arrival) {
                apply(change, into: &events)
            }
        }
        fresh = true
        events.append(.fix(fix, sequence: receivers[index].sequence ?? sequence))
    }

    private mutating func close(_ over: Receiver.Closed, into events: inout [PositionEvent]) {
        if let time = over.fix.time {
            if let lastRow, time <= lastRow { return }
            lastRow = time
        }
        if over.sequence == nil { sequence += 1 }
        events.append(.epochClosed(over.fix, sequence: over.sequence ?? sequence))
    }

    private mutating func apply(_ change: TimeTrust.Change, into events: inout [PositionEvent]) {
        switch change {
        case .earned(let since, let stepped):
            if stepped { lastRow = nil }
            events.append(.timeTrusted(since: since, stepped: stepped))
        case .revoked:
            events.append(.timeRevoked)
        case .doubted(let reason):
            events.append(.timeDoubted(reason))
        }
    }

    /// Chooses the receiver, and tells what has changed.
    private mutating func settle(
        at now: Instant, loss: Loss?, into events: inout [PositionEvent]
    ) {
        let before = choice.device
        if choice.choose(among: receivers, at: now) { change(from: before, into: &events) }
        let index = chosenIndex
        var isFresh = false
        if let index { isFresh = receivers[index].isFresh(at: now) }
        if fresh, !isFresh {
            fresh = false
            events.append(.lost(loss ?? index.map { receivers[$0].loss(at: now) } ?? .gone))
        }
        if let index { describe(index, into: &events) }
        let newState = state(of: index, isFresh: isFresh, at: now)
        if newState != state {
            state = newState
            events.append(.state(newState))
        }
    }

    /// Tells once what the receiver lacks.
    private mutating func describe(_ index: Int, into events: inout [PositionEvent]) {
        if !receivers[index].saidSlow, let interval = receivers[index].slowInterval {
            receivers[index].saidSlow = true
            events.append(.slow(interval))
        }
        if !receivers[index].saidDerived, receivers[index].track.isDerived {
            receivers[index].saidDerived = true
            events.append(.velocityDerived)
        }
    }

    /// Changes to another receiver than `before`.
    private mutating func change(from before: String?, into events: inout [PositionEvent]) {
        if let index = before.flatMap({ index(of: $0) }), let over = receivers[index].closeEpoch() {
            close(over, into: &events)
            receivers[index].number(nil)
        }
        guard let index = chosenIndex else { return }
        events.append(.device(receivers[index].device))
        if receivers[index].hasFix { announce(index, first: true, into: &events) }
    }

    private func state(of index: Int?, isFresh: Bool, at now: Instant) -> ReceiverState {
        guard connected else { return .disconnected }
        guard let index else { return .nodata }
        let hasFix = isFresh || receivers[index].fixUntil.map { now <= $0 } == true
        if hasFix { return receivers[index].fix?.mode == .threeD ? .fix3d : .fix2d }
        switch receivers[index].loss(at: now) {
        case .silence, .gone: return .nodata
        case .noFix: return .nofix
        case .frozen: return .frozen
        }
    }
}
