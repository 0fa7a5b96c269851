import Glibc

/// Copies what can be read only once (standard input, a FIFO, a process substitution) to a file,
/// since the tools read files more than once.
enum PipeCopy {
    /// Bytes read at a time.
    private static let block = 1 << 20

    /// Copies what comes through a pipe until its end.
    ///
    /// - Returns: a path of the copy, which has no name of its own and is gone with this process;
    ///   nil where the path leads to a file or folder, or nowhere.
    static func make(_ path: String) throws(TrackToolFault) -> String? {
        var status = stat()
        if path != "-" {
            guard stat(path, &status) == 0 else { return nil }
            guard [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT) else {
                return nil
            }
        }
        let source = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard source >= 0 else { throw .open(path, errno) }
        defer { close(source) }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/geotagctl-XXXXXX").utf8CString)
        // The file stays open as long as the process lives, because the path leads through its
        // descriptor.
        let copy = mkstemp(&template)
        guard copy >= 0 else { throw .write(folder, errno) }
        unlink(&template)
        _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
        var buffer = [UInt8](repeating: 0, count: block)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .read(path, errno) }
            if count == 0 { return "/proc/self/fd/\(copy)" }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes {
                    write(copy, $0.baseAddress.map { $0 + done }, count - done)
                }
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { throw .write(folder, errno) }
                done += written
            }
        }
    }
}
