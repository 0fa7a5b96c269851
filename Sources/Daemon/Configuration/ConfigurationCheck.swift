import Fleet
import Glibc
import Service

/// What `--check-config` finds beyond the words of a file: whether the machine has what they name.
///
/// Only keys that the file gives are looked at, since what the defaults name is made by the service
/// manager. Whether a folder can be written to is asked for the user who asks, and not where that is
/// another one than the service's.
enum ConfigurationCheck {
    /// The user of the shipped unit.
    private static let serviceUser = "geotagd"
    /// The folder that the unit makes at each start.
    private static let runtimeFolder = "/run/geotagd"

    /// - Parameters:
    ///   - bytes: the file as it is, without faults of its own.
    ///   - configuration: what it says.
    static func faults(_ bytes: [UInt8], _ configuration: Configuration) -> [ConfigurationFault] {
        let text = INIText(bytes)
        var faults: [ConfigurationFault] = []
        func check(_ section: String, _ key: String, _ trouble: String?) {
            guard let trouble else { return }
            for part in text.sections where part.name == section {
                guard let entry = part.entries.first(where: { $0.key == key }) else { continue }
                faults.append(part.fault(entry, .surroundings(trouble)))
            }
        }
        let control = configuration.control
        if let group = control.group, (try? ControlGroup.number(group)) == nil {
            check("control", "group", "there is no group \(group): groupadd \(group)")
        }
        check("control", "fifo", control.fifo.flatMap { transport($0, kind: S_IFIFO) })
        check("control", "socket", control.socket.flatMap { transport($0, kind: S_IFSOCK) })
        check("track", "directory", configuration.track.directory.flatMap(folder))
        check("state", "directory", configuration.state.directory.flatMap(folder))
        check("state", "capture", configuration.state.capture.flatMap(capture))
        return faults.sorted { $0.line < $1.line }
    }

    /// What is wrong with the place of FIFO or socket, whose folders are not made.
    private static func transport(_ path: String, kind: mode_t) -> String? {
        if let found = FileIdentity.at(path), found.status.st_mode & S_IFMT != kind {
            return "something that geotagd did not make stands there: rm \(path)"
        }
        return parent(of: path)
    }

    private static func capture(_ path: String) -> String? {
        guard FileIdentity.at(path) == nil else {
            return "there is such a file, and it is never written over: name another"
        }
        return parent(of: path)
    }

    private static func parent(of path: String) -> String? {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        guard folder != runtimeFolder, !folder.isEmpty else { return nil }
        guard access(folder, F_OK) == 0 else {
            return "the folder \(folder) is missing, and it is not made: install -d -o "
                + "\(owner) \(folder)"
        }
        return self.folder(folder)
    }

    /// What is wrong with a folder that is made where it is missing.
    private static func folder(_ path: String) -> String? {
        var place = path
        while access(place, F_OK) != 0, errno == ENOENT, place.count > 1 {
            let above = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
            place = above.isEmpty ? "/" : above
        }
        var status = stat()
        guard stat(place, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            return "\(place) cannot be reached (\(reason)): name a folder that \(owner) can enter"
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "\(place) is no folder" }
        if let user = getpwnam(serviceUser), user.pointee.pw_uid != geteuid() { return nil }
        guard faccessat(AT_FDCWD, place, W_OK | X_OK, AT_EACCESS) != 0 else { return nil }
        let user = UserName.current
        return "\(user) cannot write to \(place): install -d -o \(user) \(path)"
    }

    private static var owner: String {
        getpwnam(serviceUser) == nil ? UserName.current : serviceUser
    }
}
