import CLinux
import Glibc

/// Why a track tool could not do what it was asked for.
enum TrackToolFault: Error, Equatable {
    case usage(String)
    /// A file that cannot be opened: its path and errno.
    case open(String, Int32)
    case read(String, Int32)
    case write(String, Int32)
    /// A file that is not one of geotagd's: its path and the reason.
    case notOurs(String, ForeignFile)
    /// The result would replace a file that it is made from: its path.
    case ownInput(String)
    /// More recordings at once than can be followed.
    case tooManyClips(Int)
    /// `--camera` names a camera that recorded nothing there; the names of those that did.
    case unknownCamera(String, known: [String])
    /// A file that is a symbolic link and is not repaired: its path.
    case linkNotRepaired(String)
    /// `--repair` of a file that comes through a pipe.
    case pipeNotRepaired(String)
    /// Two tracks that have rows of one time: their paths.
    case overlappingTracks(String, String)
    /// None of the paths leads to a file of geotagd's.
    case noFiles
    /// No track, where places are to be written.
    case noTracks
    /// Folders without a track in them.
    case noTracksIn([String])
    /// The files hold no rows.
    case empty

    /// The message for standard error, without the program's name.
    var message: String {
        switch self {
        case .usage(let words): words
        case .open(let path, let code), .read(let path, let code), .write(let path, let code):
            "\(path): \(String(cString: strerror(code)))"
                + (code == EACCES ? ReadingGroup.hint(path) : "")
        case .notOurs(let path, let reason): "\(path): \(reason.words)"
        case .ownInput(let path): "\(path): is read from, and is not overwritten"
        case .tooManyClips(let most): "more than \(most) recordings at one time"
        case .unknownCamera(let name, let known):
            known.isEmpty
                ? "no camera recorded anything in these files"
                : "\(name) recorded nothing in these files; "
                    + "cameras that did: \(known.joined(separator: ", "))"
        case .linkNotRepaired(let path): "\(path): is a symbolic link; repair what it leads to"
        case .pipeNotRepaired(let path): "\(path): a pipe cannot be repaired; name a file"
        case .overlappingTracks(let one, let other):
            "\(one) and \(other) are of one time, as tracks of two rigs are, or copies: "
                + "name the files of one rig alone"
        case .noFiles: "there are no tracks, events or pushes in there"
        case .noTracks: "there is no track to write places from: --track names them"
        case .noTracksIn(let folders):
            "no track is in \(folders.joined(separator: ", ")): name the folder of tracks as well, "
                + "such as \(MatchInputs.serviceFolder)"
        case .empty: "there are no positions in these files"
        }
    }

    /// The exit status, as in sysexits.h.
    var status: Int32 {
        switch self {
        case .usage, .ownInput, .unknownCamera, .pipeNotRepaired: 64
        case .notOurs, .tooManyClips, .overlappingTracks, .noFiles, .noTracks, .noTracksIn, .empty:
            65
        case .open, .read, .linkNotRepaired: 66
        case .write: 74
        }
    }
}

/// Finds out who may read a file that this user may not read.
private enum ReadingGroup {
    /// Names the group that may read a file, or the nearest folder above it that can be seen; empty
    /// where no group may.
    static func hint(_ path: String) -> String {
        var place = path[...]
        var status = stat()
        while stat(String(place), &status) != 0 {
            guard let slash = place.lastIndex(of: "/"), slash != place.startIndex else { return "" }
            place = place[..<slash]
        }
        guard status.st_mode & S_IRGRP != 0, let entry = getgrgid(status.st_gid) else { return "" }
        let group = String(cString: entry.pointee.gr_name)
        return "; members of the group \(group) may read it: usermod -aG \(group) NAME, "
            + "then log in again"
    }
}
