import Glibc

/// Why a track tool could not do what it was asked for.
enum TrackToolFault: Error, Equatable {
    case usage(String)
    /// A path and its errno.
    case open(String, Int32)
    case read(String, Int32)
    case write(String, Int32)
    /// A file that none of ours is: its path.
    case notOurs(String, ForeignFile)
    /// The result would replace what it is made from: its path.
    case ownInput(String)
    /// More recordings at once than are followed.
    case tooManyClips(Int)
    /// No file of ours.
    case noFiles
    /// Nothing to work on.
    case empty

    /// For standard error, without the program's name.
    var message: String {
        switch self {
        case .usage(let words): words
        case .open(let path, let code), .read(let path, let code), .write(let path, let code):
            "\(path): \(String(cString: strerror(code)))"
        case .notOurs(let path, let reason): "\(path): \(reason.words)"
        case .ownInput(let path): "\(path): is read from, and is not overwritten"
        case .tooManyClips(let most): "more than \(most) recordings at one time"
        case .noFiles: "there are no tracks, events or pushes in there"
        case .empty: "there are no positions in these files"
        }
    }

    /// As in sysexits.h.
    var status: Int32 {
        switch self {
        case .usage, .ownInput: 64
        case .notOurs, .tooManyClips, .noFiles, .empty: 65
        case .open, .read: 66
        case .write: 74
        }
    }
}
