import Glibc
import TrackFormat

/// Where a result is written: standard output or a file, in large pieces.
final class TextOutput {
    /// Bytes that are gathered.
    private static let block = 1 << 18

    private let path: String
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    /// - Parameter path: nil for standard output; what stands there already is replaced.
    init(_ path: String?) throws(TrackToolFault) {
        self.path = path ?? "standard output"
        descriptor =
            path.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) } ?? dup(1)
        guard descriptor >= 0 else { throw .write(self.path, errno) }
        bytes.reserveCapacity(Self.block + 4096)
    }

    deinit { close(descriptor) }

    func write(_ text: String) throws(TrackToolFault) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.block { try flush() }
    }

    func write(_ row: RowText) throws(TrackToolFault) {
        bytes.append(contentsOf: row.bytes)
        if bytes.count >= Self.block { try flush() }
    }

    /// A line as it was read, and its LF.
    func write(line: UnsafeRawBufferPointer) throws(TrackToolFault) {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.block { try flush() }
    }

    /// The end of a file that has to last.
    func finish() throws(TrackToolFault) {
        try flush()
        guard fsync(descriptor) == 0 else { throw .write(path, errno) }
    }

    /// To be called at the end: only then is everything written.
    func flush() throws(TrackToolFault) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .write(path, errno) }
            offset += count
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
