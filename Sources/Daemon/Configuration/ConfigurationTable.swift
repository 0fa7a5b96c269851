import Clock
import Fleet
import OsmoProtocol
import Service

/// The sections that there is one of, with their keys in the order of config/geotagd.conf.
extension Configuration {
    /// All keys but those of `[camera NAME]` and `[place NAME]`.
    static let table = SettingTable<Configuration>(
        [
            ("gps", gpsKeys), ("push", pushKeys), ("fleet", fleetKeys), ("auto", autoKeys),
            ("control", controlKeys), ("track", trackKeys), ("state", stateKeys),
        ], others: "[camera NAME] [place NAME]")

    private typealias Key = SettingKey<Configuration>

    private static let gpsKeys = [
        Key(
            "host", "a host name or address", \.gps.host,
            advice: { value in
                value.contains(":") ? " (host = NAME and port = NUMBER are two keys)" : ""
            }, SettingValue.host),
        Key("port", "1 to 65535", \.gps.port) { SettingValue.number($0, in: 1...65535) },
        Key(
            "device", "a device as gpsd names it, or empty for any", \.gps.device,
            SettingValue.device),
    ]

    private static let pushKeys = [
        Key("rate", "1 to 10", \.push.rate) {
            SettingValue.number($0, in: 1...10)
        },
        Key("idle_rate", "1 to 10, or empty for rate", \.push.idleRate) {
            $0.isEmpty ? .some(nil) : SettingValue.number($0, in: 1...10).map { .some($0) }
        },
        Key("motion", "extrapolate, hold", \.push.motion) { .init(rawValue: $0) },
        Key(
            "time", "utc, local, utc+8, utc+HH:MM or utc-HH:MM to 14:00", \.push.time,
            advice: { _ in
                " (names of time zones are not known; local is the zone of this machine)"
            }, SettingValue.timeField),
    ]

    private static let fleetKeys = [
        Key("admit", "roster, any", \.fleet.admit) { .init(rawValue: $0) },
        Key(
            "adapters", "auto, or adapter addresses with commas between them", \.fleet.adapters,
            SettingValue.adapters),
        Key("watchdog", "3 to 600 (seconds)", \.fleet.watchdog) {
            SettingValue.number($0, in: 3...600)
        },
        Key("retries", "0 (for ever) to 1000", \.fleet.retries) {
            SettingValue.number($0, in: 0...1000)
        },
        Key("at_exit", "leave, stop, sleep", \.fleet.atExit) { .init(rawValue: $0) },
    ]

    private static let autoKeys = [
        Key("record_above", "2 to 500 (km/h), none", \.auto.recordAbove) {
            SettingValue.speed($0, in: 2...500)
        },
        Key("record_after", "0 to 3600 (seconds)", \.auto.recordAfter) {
            SettingValue.number($0, in: 0...3600).map { .seconds($0) }
        },
        Key("stop_below", "1 to 500 (km/h), none", \.auto.stopBelow) {
            SettingValue.speed($0, in: 1...500)
        },
        Key("stop_after", "0 to 3600 (seconds)", \.auto.stopAfter) {
            SettingValue.number($0, in: 0...3600).map { .seconds($0) }
        },
        Key("record_needs_fix", "yes, no", \.auto.recordNeedsFix) {
            SettingValue.flag($0, "yes", "no")
        },
        Key("record_at_start", "yes, no", \.auto.recordAtStart) {
            SettingValue.flag($0, "yes", "no")
        },
        Key("sleep_after", "1 to 1440 (minutes), none", \.auto.sleepAfter) {
            SettingValue.minutes($0, in: 1...1440)
        },
        Key("wake_on", "off, motion, power", \.auto.wakeOn) { .init(rawValue: $0) },
        Key(
            "photo_every", "1 to 100000 m, 1 to 86400 s, none", \.auto.photoEvery,
            SettingValue.photoInterval),
    ]

    private static let controlKeys = [
        Key("fifo", "an absolute path, none", \.control.fifo, SettingValue.path),
        Key(
            "socket", "an absolute path of at most \(SettingValue.maxSocketPathLength) bytes, none",
            \.control.socket, SettingValue.socketPath),
        Key("group", "a group's name, or empty for the daemon's own", \.control.group) {
            SettingValue.group($0)
        },
    ]

    private static let trackKeys = [
        Key("directory", "an absolute path, none", \.track.directory, SettingValue.path),
        Key("rotate", "day, or a size: N, NK, NM, NG", \.track.rotation) {
            SettingValue.rotation($0)
        },
        Key("sync", "1 to 300 (seconds)", \.track.sync) {
            SettingValue.number($0, in: 1...300).map { .seconds($0) }
        },
        Key("pushes", "auto, on, off", \.track.pushes) { .init(rawValue: $0) },
        Key("keep", "all, \"N days\", or a size from 1M: NM, NG", \.track.keep) {
            SettingValue.keep($0)
        },
        Key("min_free", "0, or a size: N, NK, NM, NG", \.track.minimumFree) {
            $0 == "0" ? 0 : SettingValue.size($0)
        },
    ]

    private static let stateKeys = [
        Key("directory", "an absolute path", \.state.directory, live: false) { text in
            guard let path = SettingValue.path(text), path != nil else { return nil }
            return path
        },
        Key(
            "capture", "an absolute path, none", \.state.capture, live: false, SettingValue.path),
    ]
}
