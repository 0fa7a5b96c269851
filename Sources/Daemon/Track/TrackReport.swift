import Glibc
import Reactor

/// What the disk's thread has to say after some work.
struct TrackReport: Sendable {
    /// Absolute; nil while no track is open.
    var path: String?
    /// In that file.
    var rows = 0
    /// Why lines wait; nil when all is well.
    var fault: TrackFault?
    /// Paths of the tracks that were begun.
    var opened: [String] = []
    var repaired: [TrackRepair.Outcome] = []
    /// Files that `keep` deleted.
    var pruned = 0
    /// For the other thread.
    var unsynced: [UnsyncedFile] = []
}

/// A descriptor on its way to be synced and closed.
struct UnsyncedFile: Sendable {
    private let descriptor: Int32
    /// The folder has to be synced as well: the file is new.
    private let directory: TrackDirectory?

    /// - Parameter descriptor: owned from here on.
    init(owning descriptor: Int32, newIn directory: TrackDirectory?) {
        self.descriptor = descriptor
        self.directory = directory
    }

    /// Takes as long as the disk takes.
    func sync() -> SystemError? {
        defer { close(descriptor) }
        if fdatasync(descriptor) != 0 && errno != EINVAL { return .last }
        return directory?.sync()
    }

    /// Closes it without syncing.
    func drop() { close(descriptor) }
}
