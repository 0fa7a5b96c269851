import Clock
import Fleet
import Glibc
import Reactor
import Synchronization
import TrackFormat

/// The disk's side of the track: takes lines from the queue and puts them into files.
///
/// Lives on a helper thread. Whatever goes wrong, the line at hand goes back to the queue, and the
/// loop asks again later; nothing here waits but for the disk itself.
final class TrackDisk: Sendable {
    private let directory: TrackDirectory
    private let queue: TrackQueue
    private let systemClock: @Sendable () -> SystemClock
    private let state: Mutex<State>

    private struct State {
        var settings: TrackSettings
        var isPrepared = false
        /// The set that is open.
        var fileSet: Int?
        /// Names it; nil until its first file is made.
        var stamp: TrackFileName?
        var files: [TrackFileKind: TrackFile] = [:]
        /// Files that are new to the folder, by name, until that was synced.
        var newNames: Set<TrackFileName> = []
        /// The last work ended with a fault.
        var isFaulty = false
        var lastLook = Instant.zero
        var lastPruning = Instant.zero
        var date = SupportedDate()
    }

    /// Between looks whether the path still leads to the files.
    static let lookInterval = TimeSpan.seconds(1)
    /// Between prunings while a set stays open.
    static let pruningInterval = TimeSpan.seconds(600)

    init(
        settings: TrackSettings, directory: TrackDirectory, queue: TrackQueue,
        systemClock: @escaping @Sendable () -> SystemClock
    ) {
        state = Mutex(State(settings: settings))
        self.systemClock = systemClock
        self.directory = directory
        self.queue = queue
    }

    /// Takes over what `keep` and `min_free` say now; the folder stays.
    func adopt(_ settings: TrackSettings) { state.withLock { $0.settings = settings } }

    /// Writes what waits. Ends at the first fault.
    func work() -> TrackReport {
        state.withLock { state in
            var report = TrackReport()
            do throws(TrackFault) {
                try prepare(&state, &report)
                while true {
                    let orders = queue.removeAll()
                    if orders.isEmpty { break }
                    try carryOut(orders[...], &state, &report)
                }
                if queue.removeSync() {
                    gather(&state, &report)
                    try checkReserve(state)
                }
            } catch {
                report.fault = error
                if !error.leavesFileWhole { abandon(&state) }
            }
            state.isFaulty = report.fault != nil
            report.path = state.files[.track]?.path
            report.rows = state.files[.track]?.rows ?? 0
            return report
        }
    }

    /// Writes what waits and closes everything, synced: the end of the run.
    func finish() -> TrackReport {
        var report = work()
        for file in report.unsynced { _ = file.sync() }
        report.unsynced = []
        state.withLock { state in seal(&state, &report) }
        for file in report.unsynced {
            if let error = file.sync(), report.fault == nil { report.fault = .sync(error) }
        }
        report.unsynced = []
        return report
    }

    /// What was written did not reach the disk: the next line begins new files.
    func distrust() {
        state.withLock { state in
            abandon(&state)
            state.isFaulty = true
        }
    }

    // MARK: Orders

    private func carryOut(
        _ orders: ArraySlice<TrackQueue.Order>, _ state: inout State, _ report: inout TrackReport
    ) throws(TrackFault) {
        var rest = orders
        do throws(TrackFault) {
            while let order = rest.first {
                switch order {
                case .seal: seal(&state, &report)
                case .line(let line): try write(line, &state, &report)
                }
                rest.removeFirst()
            }
        } catch {
            queue.putBack(rest)
            throw error
        }
    }

    private func write(
        _ line: TrackLine, _ state: inout State, _ report: inout TrackReport
    ) throws(TrackFault) {
        if line.fileSet != state.fileSet {
            seal(&state, &report)
            state.fileSet = line.fileSet
        }
        try inspect(line, &state, &report)
        try open(line, &state, &report)
        do throws(SystemError) {
            try state.files[line.kind]?.append(line.bytes)
        } catch {
            throw .write(error)
        }
    }

    // MARK: Files

    private func prepare(_ state: inout State, _ report: inout TrackReport) throws(TrackFault) {
        if state.isFaulty || !state.isPrepared { try directory.make() }
        if state.isFaulty { try checkReserve(state) }
        guard !state.isPrepared else { return }
        let names = try directory.files()
        state.date.begin(names, at: MonotonicClock.now())
        for name in names {
            if let outcome = TrackRepair.repair(directory.path(of: name), kind: name.kind) {
                report.repaired.append(outcome)
            }
        }
        state.isPrepared = true
    }

    /// A file that was taken away is noticed before it gets another row; a folder that was moved,
    /// within a second.
    private func inspect(
        _ line: TrackLine, _ state: inout State, _ report: inout TrackReport
    ) throws(TrackFault) {
        let now = MonotonicClock.now()
        let isDue = now - state.lastLook >= Self.lookInterval
        if isDue { state.lastLook = now }
        if let file = state.files[line.kind], !file.isLinked || !file.isWhole { throw .gone }
        if isDue, state.files.values.contains(where: { !$0.isInPlace }) { throw .gone }
        if isDue, now - state.lastPruning >= Self.pruningInterval {
            prune(line, &state, &report)
        }
    }

    private func open(
        _ line: TrackLine, _ state: inout State, _ report: inout TrackReport
    ) throws(TrackFault) {
        guard state.files[line.kind] == nil else { return }
        if state.stamp == nil { try checkReserve(state) }
        let file = try create(line, state)
        state.stamp = file.name
        state.files[line.kind] = file
        state.newNames.insert(file.name)
        state.date.begin(file.name, at: MonotonicClock.now())
        if line.kind == .track { report.opened.append(file.path) }
        if state.files.count == 1 { prune(line, &state, &report) }
    }

    /// With the set's stamp, or one that no file of any kind has yet.
    private func create(_ line: TrackLine, _ state: State) throws(TrackFault) -> TrackFile {
        var name =
            state.stamp?.sibling(line.kind) ?? TrackFileName(kind: line.kind, time: line.time)
        while true {
            do throws(SystemError) {
                if state.stamp == nil && isTaken(name) { throw SystemError(code: EEXIST) }
                return try TrackFile(creating: name, in: directory.path)
            } catch {
                guard error.code == EEXIST, name.suffix < TrackFileName.maxSuffix else {
                    throw .create(error)
                }
                name.suffix += 1
            }
        }
    }

    private func isTaken(_ name: TrackFileName) -> Bool {
        TrackFileKind.allCases.contains {
            access(directory.path(of: name.sibling($0)), F_OK) == 0
        }
    }

    private func prune(
        _ line: TrackLine, _ state: inout State, _ report: inout TrackReport
    ) {
        let now = MonotonicClock.now()
        state.lastPruning = now
        let clock = systemClock()
        let date = state.date.date(
            gps: line.time, synchronised: clock.synchronised ? clock.time : nil, at: now)
        report.pruned += TrackPruning.prune(
            directory, keep: state.settings.keep, current: state.stamp, now: date)
    }

    private func checkReserve(_ state: State) throws(TrackFault) {
        let reserve = state.settings.minimumFree
        guard reserve > 0 else { return }
        let free = try directory.free()
        if free < reserve { throw .reserve(free: free) }
    }

    // MARK: Towards the disk

    /// Hands out what has to be synced; files stay open.
    private func gather(_ state: inout State, _ report: inout TrackReport) {
        for (kind, file) in state.files where file.isDirty {
            let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { continue }
            report.unsynced.append(unsynced(copy, file.name, &state))
            state.files[kind]?.isDirty = false
        }
    }

    /// Ends the set: what was written is synced and closed by the other thread.
    private func seal(_ state: inout State, _ report: inout TrackReport) {
        for file in state.files.values {
            if file.isDirty {
                report.unsynced.append(unsynced(file.descriptor, file.name, &state))
            } else {
                file.close()
            }
        }
        state.files = [:]
        state.stamp = nil
        state.fileSet = nil
    }

    private func unsynced(
        _ descriptor: Int32, _ name: TrackFileName, _ state: inout State
    ) -> UnsyncedFile {
        let isNew = state.newNames.remove(name) != nil
        return UnsyncedFile(owning: descriptor, newIn: isNew ? directory : nil)
    }

    /// Ends the set without waiting for a disk that does not answer.
    private func abandon(_ state: inout State) {
        for file in state.files.values { file.close() }
        state.files = [:]
        state.stamp = nil
        state.newNames = []
    }
}
