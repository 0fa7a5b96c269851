import Fleet
import Reactor

/// Saves the roster on a thread of its own, one save at a time, the newest wins: a memory card takes
/// its time, and cameras do not wait for it.
final class RosterKeeper {
    /// Told on the loop's thread of a save that failed.
    var failed: (StateFault) -> Void = { _ in }
    /// Told when everything is saved.
    var idle: () -> Void = {}

    private let file: RosterFile
    private let thread: HelperThread<StateFault?>
    private var waiting: [RosterEntry]?

    /// - Throws: where no thread can be had.
    init(_ file: RosterFile, on loop: EventLoop) throws(SystemError) {
        self.file = file
        thread = try HelperThread(on: loop)
    }

    /// A save is under way.
    var isBusy: Bool { thread.pending > 0 }

    /// Saves these, now or after the save that is under way.
    func keep(_ entries: [RosterEntry]) {
        guard !isBusy else {
            waiting = entries
            return
        }
        let file = file
        let save: HelperThread<StateFault?>.Job = {
            do throws(StateFault) {
                try file.save(entries)
                return nil
            } catch { return error }
        }
        thread.run(save) { [unowned self] fault, _ in saved(fault) }
    }

    private func saved(_ fault: StateFault?) {
        if let fault { failed(fault) }
        if let next = waiting {
            waiting = nil
            keep(next)
        } else {
            idle()
        }
    }
}
