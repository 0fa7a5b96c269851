import CLinux
import Glibc
import Reactor
import TrackFormat

/// One file that is being written, whole lines only.
struct TrackFile: Sendable {
    let name: TrackFileName
    let path: String
    /// Owned; closed by `close`, or by whoever takes it from here to sync it.
    let descriptor: Int32
    /// Bytes of whole lines.
    private(set) var size = 0
    /// Lines behind the header.
    private(set) var rows = 0
    /// Something was written since the last sync.
    var isDirty = false
    private let inode: ino_t

    /// Creates the file, empty and locked, so that nobody else repairs it.
    ///
    /// - Throws: `EEXIST` where the name is taken.
    init(creating name: TrackFileName, in directory: String) throws(SystemError) {
        let path = directory + "/" + name.text
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path, flags, 0o640)
        guard descriptor >= 0 else { throw .last }
        // Advisory and best effort: not every file system knows it.
        flock(descriptor, LOCK_EX | LOCK_NB)
        var status = stat()
        fstat(descriptor, &status)
        inode = status.st_ino
        self.name = name
        self.path = path
        self.descriptor = descriptor
    }

    /// Appends lines by one write; the first one takes the header along.
    ///
    /// After an error the file ends as it did before, or `isWhole` is false.
    mutating func append(_ line: [UInt8]) throws(SystemError) {
        let bytes = size == 0 ? Array(name.kind.header.utf8) + line : line
        var count = -1
        repeat {
            count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count == bytes.count else {
            // A disk that fills up writes only a part of the row: that part is cut off again.
            let error = count < 0 ? SystemError.last : SystemError(code: ENOSPC)
            if count > 0 { isWhole = ftruncate(descriptor, off_t(size)) == 0 }
            throw error
        }
        size += bytes.count
        rows += 1
        isDirty = true
    }

    /// False once half a line stands at its end that could not be cut: never append to it again.
    private(set) var isWhole = true

    /// Whether it still has a name: a removed file takes rows as if nothing were wrong.
    var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Whether its path still leads to it: the folder may have been moved, or mounted over.
    var isInPlace: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_ino == inode
    }

    /// Closes it; removes it if it never got a whole line.
    func close() {
        if size == 0 { unlink(path) }
        Glibc.close(descriptor)
    }
}

extension SystemError {
    /// The disk, or the user's share of it, is full.
    var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
}
