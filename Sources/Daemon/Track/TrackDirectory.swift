import CLinux
import Glibc
import Reactor
import Service
import TrackFormat

/// The folder of tracks: made, looked through, put in order.
struct TrackDirectory: Sendable {
    /// Absolute.
    let path: String

    /// Names that are looked at; a folder with more is not cleaned up as a whole.
    static let maxEntries = 20_000

    init(_ path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if path.hasPrefix("/") {
            self.path = path
        } else {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let here = getcwd(&buffer, buffer.count) == nil ? "/" : string(of: buffer)
            self.path = here + "/" + path
        }
    }

    /// Makes it, and the folders above it.
    func make() throws(TrackFault) {
        var isFolder = stat()
        if stat(path, &isFolder) == 0, isFolder.st_mode & S_IFMT == S_IFDIR { return }
        do throws(SystemError) { try StateFile.makeFolder(path) } catch { throw .directory(error) }
        guard stat(path, &isFolder) == 0 else { throw .directory(.last) }
        guard isFolder.st_mode & S_IFMT == S_IFDIR else {
            throw .directory(SystemError(code: ENOTDIR))
        }
    }

    /// Our files in it, oldest first.
    func files() throws(TrackFault) -> [TrackFileName] {
        guard let folder = opendir(path) else { throw .directory(.last) }
        defer { closedir(folder) }
        var names: [TrackFileName] = []
        while names.count < Self.maxEntries, let entry = readdir(folder) {
            let text = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name = TrackFileName(text) { names.append(name) }
        }
        return names.sorted { $0.isOlder(than: $1) }
    }

    func path(of name: TrackFileName) -> String { path + "/" + name.text }

    /// Bytes that are free for us.
    func free() throws(TrackFault) -> Int64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .directory(.last) }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// A new name lasts only once its folder is on the disk.
    func sync() -> SystemError? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // One that was taken away is noticed with the next row.
        guard descriptor >= 0 else { return errno == ENOENT ? nil : .last }
        defer { close(descriptor) }
        // Not every file system can do this, and then there is nothing to be done.
        return fsync(descriptor) == 0 || errno == EINVAL ? nil : .last
    }
}

/// A C string in an array.
private func string(of buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
