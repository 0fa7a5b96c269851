package import Reactor

/// Why nothing can be written for now.
package enum TrackFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder cannot be made or opened.
    case directory(SystemError)
    /// A file cannot be made: the errno, or nothing but taken names.
    case create(SystemError)
    case write(SystemError)
    /// What was written did not reach the disk.
    case sync(SystemError)
    /// Less than `min_free` is left: so many bytes.
    case reserve(free: Int64)
    /// The file lies in no folder any more, or in another one.
    case gone

    package var description: String {
        switch self {
        case .directory(let error): "folder: \(error)"
        case .create(let error): "new file: \(error)"
        case .write(let error): "\(error)"
        case .sync(let error): "sync: \(error)"
        case .reserve(let free): "min_free: only \(free / 1024) KiB free"
        case .gone: "the folder or file was taken away"
        }
    }

    /// Whether the same file can go on once the cause is gone.
    var leavesFileWhole: Bool {
        switch self {
        case .reserve: true
        case .write(let error): error.isOutOfSpace
        case .directory, .create, .sync, .gone: false
        }
    }

    /// Two faults of one kind are said once, whatever their numbers.
    var kind: String {
        switch self {
        case .directory(let error): "directory \(error.code)"
        case .create(let error): "create \(error.code)"
        case .write(let error): "write \(error.code)"
        case .sync(let error): "sync \(error.code)"
        case .reserve: "reserve"
        case .gone: "gone"
        }
    }
}
