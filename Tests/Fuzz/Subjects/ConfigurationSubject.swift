import Daemon
import Fleet
import LineProtocol
import OsmoProtocol

/// The configuration's reader: every text is read or refused, each fault names a line of the text,
/// and a text without faults makes a rig.
final class ConfigurationSubject: FuzzSubject {
    /// Each section by itself; the script that runs the fuzzer adds the shipped file.
    var seeds: [[UInt8]] {
        [
            "[gps]\nhost = gps.local\nport = 2947\ndevice =\n",
            "[push]\nrate = 10\nmotion = hold\ntime = utc-03:30\n",
            "[fleet]\nadmit = any\nadapters = 00:1A:7D:DA:71:13,00:1A:7D:DA:71:14\nat_exit = stop\n",
            "[track]\nrotate = 20M\nsync = 5\npushes = on\nkeep = 30 days\nmin_free = 0\n",
            "[camera front]\naddress = 60:60:1F:60:11:E7\nnumber = 7\noptional = yes\n"
                + "[camera rear]\r\naddress = 60:60:1F:60:11:E8\r\n",
        ].map { Array($0.utf8) }
    }

    func take(_ input: [UInt8]) {
        let (configuration, faults) = Configuration.read(input)
        let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
        for fault in faults {
            demand((1...lines).contains(fault.line), "line \(fault.line) of \(lines)")
            let text = fault.text(file: "/etc/geotagd.conf")
            demand(!text.contains("\n"), "a fault of two lines: \(text)")
        }
        demand(configuration.changes(to: configuration).isEmpty, "differs from itself")
        guard faults.isEmpty else { return }
        let settings = configuration.rigSettings(
            identity: ControllerIdentity(deviceID: 1, address: BluetoothAddress(value: 1)),
            roster: configuration.roster(with: []), seed: 1, buildDate: Version.date)
        let rig = Rig(settings: settings)
        let cameras = rig.status(at: .zero).cameras
        demand(cameras.map(\.name) == configuration.cameras.map(\.name), "not the roster")
        demand(Set(cameras.map(\.number)).count == cameras.count, "a number twice")
    }
}
