import Fleet
import Glibc

/// Why a track tool could not do what it was asked for.
enum TrackToolFault: Error, Equatable {
    case usage(String)
    /// A path and its errno.
    case open(String, Int32)
    case read(String, Int32)
    case write(String, Int32)
    /// A file that none of ours is: its path.
    case notOurs(String)
    /// Nothing to work on.
    case empty

    /// For standard error, without the program's name.
    var message: String {
        switch self {
        case .usage(let words): words
        case .open(let path, let code), .read(let path, let code), .write(let path, let code):
            "\(path): \(String(cString: strerror(code)))"
        case .notOurs(let path): "\(path): not a file of geotagd's: its first line is another one"
        case .empty: "there are no positions in these files"
        }
    }

    /// As in sysexits.h.
    var status: Int32 {
        switch self {
        case .usage: 64
        case .notOurs, .empty: 65
        case .open, .read: 66
        case .write: 74
        }
    }
}
