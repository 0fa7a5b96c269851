package import Clock
package import Fleet
import Glibc
package import LineProtocol
package import RadioPort
package import Reactor
package import TrackFormat

/// Keeps the track: epochs, events and pushes go into files, and the disk never holds up the loop.
///
/// The journal decides what goes where, on the loop; a helper thread writes, each row by one call;
/// another one syncs, so that rows go on while a card takes its seconds. Between them stands a
/// bounded queue. A fault of the disk is said once; lines wait, the oldest giving way, and the disk
/// is tried again every half a minute.
///
/// Its own notices (`track - state=…`) go to `sink`, and into the events file by themselves:
///
/// | fields | when |
/// | --- | --- |
/// | `state=open path=…` | a track was begun |
/// | `state=error reason=…` | lines wait |
/// | `state=ok unwritten=N` | they are written again; N were lost on the way |
/// | `state=repaired path=… cut=N` | an earlier run's last line was cut; `removed=yes`: nothing was left |
/// | `state=error reason=… unwritten=N` | N lines were lost in a folder that is used no more |
/// | `state=pruned files=N` | old files were deleted |
/// | `state=off` · `state=on` · `state=rotated` | by command |
package final class TrackWriter {
    /// Syncs under way at most: a further one is left out, since those before it are not through.
    package static let maxSyncs = 16
    /// How long the end of the run waits for the disk.
    package static let closeLimit = TimeSpan.seconds(3)

    private var settings: TrackSettings
    private let loop: EventLoop
    private let retryInterval: TimeSpan
    private let sink: (Notice) -> Void
    private var journal: TrackJournal
    private let queue = TrackQueue()
    /// The disk's last work, while that is under way.
    private var ending: TrackEnding?
    /// Lines that writers before this one could not write.
    private var unwrittenBefore = 0
    /// nil where no directory is configured, and after `close`.
    private var disk: TrackDisk?
    private var writing: HelperThread<TrackReport>?
    private var syncing: HelperThread<SystemError?>?
    private var syncTimer: Timer?
    private var retryTimer: Timer?
    private var isPosted = false
    /// Works that the disk has reported.
    private(set) var tries = 0
    private var fault: TrackFault?
    private var lastGone: Instant?
    private var droppedBefore = 0
    private var path: String?
    private var rows = 0

    /// Begins by putting the folder in order, in the background.
    ///
    /// - Parameters:
    ///   - retryInterval: between two tries while the disk is at fault.
    ///   - systemClock: is asked before old files are deleted, on another thread.
    ///   - sink: gets the track's notices, on the loop's thread. They are not to be handed back to
    ///     `record`.
    /// - Throws: where no thread can be had.
    package init(
        settings: TrackSettings, loop: EventLoop, retryInterval: TimeSpan = .seconds(30),
        systemClock: @escaping @Sendable () -> SystemClock = MachineClock.read,
        sink: @escaping (Notice) -> Void
    ) throws(SystemError) {
        self.settings = settings
        self.loop = loop
        self.retryInterval = retryInterval
        self.sink = sink
        journal = TrackJournal(settings: settings)
        guard let folder = settings.directory else { return }
        writing = try HelperThread(on: loop)
        syncing = try HelperThread(on: loop)
        disk = TrackDisk(
            settings: settings, directory: TrackDirectory(folder), queue: queue,
            systemClock: systemClock)
        syncTimer = Timer(on: loop) { [unowned self] _ in sync() }
        retryTimer = Timer(on: loop) { [unowned self] _ in post(isRetry: true) }
        post(isRetry: false)
    }

    /// A row of the track.
    package func record(_ epoch: ClosedEpoch, at now: Instant) { submit(.epoch(epoch), at: now) }

    /// A row of the events file.
    package func record(_ notice: Notice, at now: Instant) { submit(.notice(notice), at: now) }

    /// A row of the push log where that is on, and an event where pushes paused. To be told of
    /// every push.
    package func record(_ push: Push, at now: Instant) { submit(.push(push), at: now) }

    /// A link did not take a frame; of the last push or not.
    package func frameDropped(_ link: LinkID, frame: [UInt8], at now: Instant) {
        submit(.frameDropped(link, frame: frame), at: now)
    }

    /// Whose names stand in the push log; at the start and whenever the roster changes.
    package func setRoster(_ entries: [RosterEntry], at now: Instant) {
        submit(.roster(entries), at: now)
    }

    /// `track rotate`, SIGHUP: what is open ends now, synced; the next row begins new files.
    package func rotate(at now: Instant) {
        submit(.rotate, at: now)
        if disk != nil, journal.isOn { say([Field("state", "rotated")], at: now) }
    }

    /// `track on`, `track off`.
    package func setOn(_ isOn: Bool, at now: Instant) {
        guard disk != nil, isOn != journal.isOn else { return }
        submit(isOn ? .on : .off, at: now)
        say([Field("state", isOn ? "on" : "off")], at: now)
    }

    /// What `status` says of the track.
    package var status: TrackStatus {
        TrackStatus(
            path: path, rows: rows, unwritten: unwrittenBefore + journal.unwritten + queue.dropped,
            error: fault?.description, isOn: disk != nil && journal.isOn)
    }

    /// When the disk is asked to sync; nil while nothing waits for that.
    var nextSync: Instant? { syncTimer?.deadline }

    /// Lines that wait for the disk.
    package var queued: Int { queue.count }

    /// All that was recorded has been written, as far as it will be.
    package var isIdle: Bool { !isPosted && queue.isEmpty && fault == nil }

    /// Takes over a changed `[track]` section, but for its directory, and a changed push rate.
    package func adopt(_ new: TrackSettings, at now: Instant) {
        precondition(new.directory == settings.directory, "another folder takes another writer")
        guard new != settings else { return }
        settings = new
        submit(.settings(new), at: now)
        // A longer wait than this counts from now.
        if let deadline = syncTimer?.deadline, deadline > now + new.sync {
            syncTimer?.set(at: now + new.sync)
        }
        guard let disk else { return }
        let adoption: HelperThread<TrackReport>.Job = {
            disk.adopt(new)
            return TrackReport()
        }
        writing?.run(adoption) { _, _ in }
    }

    /// Goes on where a writer for another folder was: with its rows that still wait for trusted
    /// time, its counts, on or off as it was. That one writes what it has and ends in the
    /// background; it is to be kept until `isOver`.
    package func follow(_ old: TrackWriter, at now: Instant) {
        guard let oldDisk = old.disk else {
            unwrittenBefore = old.status.unwritten
            return
        }
        old.submit(.rotate, at: now)
        if disk == nil {
            unwrittenBefore = old.status.unwritten
        } else {
            // Rows that the old folder does not take go into the new one.
            if old.fault != nil && !old.isPosted {
                for order in old.queue.removeAll() { queue.append(order) }
            }
            unwrittenBefore = old.unwrittenBefore + old.queue.dropped
            journal = old.journal
            submit(.settings(settings), at: now)
        }
        old.end(oldDisk)
    }

    /// Whether nothing is left to do after another writer followed this one.
    package var isOver: Bool { ending == nil && disk == nil }

    /// Waits for that.
    ///
    /// - Returns: false where the disk did not manage until `deadline`.
    package func waitForEnd(until deadline: Instant) -> Bool {
        ending?.wait(max(.zero, deadline - MonotonicClock.now())) ?? true
    }

    /// The end of the run: all that waits is written, synced and closed, within `limit`. Nothing is
    /// recorded any more afterwards.
    ///
    /// - Returns: false where the disk did not manage.
    @discardableResult
    package func close(within limit: TimeSpan = closeLimit) -> Bool {
        guard let disk else { return true }
        submit(.off, at: loop.now)
        end(disk)
        return ending?.wait(limit) ?? false && fault == nil
    }

    /// Has the disk write what waits; nothing more is taken.
    private func end(_ disk: TrackDisk) {
        self.disk = nil
        syncTimer = nil
        retryTimer = nil
        guard let ending = try? TrackEnding() else { return }
        self.ending = ending
        let finish: HelperThread<TrackReport>.Job = {
            let report = disk.finish()
            ending.report(report)
            return report
        }
        writing?.run(finish) { [weak self] report, now in
            self?.ended(report, at: now)
        }
    }
}

extension TrackWriter {
    private func submit(_ input: TrackInput, at now: Instant) {
        guard disk != nil else { return }
        for effect in journal.handle(input, at: now) {
            switch effect {
            case .line(let line):
                queue.append(.line(line))
                if let syncTimer, syncTimer.deadline == nil {
                    syncTimer.set(at: now + settings.sync)
                }
            case .seal: queue.append(.seal)
            case .sync: queue.requestSync()
            case .notice(let notice): sink(notice)
            }
        }
        postIfNeeded()
    }

    /// The disk's last work is done, and somebody is still there to hear of it.
    private func ended(_ report: TrackReport, at now: Instant) {
        ending = nil
        guard let fault = report.fault else { return }
        let lost = Field("unwritten", String(queue.count))
        say([Field("state", "error"), Field("reason", fault.description), lost], at: now)
    }

    private func sync() {
        queue.requestSync()
        postIfNeeded()
    }

    /// While the disk is at fault only the retry timer posts.
    private func postIfNeeded() {
        if fault == nil && !isPosted && !queue.isEmpty { post(isRetry: false) }
    }

    private func post(isRetry: Bool) {
        guard let disk else { return }
        isPosted = true
        let work: HelperThread<TrackReport>.Job = { disk.work() }
        writing?.run(work) { [weak self] report, now in
            self?.isPosted = false
            self?.tries += 1
            self?.handle(report, isRetry: isRetry, at: now)
        }
    }

    private func handle(_ report: TrackReport, isRetry: Bool, at now: Instant) {
        path = report.path
        rows = report.rows
        for outcome in report.repaired {
            var fields = [
                Field("state", "repaired"), Field("path", outcome.path),
                Field("cut", String(outcome.cut)),
            ]
            if outcome.removed { fields.append(Field("removed", "yes")) }
            record(fields, at: now)
        }
        for file in report.unsynced { sync(file) }
        // Work that was under way when a sync failed says nothing of that.
        if isRetry || fault == nil || report.fault != nil { setFault(report.fault, at: now) }
        for path in report.opened { say([Field("state", "open"), Field("path", path)], at: now) }
        if report.pruned > 0 {
            record([Field("state", "pruned"), Field("files", String(report.pruned))], at: now)
        }
        postIfNeeded()
    }

    private func setFault(_ new: TrackFault?, at now: Instant) {
        let old = fault
        fault = new
        if let new {
            if old.map(\.kind) != new.kind {
                record([Field("state", "error"), Field("reason", new.description)], at: now)
            }
            if old == nil { droppedBefore = queue.dropped }
            retryTimer?.set(at: now + retryDelay(new, at: now))
        } else if old != nil {
            let lost = queue.dropped - droppedBefore
            record([Field("state", "ok"), Field("unwritten", String(lost))], at: now)
        }
    }

    /// A folder that was taken away is made again at once, but not again and again.
    private func retryDelay(_ fault: TrackFault, at now: Instant) -> TimeSpan {
        guard fault == .gone else { return retryInterval }
        defer { lastGone = now }
        if let lastGone, now - lastGone < retryInterval { return retryInterval }
        return .zero
    }

    private func sync(_ file: UnsyncedFile) {
        guard let syncing, syncing.pending < Self.maxSyncs else { return file.drop() }
        let sync: HelperThread<SystemError?>.Job = { file.sync() }
        syncing.run(sync) { [weak self] error, now in
            if let error { self?.syncFailed(error, at: now) }
        }
    }

    /// What was written last may be gone: it is not written again, but no row joins it.
    func syncFailed(_ error: SystemError, at now: Instant) {
        guard let disk else { return }
        let distrust: HelperThread<TrackReport>.Job = {
            disk.distrust()
            return TrackReport()
        }
        writing?.run(distrust) { _, _ in }
        path = nil
        setFault(.sync(error), at: now)
    }

    /// To the log and the clients.
    private func say(_ fields: [Field], at now: Instant) {
        sink(notice(fields, at: now))
    }

    /// To them, and into the events file.
    private func record(_ fields: [Field], at now: Instant) {
        let notice = notice(fields, at: now)
        sink(notice)
        record(notice, at: now)
    }

    private func notice(_ fields: [Field], at now: Instant) -> Notice {
        Notice(kind: .track, name: "-", fields: fields, instant: now, utc: journal.utc(at: now))
    }
}
