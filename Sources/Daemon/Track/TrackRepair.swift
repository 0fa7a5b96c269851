import CLinux
import Glibc
import TrackFormat

/// Cuts what a power cut or a kill left of a last line.
enum TrackRepair {
    /// What was done to a file.
    struct Outcome: Equatable, Sendable {
        var path: String
        /// Bytes that were cut off.
        var cut: Int
        /// Nothing whole was in it.
        var removed: Bool
    }

    /// Looks at the end of one file, and cuts it where that is not a whole line.
    ///
    /// A file that somebody writes, or that does not begin with our header, is left alone.
    ///
    /// - Returns: nil where nothing had to be done or nothing could.
    static func repair(_ path: String, kind: TrackFileKind) -> Outcome? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { return nil }
        let size = Int(status.st_size)
        guard isOurs(descriptor, size: size, header: Array(kind.header.utf8)),
            let keep = wholeLines(descriptor, size: size), keep < size || size == 0
        else { return nil }
        if keep == 0 {
            guard unlink(path) == 0 else { return nil }
            return Outcome(path: path, cut: size, removed: true)
        }
        guard ftruncate(descriptor, off_t(keep)) == 0 else { return nil }
        fsync(descriptor)
        return Outcome(path: path, cut: size - keep, removed: false)
    }

    /// Begins with the header, or is a beginning of it, be it followed by zeros.
    private static func isOurs(_ descriptor: Int32, size: Int, header: [UInt8]) -> Bool {
        guard let start = read(descriptor, 0..<min(size, header.count)) else { return false }
        let text = start.prefix { $0 != 0 }
        return text.elementsEqual(header.prefix(text.count))
            && (text.count == start.count || start[text.count...].allSatisfy { $0 == 0 })
    }

    /// Bytes of whole lines, found from the end; nil where the file cannot be read.
    private static func wholeLines(_ descriptor: Int32, size: Int) -> Int? {
        var tail = TrackTail(size: size)
        var step = tail.next
        while true {
            switch step {
            case .keep(let bytes): return bytes
            case .read(let range):
                guard let bytes = read(descriptor, range) else { return nil }
                step = tail.handle(bytes)
            }
        }
    }

    private static func read(_ descriptor: Int32, _ range: Range<Int>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), range.count - filled,
                    off_t(range.lowerBound + filled))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
        }
        return bytes
    }
}
