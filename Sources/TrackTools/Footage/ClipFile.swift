import Footage
import Glibc

/// A clip on a disk. It is read piece by piece, never mapped and never read whole.
final class ClipFile: ByteSource {
    let size: UInt64
    private let descriptor: Int32

    init(_ path: String) throws(ClipFault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            let code = errno
            close(descriptor)
            throw status.st_mode & S_IFMT == 0 ? .unreadable(code) : .notClip
        }
        size = UInt64(max(0, status.st_size))
        // Telemetry lies apart between pictures, so that reading ahead would only read pictures.
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
    }

    deinit { close(descriptor) }

    func read(_ count: Int, at offset: UInt64, into buffer: inout [UInt8]) throws(ClipFault) {
        guard offset <= size, UInt64(count) <= size - offset else { throw .cut }
        if buffer.count > count { buffer.removeLast(buffer.count - count) }
        while buffer.count < count { buffer.append(0) }
        var filled = 0
        while filled < count {
            let (descriptor, place) = (descriptor, off_t(offset) + off_t(filled))
            let got = buffer.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress.map { $0 + filled }, count - filled, place)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .unreadable(errno) }
            guard got > 0 else { throw .cut }
            filled += got
        }
    }
}
