import CLinux
import Clock
import Fleet
import Glibc
import TrackFormat

/// Deletes the oldest files as `keep` says.
enum TrackPruning {
    private static let secondsPerDay: Int64 = 86_400

    /// A file and how many bytes it has.
    struct Candidate: Equatable {
        var name: TrackFileName
        var bytes: Int64
    }

    /// The files to delete, whole sets of them, oldest first.
    ///
    /// - Parameters:
    ///   - files: oldest first.
    ///   - current: the set that is being written: it stays.
    ///   - now: that `days` count back from; nil where no date has any support.
    static func victims(
        _ files: [Candidate], keep: TrackSettings.Keep, current: TrackFileName?, now: UnixTime?
    ) -> [Candidate] {
        let old = files.filter { file in
            guard let current else { return true }
            return file.name.sibling(.track) != current.sibling(.track)
        }
        switch keep {
        case .all: return []
        case .days(let days):
            guard let now else { return [] }
            let oldest = now.wholeSeconds - Int64(days) * secondsPerDay
            return old.filter { $0.name.second < oldest }
        case .size(let limit):
            var total = files.reduce(Int64(0)) { $0 + $1.bytes }
            var victims: [Candidate] = []
            var last: TrackFileName?
            for file in old {
                // What belongs together goes together.
                if total <= limit && file.name.sibling(.track) != last { break }
                total -= file.bytes
                last = file.name.sibling(.track)
                victims.append(file)
            }
            return victims
        }
    }

    /// Deletes them.
    ///
    /// - Returns: how many are gone.
    static func prune(
        _ directory: TrackDirectory, keep: TrackSettings.Keep, current: TrackFileName?,
        now: UnixTime?
    ) -> Int {
        guard keep != .all, let names = try? directory.files() else { return 0 }
        let files = names.map { name in
            var status = stat()
            let known = lstat(directory.path(of: name), &status) == 0
            return Candidate(name: name, bytes: known ? Int64(status.st_size) : 0)
        }
        return victims(files, keep: keep, current: current, now: now)
            .count { unlink(directory.path(of: $0.name)) == 0 }
    }
}
