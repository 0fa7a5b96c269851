import Glibc
import Reactor
import TrackFormat

/// Writes a result to standard output, a pipe or a file, in large pieces.
///
/// A file is written as a draft, and `finish` moves it to its path. It replaces the file there, and
/// follows no symbolic link.
final class TextOutput {
    /// Bytes that are gathered where nothing else is said.
    private static let standardBlock = 1 << 18

    private let block: Int
    private let path: String
    /// nil where the result is no file.
    private let draft: FileDraft?
    /// The descriptor to write to where there is no draft.
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - path: nil and `-` for standard output.
    ///   - block: bytes that are gathered.
    init(_ path: String?, block: Int = standardBlock) throws(TrackToolFault) {
        self.block = block
        self.path = path ?? "standard output"
        guard let path, path != "-" else {
            draft = nil
            descriptor = dup(1)
            guard descriptor >= 0 else { throw .write(self.path, errno) }
            return
        }
        if Self.isStream(path) {
            draft = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw .write(path, errno) }
            return
        }
        descriptor = -1
        do throws(SystemError) {
            draft = try FileDraft(replacing: path, suffix: ".geotagctl-new", mode: 0o644)
        } catch { throw .write(path, error.code) }
    }

    /// - Parameter draft: the draft of the file.
    init(_ draft: FileDraft) {
        path = draft.path
        block = Self.standardBlock
        self.draft = draft
        descriptor = -1
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the path is a FIFO, a terminal or a descriptor of this process, which is written to
    /// and never replaced.
    private static func isStream(_ path: String) -> Bool {
        if ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/")
            || path.hasPrefix("/proc/self/fd/")
        {
            return true
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
    }

    func write(_ text: String) throws(TrackToolFault) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= block { try flush() }
    }

    func write(_ row: RowText) throws(TrackToolFault) {
        bytes.append(contentsOf: row.bytes)
        if bytes.count >= block { try flush() }
    }

    /// Writes a line, given without its LF, and an LF.
    func write(line: some Sequence<UInt8>) throws(TrackToolFault) {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= block { try flush() }
    }

    /// To be called at the end: only then everything is written, and a file is at its path.
    ///
    /// - Parameter isSynced: whether a file has to last through a power cut from here on.
    func finish(isSynced: Bool = false) throws(TrackToolFault) {
        try flush()
        do throws(SystemError) { try draft?.commit(isSynced: isSynced) } catch {
            throw .write(path, error.code)
        }
    }

    private func flush() throws(TrackToolFault) {
        if let draft {
            do throws(SystemError) { try draft.write(bytes) } catch {
                throw .write(path, error.code)
            }
            bytes.removeAll(keepingCapacity: true)
            return
        }
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
