import Clock
import Fleet
import OsmoProtocol

/// One key of a section: its name, what it takes, and where the value goes.
struct SettingKey: Sendable {
    let name: String
    /// The values that are allowed, for people.
    let allowed: String
    /// Whether a running daemon can take another value over.
    let isLive: Bool
    /// Takes the value over; false for one that is not allowed.
    let apply: @Sendable (_ value: String, _ configuration: inout Configuration) -> Bool
    /// Whether two configurations have different values.
    let differs: @Sendable (Configuration, Configuration) -> Bool
    /// Gives the second configuration the first one's value.
    let copy: @Sendable (Configuration, inout Configuration) -> Void

    /// A key whose value is read by `parse` into the place `path`.
    init<Value: Equatable & SendableMetatype>(
        _ name: String, _ allowed: String,
        _ path: any WritableKeyPath<Configuration, Value> & Sendable, live isLive: Bool = true,
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.allowed = allowed
        self.isLive = isLive
        apply = { text, configuration in
            guard let value = parse(text) else { return false }
            configuration[keyPath: path] = value
            return true
        }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }
}

/// The sections that there is one of, with their keys in the order of config/geotagd.conf.
enum SettingTable {
    static let sections: [(name: String, keys: [SettingKey])] = [
        ("gps", gps), ("push", push), ("fleet", fleet), ("control", control), ("track", track),
        ("state", state),
    ]

    static let allowedSections =
        sections.map { "[\($0.name)]" }.joined(separator: " ") + " [camera NAME]"

    private static let gps = [
        SettingKey("host", "a host name or address", \.gps.host, SettingValue.host),
        SettingKey("port", "1 to 65535", \.gps.port) { SettingValue.number($0, in: 1...65535) },
        SettingKey(
            "device", "a device as gpsd names it, or empty for any", \.gps.device,
            SettingValue.device),
    ]

    private static let push = [
        SettingKey("rate", "1 to 10", \.push.rate) {
            SettingValue.number($0, in: 1...10)
        },
        SettingKey("motion", "extrapolate, hold", \.push.motion) { .init(rawValue: $0) },
        SettingKey(
            "time", "utc, local, utc+8, utc+HH:MM or utc-HH:MM to 14:00", \.push.time,
            SettingValue.timeField),
    ]

    private static let fleet = [
        SettingKey("admit", "roster, any", \.fleet.admit) { .init(rawValue: $0) },
        SettingKey(
            "adapters", "auto, or adapter addresses with commas between them", \.fleet.adapters,
            SettingValue.adapters),
        SettingKey("watchdog", "3 to 600 (seconds)", \.fleet.watchdog) {
            SettingValue.number($0, in: 3...600)
        },
        SettingKey("retries", "0 (for ever) to 1000", \.fleet.retries) {
            SettingValue.number($0, in: 0...1000)
        },
        SettingKey("at_exit", "leave, stop, sleep", \.fleet.atExit) { .init(rawValue: $0) },
    ]

    private static let control = [
        SettingKey("fifo", "an absolute path, none", \.control.fifo, SettingValue.path),
        SettingKey(
            "socket", "an absolute path of at most \(SettingValue.maxSocketPathLength) bytes, none",
            \.control.socket, SettingValue.socketPath),
        SettingKey("group", "a group's name, or empty for the daemon's own", \.control.group) {
            SettingValue.group($0)
        },
    ]

    private static let track = [
        SettingKey("directory", "an absolute path, none", \.track.directory, SettingValue.path),
        SettingKey("rotate", "day, or a size: N, NK, NM, NG", \.track.rotation) {
            SettingValue.rotation($0)
        },
        SettingKey("sync", "1 to 300 (seconds)", \.track.sync) {
            SettingValue.number($0, in: 1...300).map { .seconds($0) }
        },
        SettingKey("pushes", "auto, on, off", \.track.pushes) { .init(rawValue: $0) },
        SettingKey("keep", "all, \"N days\", or a size from 1M: NM, NG", \.track.keep) {
            SettingValue.keep($0)
        },
        SettingKey("min_free", "0, or a size: N, NK, NM, NG", \.track.minimumFree) {
            $0 == "0" ? 0 : SettingValue.size($0)
        },
    ]

    private static let state = [
        SettingKey("directory", "an absolute path", \.state.directory, live: false) { text in
            guard let path = SettingValue.path(text), path != nil else { return nil }
            return path
        },
        SettingKey(
            "capture", "an absolute path, none", \.state.capture, live: false, SettingValue.path),
    ]
}

#if compiler(<6.2)
    /// Before Swift 6.2 each type may be told to another thread.
    typealias SendableMetatype = Any
#endif
