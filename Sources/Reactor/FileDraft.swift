package import Glibc

/// A file that is written under another name and then takes its place at once: whoever opens the
/// path finds the old content or the new one, never a part.
///
/// Nothing that stands at either name is ever written through: a symbolic link there is replaced
/// and its target stays as it was. Mode, owner and group of a plain file are taken over.
/// Unless `commit` was called, the draft is gone with its owner.
package final class FileDraft {
    /// The path that it replaces.
    package let path: String
    /// Where it is written until then.
    private let draft: String
    private let file: Descriptor
    private var isCommitted = false

    /// - Parameters:
    ///   - path: need not exist.
    ///   - suffix: makes the draft's name of the path; whatever has that name is removed.
    ///   - mode: of a file that is new, less the umask.
    /// - Throws: where the draft cannot be made.
    package init(
        replacing path: String, suffix: String = ".new", mode: mode_t
    ) throws(SystemError) {
        self.path = path
        draft = path + suffix
        // An earlier run that was killed may have left one.
        if unlink(draft) != 0 && errno != ENOENT { throw .last }
        let number = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard number >= 0 else { throw .last }
        file = Descriptor(owning: number)
        guard let old = Self.plainFile(at: path) else { return }
        // Not ours to give away unless this is root; the mode is given last, since a change of
        // the owner may take bits of it away.
        _ = fchown(number, old.st_uid, old.st_gid)
        _ = fchmod(number, old.st_mode & 0o777)
    }

    deinit {
        if !isCommitted { unlink(draft) }
    }

    /// Appends all of these bytes.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try file.write(Array(rest)))
        }
    }

    /// Puts it in place; nothing is written afterwards.
    ///
    /// - Parameter isSynced: whether the content has to last through a power cut from here on.
    package func commit(isSynced: Bool) throws(SystemError) {
        if isSynced {
            // Not every file system can do this, and then there is nothing to be done.
            guard fsync(file.number) == 0 || errno == EINVAL else { throw .last }
        }
        guard rename(draft, path) == 0 else { throw .last }
        isCommitted = true
        if isSynced { try Self.syncFolder(of: path) }
    }

    /// Makes a new or changed name in a folder last through a power cut.
    package static func syncFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last }
        let directory = Descriptor(owning: number)
        guard fsync(directory.number) == 0 || errno == EINVAL else { throw .last }
    }

    /// The plain file whose mode and owner go on; nil where there is none to trust: a file of
    /// another user in a folder for all (`/tmp`) may have been planted there.
    private static func plainFile(at path: String) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        if status.st_uid == geteuid() { return status }
        var folder = stat()
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard stat(parent, &folder) == 0 else { return nil }
        return folder.st_mode & S_IWOTH == 0 ? status : nil
    }
}
