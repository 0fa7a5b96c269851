import Clock
import Fleet
import OsmoProtocol
import Reactor

/// Saves what the state folder holds on a thread of its own, one save at a time: a memory card takes
/// its time, and cameras do not wait for it.
///
/// What cannot be saved is kept and tried again, until it is saved or another roster takes its
/// place: `pair` said OK to somebody who expects the camera to be known tomorrow.
final class RosterKeeper {
    /// Gets a fault on the loop's thread, once for all tries in a row that fail alike.
    var failed: (StateFault) -> Void = { _ in }
    /// A save went through after one had failed.
    var recovered: () -> Void = {}
    /// No save is under way any more: all is saved, or the next try is 30 s away.
    var idle: () -> Void = {}

    /// What is to be saved together.
    private struct Content: Sendable {
        var roster: [RosterEntry]?
        var identity: ControllerIdentity?

        var isEmpty: Bool { roster == nil && identity == nil }
    }

    private let file: RosterFile
    private let thread: HelperThread<StateFault?>
    private let retryInterval: TimeSpan
    private var unsaved = Content()
    private var fault: StateFault?
    private var retry: Timer?
    private var isClosing = false

    /// - Parameter retryInterval: between two tries of a save that failed.
    /// - Throws: where no thread can be had.
    init(
        _ file: RosterFile, on loop: EventLoop, retryInterval: TimeSpan = .seconds(30)
    ) throws(SystemError) {
        self.file = file
        self.retryInterval = retryInterval
        thread = try HelperThread(on: loop)
        retry = Timer(on: loop) { [unowned self] _ in saveIfPossible() }
    }

    /// A save is under way.
    var isBusy: Bool { thread.pending > 0 }

    /// Saves these, now or after the save that is under way.
    func keep(_ entries: [RosterEntry]) {
        unsaved.roster = entries
        saveIfPossible()
    }

    /// Saves an identity that could not be saved before, for that reason: it is tried again later.
    func keep(_ identity: ControllerIdentity, after fault: StateFault, at now: Instant) {
        unsaved.identity = identity
        self.fault = fault
        retry?.set(at: now + retryInterval)
    }

    /// The end of the run: what is not saved is tried once more.
    ///
    /// - Returns: whether a save is under way; `idle` follows.
    func close() -> Bool {
        if !isClosing {
            isClosing = true
            saveIfPossible()
        }
        return isBusy
    }

    private func saveIfPossible() {
        guard !isBusy, !unsaved.isEmpty else { return }
        retry?.cancel()
        let content = unsaved
        unsaved = Content()
        let save: HelperThread<StateFault?>.Job = { [file] in
            do throws(StateFault) {
                if let identity = content.identity { try file.identityFile.save(identity) }
                if let roster = content.roster { try file.save(roster) }
                return nil
            } catch { return error }
        }
        thread.run(save) { [unowned self] fault, now in saved(content, fault, at: now) }
    }

    private func saved(_ content: Content, _ new: StateFault?, at now: Instant) {
        let old = fault
        fault = new
        guard let new else {
            if old != nil { recovered() }
            // What came meanwhile.
            saveIfPossible()
            if !isBusy { idle() }
            return
        }
        if new != old { failed(new) }
        unsaved.roster = unsaved.roster ?? content.roster
        unsaved.identity = unsaved.identity ?? content.identity
        retry?.set(at: now + retryInterval)
        idle()
    }
}
