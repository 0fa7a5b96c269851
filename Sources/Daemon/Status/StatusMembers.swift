import Clock
import Fleet
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort

/// The one vocabulary of `status`, `status json`, `cameras`, `camera` and `gps`: keys, values and
/// their order. What is unknown is null in JSON and left out of a line.
enum StatusMembers {
    static func gps(_ gps: GPSStatus) -> [JSONValue.Member] {
        let fix = gps.fix
        return [
            .init("state", .text(gps.state.rawValue)),
            .init("device", .text(gps.device)),
            .init("time", .text(fix?.time.map(LineText.instant))),
            .init("latitude", .decimal(fix?.latitudeDegrees, places: 8)),
            .init("longitude", .decimal(fix?.longitudeDegrees, places: 8)),
            .init("altitude_m", .decimal(fix?.heightMetres, places: 2)),
            .init("speed_mps", .decimal(fix?.speedMetresPerSecond, places: 2)),
            .init("course_deg", .decimal(fix?.courseDegrees, places: 1)),
            .init("satellites", .integer(fix?.satellites)),
            .init("quality", .text(fix.map(quality))),
            .init("rate_hz", .decimal(gps.rateHertz, places: 1)),
            .init("age_s", .decimal(gps.age?.seconds, places: 2)),
            .init("hdop", .decimal(fix?.hdop, places: 1)),
            .init("eph_m", .decimal(fix?.horizontalAccuracyMetres, places: 1)),
            .init("epv_m", .decimal(fix?.verticalAccuracyMetres, places: 1)),
            .init("climb_mps", .decimal(fix?.climbMetresPerSecond, places: 2)),
            .init("time_trusted", .flag(gps.timeTrusted)),
            .init("velocity", .text(gps.velocityDerived ? "derived" : nil)),
        ]
    }

    /// gpsd leaves the quality of an ordinary fix out of its reports: what has a place and says no
    /// more is one.
    private static func quality(_ fix: Fix) -> String {
        (fix.quality == .unknown ? .gps : fix.quality).rawValue
    }

    static func push(_ push: PushStatus) -> [JSONValue.Member] {
        [
            .init("rate_hz", .decimal(push.rateHertz, places: 1)),
            .init("target_hz", .decimal(push.targetHertz, places: 1)),
            .init("sent", .integer(push.sent)),
            .init("dropped", .integer(push.dropped)),
            .init("void", .integer(push.void)),
        ]
    }

    static func bluetooth(_ state: BluetoothState) -> [JSONValue.Member] {
        [.init("state", .text(state.word)), .init("reason", .text(state.reason))]
    }

    static func auto(_ auto: AutoStatus) -> [JSONValue.Member] {
        [
            .init("state", .text(auto.isOn ? "on" : "off")),
            .init("moving", .text(auto.isMoving ? "yes" : "no")),
            .init("place", .text(auto.place)),
            .init("hand", .text(auto.hand.isEmpty ? nil : auto.hand.joined(separator: ","))),
        ]
    }

    /// What `status` shows of a camera, its name aside.
    static func camera(_ camera: CameraSummary) -> [JSONValue.Member] {
        let status = camera.status
        let model = camera.model
        return [
            .init("number", .integer(camera.number)),
            .init("address", .text(camera.address.description)),
            .init("adapter", .text(camera.adapter?.description)),
            .init("model", .text(model?.description)),
            .init("state", .text(camera.state.rawValue)),
            .init("recording", .flag(camera.recording)),
            .init("record_s", .integer(camera.recordSeconds)),
            .init("mode", .text(status?.mode.description)),
            .init("mode_text", .text(camera.text?.mode)),
            .init("mode_params", .text(camera.text?.parameters)),
            .init("resolution", .text(status?.resolutionWord(model: model))),
            .init("fps", .integer(status?.framesPerSecond)),
            .init("stabilization", .text(status?.stabilizationWord)),
            .init("battery_pct", .integer(status?.batteryPercent.map { Int(clamping: $0) })),
            .init("card_free_mb", .integer(status?.cardFreeMegabytes.map { Int(clamping: $0) })),
            .init("remaining_s", .integer(status?.remainingSeconds.map { Int(clamping: $0) })),
            .init("temperature", .text(status?.temperatureWord)),
            .init("gps", .text(camera.gps.rawValue)),
            .init("pushed", .integer(camera.pushed)),
            .init("dropped", .integer(camera.dropped)),
            .init("rssi_dbm", .integer(camera.rssi)),
            .init("product", .text(camera.product)),
            .init("firmware", .text(camera.firmware)),
            .init("reconnects", .integer(camera.reconnects)),
            .init("error", .text(camera.error)),
            .init("status", .text(camera.statusFresh.map { $0 ? "ok" : "none" })),
            .init("confirm_code", .text(camera.confirmCode.map(code))),
        ]
    }

    /// What `camera NAME` and `status json` show beyond that.
    ///
    /// - Parameter uptime: nothing is older than the daemon.
    static func details(
        _ camera: CameraSummary, at now: Instant, uptime: TimeSpan
    ) -> [JSONValue.Member] {
        [
            .init("since_s", .decimal(min(now - camera.stateSince, uptime).seconds, places: 1)),
            .init(
                "status_age_s", .decimal(camera.statusInstant.map { (now - $0).seconds }, places: 1)
            ),
            .init(
                "remaining_photos",
                .integer(camera.status?.remainingPhotos.map { Int(clamping: $0) })),
            .init("void", .integer(camera.void)),
            .init(
                "wake_window_s",
                .integer(camera.wakeWindow.map { Int(clamping: $0.nanoseconds / 1_000_000_000) })),
            .init("mtu", .integer(camera.link?.mtu)),
            .init("write_path", .text(camera.link?.path.rawValue)),
            .init("round_trip_ms", .decimal(camera.roundTrip?.milliseconds, places: 1)),
            .init("refused_modes", refusedModes(camera)),
            .init("optional", .flag(camera.optional)),
            .init("last_error", .text(camera.lastError)),
            .init(
                "last_error_s",
                .decimal(camera.lastErrorInstant.map { (now - $0).seconds }, places: 1)),
        ]
    }

    static func adapter(_ adapter: AdapterSummary) -> [JSONValue.Member] {
        [
            .init("hci", .text(adapter.name)),
            .init("usable", .flag(adapter.usable)),
            .init("links", .integer(adapter.links)),
            .init("error", .text(adapter.error)),
        ]
    }

    static func track(_ track: TrackStatus) -> [JSONValue.Member] {
        [
            .init("path", .text(track.path)),
            .init("rows", .integer(track.rows)),
            .init("on", .flag(track.isOn)),
            .init("unwritten", .integer(track.unwritten)),
            .init("error", .text(track.error)),
        ]
    }

    /// Four digits, as the camera shows them.
    private static func code(_ code: Int) -> String {
        let digits = String(code)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    private static func refusedModes(_ camera: CameraSummary) -> JSONValue {
        let words = camera.refusedModes.map { CameraMode(rawValue: $0).description }
        return words.isEmpty ? .null : .text(words.joined(separator: ","))
    }
}
