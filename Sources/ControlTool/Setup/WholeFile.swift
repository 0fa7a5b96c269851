import Glibc
import Reactor

/// Writes a file so that the path always has the old text or the new one, never a part.
enum WholeFile {
    /// - Throws: where the file cannot be written; the old one is unchanged then.
    static func write(_ text: String, to path: String) throws(SystemError) {
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0o644
        let new = path + ".new"
        let number = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard number >= 0 else { throw .last }
        let descriptor = Descriptor(owning: number)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let error = SystemError.last
                unlink(new)
                throw error
            }
            rest = rest.dropFirst(count)
        }
        fsync(number)
        withExtendedLifetime(descriptor) {}
        guard rename(new, path) == 0 else {
            let error = SystemError.last
            unlink(new)
            throw error
        }
    }
}
