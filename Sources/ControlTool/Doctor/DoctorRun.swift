import BlueZ
import Clock
import Glibc
import LineProtocol
import Reactor

/// `geotagctl doctor`: finds out facts, judges them, and prints the checks.
struct DoctorRun {
    private let options: ControlOptions

    init(_ options: ControlOptions) { self.options = options }

    /// - Returns: 0 all is well, 1 there are warnings, 2 something failed.
    func run() -> Int32 {
        let checks = Self.facts(options).checks
        let terminal = Terminal()
        for check in checks {
            let text =
                options.json
                ? check.json.line : check.line.rendered(colours: terminal.hasColours)
            ControlCommand.say(text + "\n")
        }
        return checks.exitStatus
    }

    /// Finds out everything that `doctor` judges.
    static func facts(_ options: ControlOptions) -> DoctorFacts {
        let machine = MachineProbe()
        let path = options.configuration ?? ControlOptions.standardConfiguration
        let settings = SettingText(machine.text(path) ?? "")
        var facts = DoctorFacts()
        facts.gpsd = GPSDProbe.run(
            host: settings.value("gps", "host") ?? "127.0.0.1",
            port: settings.value("gps", "port") ?? "2947")
        facts.neededLibrary = machine.neededLibrary(beside: MachineProbe.ownFolder)
        facts.installedLibraries = machine.installedLibraries
        facts.kernel = machine.kernel
        facts.switches = machine.switches
        facts.autoSecurity = machine.autoSecurity
        facts.cacheFiles = machine.cacheFiles
        facts.daemons = machine.daemons
        facts.unit = machine.unit
        facts.isClockSynchronised = machine.isClockSynchronised
        facts.socket = machine.socket(options.socket)
        facts.status = StatusQuestion.status(options.socket)
        facts.folders = folders(settings, machine)
        facts.configurationFault = fault(of: path, machine)
        askBluetooth(&facts)
        return facts
    }

    private static func folders(
        _ settings: SettingText, _ machine: MachineProbe
    ) -> [DoctorFacts.Folder] {
        let state = settings.value("state", "directory") ?? "/var/lib/geotagd"
        let track = settings.value("track", "directory") ?? state + "/tracks"
        var folders = [machine.folder(state, for: "the roster")]
        if track != "none" { folders.append(machine.folder(track, for: "the track")) }
        return folders
    }

    /// The configuration's fault, by `geotagd --check-config`; nil where it has none or cannot be
    /// checked.
    private static func fault(of path: String, _ machine: MachineProbe) -> String? {
        guard machine.exists(path),
            let (text, status) = ProgramOutput.run(["geotagd", "--check-config", path]),
            status != 0, status != 127
        else { return nil }
        let line = text.split(separator: "\n").first.map(String.init) ?? "is wrong"
        return line.hasPrefix("geotagd: ") ? String(line.dropFirst("geotagd: ".count)) : line
    }

    private static func askBluetooth(_ facts: inout DoctorFacts) {
        let variable = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
        do throws(SystemError) {
            let probe = try BluetoothProbe(Bus.systemAddress(environment: variable))
            probe.run()
            facts.hasBus = probe.hasBus
            facts.hasBluetoothd = probe.hasBluetoothd
            facts.adapters = probe.adapters
        } catch { facts.hasBus = false }
        guard facts.hasBluetoothd,
            let version = ProgramOutput.run(["bluetoothctl", "--version"]), version.status == 0
        else { return }
        facts.bluezVersion = version.text.split { $0 == " " || $0 == "\n" }.last.map(String.init)
    }
}
