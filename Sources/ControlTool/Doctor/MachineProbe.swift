import Glibc

/// Reads what files of this machine show: /sys, /proc, /etc, and the folders of the daemon.
struct MachineProbe {
    /// In front of every path: empty, or a folder that stands for the root in tests.
    var root = ""

    /// A whole file as text, of at most 1 MiB; nil where it cannot be read.
    func text(_ path: String) -> String? {
        bytes(path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What a folder holds; empty where it cannot be read.
    func names(in path: String) -> [String] {
        guard let folder = opendir(root + path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    // MARK: Bluetooth

    /// The switches of /sys/class/rfkill that are for Bluetooth.
    var switches: [DoctorFacts.RadioSwitch] {
        let base = "/sys/class/rfkill"
        return names(in: base).compactMap { entry in
            func word(_ file: String) -> String {
                (text("\(base)/\(entry)/\(file)") ?? "").filter { !$0.isWhitespace }
            }
            guard word("type") == "bluetooth" else { return nil }
            return DoctorFacts.RadioSwitch(
                name: word("name"), isSoftBlocked: word("soft") == "1",
                isHardBlocked: word("hard") == "1")
        }
    }

    /// `LEAutoSecurity` of input.conf; nil where it is not set, which is true for BlueZ of 5.56 on
    /// only where the file says so.
    var autoSecurity: Bool? {
        SettingText(text("/etc/bluetooth/input.conf") ?? "").value("General", "LEAutoSecurity")
            .map { $0 == "true" }
    }

    /// Files in bluetoothd's caches; nil where they may not be seen.
    var cacheFiles: Int? {
        let base = "/var/lib/bluetooth"
        guard access(root + base, R_OK | X_OK) == 0 else { return nil }
        return names(in: base).reduce(0) { $0 + names(in: "\(base)/\($1)/cache").count }
    }

    /// The kernel's release, then its version, in which Debian names the upstream one.
    var kernel: String {
        func line(_ name: String) -> String {
            (text("/proc/sys/kernel/" + name) ?? "").split(separator: "\n").first.map(String.init)
                ?? ""
        }
        return line("osrelease") + " " + line("version")
    }

    // MARK: The daemon

    /// The folder of the program that runs; nil where /proc does not tell.
    static var ownFolder: String? {
        var path = [UInt8](repeating: 0, count: 4096)
        let length = path.withUnsafeMutableBytes {
            readlink("/proc/self/exe", $0.baseAddress!, $0.count)
        }
        guard length > 0, let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        return String(decoding: path[..<slash], as: UTF8.self)
    }

    /// The `libgps.so.N` that the daemon is linked with: the one beside this program, or the
    /// installed one.
    func neededLibrary(beside ownFolder: String?) -> String? {
        let folders = [ownFolder, "/usr/bin", "/usr/local/bin"].compactMap { $0 }
        for path in folders.map({ $0 + "/geotagd" }) {
            guard let bytes = bytes(path, limit: 256 << 20) else { continue }
            let name = Array("libgps.so.".utf8)
            var index = bytes.startIndex
            while let found = bytes[index...].firstIndex(of: name[0]) {
                if bytes[found...].starts(with: name) {
                    let digits = bytes[(found + name.count)...].prefix {
                        (0x30...0x39).contains($0)
                    }
                    if !digits.isEmpty {
                        return String(decoding: name + digits, as: UTF8.self)
                    }
                }
                index = found + 1
            }
        }
        return nil
    }

    /// The `libgps.so.N` that are installed.
    var installedLibraries: [String] {
        names(in: "/usr/lib").flatMap { folder in
            names(in: "/usr/lib/" + folder).filter { name in
                name.hasPrefix("libgps.so.")
                    && name.dropFirst("libgps.so.".count).allSatisfy(\.isNumber)
            }
        }
    }

    /// Processes called geotagd, simulations left out.
    var daemons: Int {
        names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }.filter { process in
            guard text("/proc/\(process)/comm") == "geotagd\n" else { return false }
            let words = (text("/proc/\(process)/cmdline") ?? "").split(separator: "\0")
            return !words.contains { $0.hasPrefix("--simulate") }
        }.count
    }

    var unit: DoctorFacts.Unit {
        let folders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
        if exists("/etc/systemd/system/multi-user.target.wants/geotagd.service") { return .enabled }
        return folders.contains { exists($0 + "/geotagd.service") } ? .disabled : .missing
    }

    /// Whether systemd-timesyncd or chrony has set the clock; nil where neither says so.
    var isClockSynchronised: Bool? {
        exists("/run/systemd/timesync/synchronized") ? true : nil
    }

    /// What a folder of the daemon's allows, by its owner and mode, since `doctor` runs as another
    /// user.
    func folder(_ path: String, for use: String) -> DoctorFacts.Folder {
        var facts = DoctorFacts.Folder(path: path, use: use)
        var status = stat()
        guard stat(root + path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            facts.exists = false
            return facts
        }
        let isOthers = status.st_mode & S_IWOTH != 0
        if let user = getpwnam("geotagd")?.pointee {
            let isOwn = status.st_uid == user.pw_uid && status.st_mode & S_IWUSR != 0
            let isGroups = status.st_gid == user.pw_gid && status.st_mode & S_IWGRP != 0
            facts.isWritable = isOwn || isGroups || isOthers
        } else {
            facts.isWritable = access(root + path, W_OK) == 0
        }
        var disk = statvfs()
        if statvfs(root + path, &disk) == 0 {
            facts.freeMegabytes = Int(UInt64(disk.f_bavail) * UInt64(disk.f_frsize) >> 20)
        }
        return facts
    }

    /// Whether the control socket can be used, and whose group it is.
    func socket(_ path: String) -> DoctorFacts.SocketAccess {
        if access(path, W_OK) == 0 { return .open }
        guard errno == EACCES else { return .missing }
        var status = stat()
        guard stat(path, &status) == 0, let group = getgrgid(status.st_gid)?.pointee.gr_name else {
            return .forbidden(group: "geotagd")
        }
        return .forbidden(group: String(cString: group))
    }

    private func bytes(_ path: String, limit: Int) -> [UInt8]? {
        guard let file = fopen(root + path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count < limit {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
