import Glibc

/// Reads a file line by line, in a buffer that never grows.
///
/// A day at 10 Hz has 165 MB. So it reads blocks, and hands out each line where it stands in the
/// block.
final class LineReader {
    /// One line.
    struct Line {
        /// Without its LF; valid until the next one is asked for.
        let bytes: UnsafeRawBufferPointer
        /// Offset of its first byte in the file.
        let offset: Int
        /// False for a last line without LF: it was cut, and is not to be believed.
        let isWhole: Bool
        /// False where the line was longer than `maxLineLength`: these are its first bytes.
        let fits: Bool
    }

    /// Bytes read at a time.
    static let block = 1 << 20
    /// Bytes of a line that are kept.
    static let maxLineLength = 65_536

    let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var position = 0
    /// Offset of the buffer's first byte in the file.
    private var base = 0
    private var isAtEnd = false
    /// The rest of a line that did not fit is still to come.
    private var isInLongLine = false

    /// - Throws: where the file cannot be opened.
    convenience init(_ path: String) throws(TrackToolFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .open(path, errno) }
        self.init(owning: descriptor, path: path)
    }

    /// - Parameters:
    ///   - descriptor: the file; the reader closes it.
    ///   - path: the name of the file in faults.
    init(owning descriptor: Int32, path: String) {
        self.path = path
        self.descriptor = descriptor
        buffer = .allocate(byteCount: Self.block + Self.maxLineLength, alignment: 16)
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// nil at the end.
    func next() throws(TrackToolFault) -> Line? {
        while isInLongLine { try skip() }
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[position..<filled])
            let offset = base + position
            if let length = Self.length(rest) {
                position += length + 1
                return Line(
                    bytes: UnsafeRawBufferPointer(rebasing: rest[..<length]), offset: offset,
                    isWhole: true, fits: length <= Self.maxLineLength)
            }
            if isAtEnd || rest.count > Self.maxLineLength {
                position = filled
                isInLongLine = !isAtEnd
                if rest.isEmpty { return nil }
                return Line(
                    bytes: rest, offset: offset, isWhole: !isAtEnd,
                    fits: rest.count <= Self.maxLineLength)
            }
            try fill()
        }
    }

    /// The length up to the first LF; nil where there is none.
    private static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let feed = memchr(start, 0x0A, bytes.count) else {
            return nil
        }
        return UnsafeRawPointer(feed) - start
    }

    /// Skips bytes up to the end of a line that did not fit.
    private func skip() throws(TrackToolFault) {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[position..<filled])
        if let length = Self.length(rest) {
            position += length + 1
            isInLongLine = false
        } else {
            position = filled
            if isAtEnd { isInLongLine = false } else { try fill() }
        }
    }

    /// Moves the rest to the front of the buffer and reads behind it.
    private func fill() throws(TrackToolFault) {
        let left = filled - position
        if let start = buffer.baseAddress, left > 0, position > 0 {
            memmove(start, start + position, left)
        }
        base += position
        position = 0
        filled = left
        var count = -1
        repeat {
            count = read(descriptor, buffer.baseAddress.map { $0 + filled }, Self.block)
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .read(path, errno) }
        isAtEnd = count == 0
        filled += count
    }
}
