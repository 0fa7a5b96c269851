import Foundation
import Testing

@testable import ControlTool

/// What files of a machine show, read from a folder that stands for its root.
@Suite final class MachineProbeTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/geotagd-" + UUID().uuidString
    private var machine: MachineProbe { MachineProbe(root: folder) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func put(_ path: String, _ text: String) throws {
        let whole = folder + path
        try FileManager.default.createDirectory(
            atPath: (whole as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try text.write(toFile: whole, atomically: false, encoding: .utf8)
    }

    @Test("rfkill's switches for Bluetooth are read, those for Wi-Fi are not") func switches()
        throws
    {
        #expect(machine.switches.isEmpty)
        for (name, type, soft, hard) in [
            ("rfkill0", "wlan", "1", "1"), ("rfkill1", "bluetooth", "1", "0"),
            ("rfkill2", "bluetooth", "0", "1"),
        ] {
            let base = "/sys/class/rfkill/" + name
            try put(base + "/type", type + "\n")
            try put(base + "/name", "hci\(name.last ?? "?")\n")
            try put(base + "/soft", soft + "\n")
            try put(base + "/hard", hard + "\n")
        }
        #expect(
            machine.switches == [
                .init(name: "hci1", isSoftBlocked: true),
                .init(name: "hci2", isHardBlocked: true),
            ])
    }

    @Test("The kernel, bluetoothd's settings and its cache are read") func kernelAndBluetoothd()
        throws
    {
        #expect(machine.autoSecurity == nil)
        #expect(machine.cacheFiles == nil)
        try put("/proc/sys/kernel/osrelease", "6.1.0-50-amd64\n")
        try put("/proc/sys/kernel/version", "#1 SMP Debian 6.1.192-1\n")
        #expect(machine.kernel == "6.1.0-50-amd64 #1 SMP Debian 6.1.192-1")
        try put("/etc/bluetooth/input.conf", "[General]\n#LEAutoSecurity=true\n")
        #expect(machine.autoSecurity == nil)
        try put("/etc/bluetooth/input.conf", "[General]\nLEAutoSecurity=true\n")
        #expect(machine.autoSecurity == true)
        try put("/var/lib/bluetooth/00:11/cache/a", "")
        try put("/var/lib/bluetooth/00:11/cache/b", "")
        try put("/var/lib/bluetooth/00:22/cache/c", "")
        #expect(machine.cacheFiles == 3)
    }

    @Test("The library that the daemon needs stands in the program") func library() throws {
        #expect(machine.neededLibrary(beside: "/built") == nil)
        try put("/built/geotagd", "ELF\0libgps.so.28\0")
        #expect(machine.neededLibrary(beside: "/built") == "libgps.so.28")
        try put("/usr/bin/geotagd", "ELF\0libc.so.6\0libgps.so.30\0libdbus-1.so.3\0")
        try put("/usr/lib/x86_64-linux-gnu/libgps.so.28", "")
        try put("/usr/lib/x86_64-linux-gnu/libgps.so.28.0.0", "")
        #expect(machine.neededLibrary(beside: nil) == "libgps.so.30")
        #expect(machine.installedLibraries == ["libgps.so.28"])
    }

    @Test("Other daemons are counted, simulations are not") func daemons() throws {
        #expect(machine.daemons == 0)
        try put("/proc/12/comm", "geotagd\n")
        try put("/proc/12/cmdline", "/usr/bin/geotagd\0")
        try put("/proc/13/comm", "geotagd\n")
        try put("/proc/13/cmdline", "geotagd\0--simulate\u{0}4\0")
        try put("/proc/14/comm", "bash\n")
        #expect(machine.daemons == 1)
    }

    @Test("The unit is missing, there, or enabled") func unit() throws {
        #expect(machine.unit == .missing)
        try put("/lib/systemd/system/geotagd.service", "")
        #expect(machine.unit == .disabled)
        try put("/etc/systemd/system/multi-user.target.wants/geotagd.service", "")
        #expect(machine.unit == .enabled)
        #expect(machine.isClockSynchronised == nil)
        try put("/run/systemd/timesync/synchronized", "")
        #expect(machine.isClockSynchronised == true)
    }

    @Test("A folder is missing, or there with its free space") func folders() throws {
        #expect(!machine.folder("/tracks", for: "the track").exists)
        try put("/tracks/a.csv", "")
        let found = machine.folder("/tracks", for: "the track")
        #expect(found.exists)
        #expect(found.freeMegabytes ?? -1 >= 0)
        #expect(machine.socket("/nowhere/at/all") == .missing)
    }

    @Test("A program's output and exit status are read") func programOutput() {
        let result = ProgramOutput.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
        #expect(result?.text == "out\nerr\n")
        #expect(result?.status == 3)
        #expect(ProgramOutput.run(["/nowhere/at/all"]) == nil)
    }

    @Test("A file is written whole, and keeps its mode") func wholeFile() throws {
        try put("/etc/geotagd.conf", "old\n")
        let path = folder + "/etc/geotagd.conf"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try WholeFile.write("new\n", to: path)
        #expect(machine.text("/etc/geotagd.conf") == "new\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(machine.names(in: "/etc") == ["geotagd.conf"])
    }
}
