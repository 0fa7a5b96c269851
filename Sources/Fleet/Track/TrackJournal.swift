package import Clock
import LineProtocol
import Navigation
import TrackFormat

/// Decides what is written to which set of files: epochs, events and pushes in, finished rows out.
///
/// Files are named from GPS time, so nothing is written before that has earned its trust; until
/// then the last minute is held. A set (track, events, pushes) shares one stamp and is begun anew
/// at a rotation and after a step of GPS time. Rows of a file are strictly increasing in time.
///
/// | state | input | becomes | and |
/// | --- | --- | --- | --- |
/// | untimed | epoch, time not trusted | untimed | it is held |
/// | untimed | epoch, trusted | running | new set: held rows that agree with it, then its row |
/// | untimed | notice, push | untimed | its row is held |
/// | running | epoch, trusted | running | its row if its time increases; rotation before it |
/// | running | epoch, not trusted | doubted | it is held |
/// | doubted | epoch, not trusted | doubted | it is held |
/// | doubted | epoch, trusted | running | new set if time made a step; held rows, then its row |
/// | running | notice of a step | doubted | its row |
/// | running, doubted | notice, push | same | its row; rotation before it |
/// | running, doubted | rotate | same | sealed; the next row begins a new set |
/// | any | settings | same | they count from the next row on |
/// | any but off | off | off | sealed |
/// | off | on | untimed | |
package struct TrackJournal: Sendable {
    enum State: Equatable, Sendable {
        case off
        /// No time yet; the reason to begin files once there is.
        case untimed(TrackReason)
        case running(TrackFileSet)
        case doubted(TrackFileSet)
    }

    /// How far GPS time may wander from CLOCK_MONOTONIC over a doubt without that being a step.
    static let stepTolerance = TimeSpan.seconds(1)
    /// An epoch says where an event happened while it is no older.
    static let placeLife = TimeSpan.seconds(2.5)

    private var settings: TrackSettings
    private(set) var state = State.untimed(.start)
    private var held = HeldRows()
    private var pushLog = PushLog()
    private var pushGate = PushGate()
    private var lastEpoch: ClosedEpoch?
    private var lastFileSet = 0
    private var effects: [TrackEffect] = []

    /// Epochs that found no place in a file: time was never trusted, or their time was wrong or
    /// did not increase.
    package private(set) var unwritten = 0

    /// No file is open.
    package init(settings: TrackSettings) { self.settings = settings }

    /// Whether rows are wanted at all.
    package var isOn: Bool { state != .off }

    /// UTC by the last trusted epoch; nil while time is not trusted.
    package func utc(at instant: Instant) -> UnixTime? {
        guard case .running(let fileSet) = state else { return nil }
        return fileSet.time(at: instant)
    }

    /// What is to be written, opened or closed because of this input.
    package mutating func handle(_ input: TrackInput, at now: Instant) -> [TrackEffect] {
        effects = []
        switch input {
        case .epoch(let epoch): record(epoch, at: now)
        case .notice(let notice): record(notice, at: now)
        case .push(let push): record(push, at: now)
        case .frameDropped(let link, let frame): pushLog.dropped(link, frame: frame)
        case .roster(let entries): pushLog.rename(entries)
        case .settings(let settings): self.settings = settings
        case .rotate: rotate(at: now)
        case .on: if state == .off { state = .untimed(.on) }
        case .off: end(at: now)
        }
        return effects
    }

    // MARK: What comes in

    private mutating func record(_ epoch: ClosedEpoch, at now: Instant) {
        lastEpoch = epoch
        if epoch.recording.isEmpty { pushGate.rest(at: now) } else { beginRecording(now) }
        guard state != .off else { return }
        guard epoch.timeTrusted, let time = epoch.fix.time, CivilTime(time) != nil else {
            if case .running(let fileSet) = state { state = .doubted(fileSet) }
            held.append(epoch, at: now)
            return
        }
        let offset = time - UnixTime(nanoseconds: epoch.fix.arrival.nanoseconds)
        switch state {
        case .off: return
        case .untimed(let reason): begin(reason, at: time, offset: offset, now)
        case .doubted(let fileSet)
        where fileSet.hasStepped || Self.differs(offset, fileSet.offset):
            writeClosing(.step, now)
            begin(.step, at: time, offset: offset, now)
        case .doubted(var fileSet), .running(var fileSet):
            fileSet.offset = offset
            state = .running(fileSet)
            for row in timed(held.removeAll(), offset: offset) {
                write(row.epoch, time: row.time, now)
            }
        }
        write(epoch, time: time, now)
    }

    private mutating func record(_ notice: Notice, at now: Instant) {
        if notice.isDeliberateEnd { pushLog.expectPause() }
        guard state != .off else { return }
        write(notice, now)
        if notice.isStep, var fileSet {
            fileSet.hasStepped = true
            state = .doubted(fileSet)
        }
        // What footage is found by must not wait for the next interval.
        if notice.kind == .record { effects.append(.sync) }
        if notice.isStart { beginRecording(now) }
    }

    /// A camera records: what was pushed before belongs to it too.
    private mutating func beginRecording(_ now: Instant) {
        write(pushGate.record(settings.pushes, at: now), now)
    }

    private mutating func record(_ push: Push, at now: Instant) {
        finishPush(now)
        let pause = pushLog.pause(before: push, at: now)
        guard state != .off else { return }
        if let pause, pause > settings.pushGap {
            let milliseconds = pause.nanoseconds / 1_000_000
            let gap = notice(.push, [Field("gap_ms", String(milliseconds))], at: now)
            write(gap, now)
            effects.append(.notice(gap))
        }
        guard settings.pushes != .off else { return }
        var utc: UnixTime?
        if case .running = state { utc = push.position?.fix.time }
        pushLog.begin(push, utc: utc, at: now)
    }

    private mutating func rotate(at now: Instant) {
        guard var fileSet, !fileSet.isOver else { return }
        finishPush(now)
        writeClosing(.command, now)
        effects.append(.seal)
        fileSet.isOver = true
        replace(fileSet)
    }

    private mutating func end(at now: Instant) {
        guard state != .off else { return }
        finishPush(now)
        writeClosing(.off, now)
        effects.append(.seal)
        let rows = held.removeAll()
        unwritten += rows.droppedEpochs + rows.epochs.count
        state = .off
    }

    // MARK: Rows

    private mutating func write(_ epoch: ClosedEpoch, time: UnixTime, _ now: Instant) {
        guard var fileSet, fileSet.advance(to: time.milliseconds) else {
            unwritten += 1
            return
        }
        replace(fileSet)
        append(
            HeldRows.Line(kind: .track, bytes: TrackRow.line(epoch, time: time), worth: .usual),
            time: time, now)
    }

    private mutating func write(_ notice: Notice, _ now: Instant) {
        let time = notice.utc ?? fileSet?.time(at: notice.instant)
        let row = row(of: notice, at: notice.instant)
        append(row, time: time ?? UnixTime(nanoseconds: 0), now)
    }

    private mutating func finishPush(_ now: Instant) {
        guard let push = pushLog.finish(), state != .off else { return }
        write(pushGate.pass(push, settings.pushes, at: now), now)
    }

    private mutating func write(_ pushes: [LoggedPush], _ now: Instant) {
        guard state != .off else { return }
        for push in pushes {
            let time = fileSet?.time(at: now) ?? UnixTime(nanoseconds: 0)
            append(
                HeldRows.Line(kind: .pushes, bytes: pushLog.line(push), worth: .push), time: time,
                now)
        }
    }

    /// Appends to the set that is open, or to the next where that one has to end; holds the line
    /// where there is none.
    private mutating func append(_ line: HeldRows.Line, time: UnixTime, _ now: Instant) {
        guard let fileSet else { return held.append(line) }
        if let reason = fileSet.reasonToEnd(
            settings.rotation, kind: line.kind, time: time, bytes: line.bytes.count)
        {
            if !fileSet.isOver { writeClosing(reason, now) }
            replace(nextFileSet(at: time, offset: fileSet.offset, after: fileSet))
            writeOpening(reason, [], now)
        }
        emit(line, time: time)
    }

    private mutating func emit(_ line: HeldRows.Line, time: UnixTime) {
        guard var fileSet else { return }
        effects.append(
            .line(
                TrackLine(
                    kind: line.kind, fileSet: fileSet.number, time: time, bytes: line.bytes,
                    worth: line.worth)))
        fileSet.count(line.kind, bytes: line.bytes.count)
        replace(fileSet)
    }

    // MARK: Sets of files

    private var fileSet: TrackFileSet? {
        switch state {
        case .off, .untimed: nil
        case .running(let fileSet), .doubted(let fileSet): fileSet
        }
    }

    /// The set as it is now; whether time is in doubt stays as it was.
    private mutating func replace(_ fileSet: TrackFileSet) {
        if case .doubted = state { state = .doubted(fileSet) } else { state = .running(fileSet) }
    }

    private mutating func nextFileSet(
        at time: UnixTime, offset: TimeSpan, after last: TrackFileSet? = nil
    ) -> TrackFileSet {
        lastFileSet += 1
        var fileSet = TrackFileSet(number: lastFileSet, offset: offset, begun: time)
        if let last { fileSet.follow(last) }
        return fileSet
    }

    /// Begins the first set of a run, or another one after a step, with what was held.
    private mutating func begin(
        _ reason: TrackReason, at time: UnixTime, offset: TimeSpan, _ now: Instant
    ) {
        let all = held.removeAll()
        let before = unwritten
        let rows = timed(all, offset: offset)
        state = .running(nextFileSet(at: rows.first?.time ?? time, offset: offset))
        var fields = [Field("held", String(rows.count))]
        if unwritten > before { fields.append(Field("unwritten", String(unwritten - before))) }
        if all.droppedLines > 0 {
            fields.append(Field("unwritten_events", String(all.droppedLines)))
        }
        writeOpening(reason, fields, now)
        for row in rows { write(row.epoch, time: row.time, now) }
        for line in all.lines { append(line, time: time, now) }
    }

    private mutating func writeOpening(_ reason: TrackReason, _ fields: [Field], _ now: Instant) {
        let said = [Field("state", "open"), Field("reason", reason.rawValue)]
        let opening = notice(.track, said + fields, at: now)
        guard let fileSet else { return }
        emit(row(of: opening, at: now), time: fileSet.begun)
    }

    private mutating func writeClosing(_ reason: TrackReason, _ now: Instant) {
        guard let fileSet, !fileSet.isOver else { return }
        let said = [Field("state", "closed"), Field("reason", reason.rawValue)]
        let closing = notice(.track, said, at: now)
        emit(row(of: closing, at: now), time: fileSet.begun)
    }

    private func row(of notice: Notice, at now: Instant) -> HeldRows.Line {
        let bytes = EventRow.line(notice, place: place(at: now))
        return HeldRows.Line(kind: .events, bytes: bytes, worth: LineWorth(notice.kind))
    }

    // MARK: Times and places

    /// The held epochs whose time is right by what is known now; the others are lost.
    private mutating func timed(
        _ rows: HeldRows, offset: TimeSpan
    ) -> [(epoch: ClosedEpoch, time: UnixTime)] {
        unwritten += rows.droppedEpochs
        return rows.epochs.compactMap { epoch in
            guard let time = epoch.fix.time,
                !Self.differs(time - UnixTime(nanoseconds: epoch.fix.arrival.nanoseconds), offset)
            else {
                unwritten += 1
                return nil
            }
            return (epoch, time)
        }
    }

    private static func differs(_ left: TimeSpan, _ right: TimeSpan) -> Bool {
        let difference = left - right
        return difference > stepTolerance || difference < -stepTolerance
    }

    /// The last epoch, where it still says where the rig is.
    private func place(at instant: Instant) -> ClosedEpoch? {
        guard let lastEpoch, instant - lastEpoch.fix.arrival <= Self.placeLife else { return nil }
        return lastEpoch
    }

    private func notice(_ kind: Notice.Kind, _ fields: [Field], at now: Instant) -> Notice {
        Notice(kind: kind, name: "-", fields: fields, instant: now, utc: utc(at: now))
    }
}

extension Notice {
    /// A camera began to record.
    fileprivate var isStart: Bool {
        kind == .record && fields.contains(Field("state", "started"))
    }

    /// GPS time is trusted again, on another time line than before.
    fileprivate var isStep: Bool { kind == .clock && fields.contains(Field("stepped", "yes")) }

    /// A camera went to sleep: that positions pause for it is no trouble.
    fileprivate var isDeliberateEnd: Bool {
        kind == .camera && fields.contains(Field("state", "asleep"))
    }
}
