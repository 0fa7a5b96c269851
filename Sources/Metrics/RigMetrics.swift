package import Clock
package import LineProtocol

/// The metrics of a rig, made from `status json` (contract 10). Labels are the names of cameras on
/// the roster and the addresses of adapters; no place stands in any of them.
package enum RigMetrics {
    /// The lowest metric: whether the daemon answered at all.
    private static func up(_ isUp: Bool) -> MetricFamily {
        MetricFamily(
            name: "geotagd_up", kind: .gauge, help: "Whether geotagd answers on its socket.",
            samples: [.init(value: isUp ? "1" : "0")])
    }

    /// What is left where the daemon does not answer.
    package static let down = [up(false)]

    /// All families, in the order in which they are written.
    ///
    /// - Parameters:
    ///   - status: the object of `status json`.
    ///   - now: the system clock.
    package static func families(_ status: JSONValue, at now: UnixTime) -> [MetricFamily] {
        // Strangers in range come and go, and would be series without end.
        let cameras = (status["cameras"]?.values ?? []).filter { $0["number"]?.number != nil }
        let adapters = status["adapters"]?.values ?? []
        let groups: [[MetricFamily]] = [
            [up(true)], daemon(status, at: now), gps(status), push(status, cameras),
            camera(cameras), adapter(adapters), track(status),
        ]
        return groups.flatMap { $0 }
    }

    private static func daemon(_ status: JSONValue, at now: UnixTime) -> [MetricFamily] {
        let version = status["version"]?.word
        let start = status["uptime_s"]?.number.map { uptime in
            LineText.decimal(now.seconds - uptime, decimals: 0)
        }
        return [
            MetricFamily(
                name: "geotagd_build", kind: .info, help: "The version that runs.",
                samples: version.map { [.init(label: ("version", $0), value: "1")] } ?? []),
            one("geotagd_start_time_seconds", "When the daemon started, Unix time.", start),
        ]
    }

    private static func gps(_ status: JSONValue) -> [MetricFamily] {
        let gps = status["gps"]
        let modes = ["disconnected": "0", "nodata": "0", "fix2d": "2", "fix3d": "3"]
        let mode = gps?["state"]?.word.map { modes[$0] ?? "1" }
        return [
            one(
                "geotagd_gps_fix_mode",
                "0 without a receiver, 1 without a fix, else dimensions of the fix.", mode),
            one(
                "geotagd_gps_satellites_used", "Satellites in the fix.",
                gps?["satellites"]?.word),
            one(
                "geotagd_gps_fix_age_seconds", "Seconds since the fix arrived.",
                gps?["age_s"]?.word),
        ]
    }

    private static func push(_ status: JSONValue, _ cameras: [JSONValue]) -> [MetricFamily] {
        let push = status["push"]
        return [
            one(
                "geotagd_push_rate_hertz", "Positions a second that a camera took, over 10 s.",
                push?["rate_hz"]?.word),
            one(
                "geotagd_push_target_hertz", "Positions a second as configured.",
                push?["target_hz"]?.word),
            each(
                "geotagd_pushes", .counter, "Frames with a position handed to the camera's link.",
                cameras
            ) { $0["pushed"]?.word },
            each(
                "geotagd_pushes_dropped", .counter, "Frames that the link did not take.", cameras
            ) { $0["dropped"]?.word },
            each(
                "geotagd_pushes_void", .counter, "Frames that said that there is no position.",
                cameras
            ) { $0["void"]?.word },
        ]
    }

    private static func camera(_ cameras: [JSONValue]) -> [MetricFamily] {
        [
            each(
                "geotagd_camera_up", .gauge, "Whether the camera is connected and ready.", cameras
            ) { $0["state"]?.word == "ready" ? "1" : "0" },
            each(
                "geotagd_camera_recording", .gauge, "Whether the camera records.", cameras
            ) { flag($0["recording"]) },
            each(
                "geotagd_camera_battery_ratio", .gauge, "Charge of the battery, 0 to 1.", cameras
            ) { $0["battery_pct"]?.number.map { LineText.decimal($0 / 100, decimals: 2) } },
            each(
                "geotagd_camera_card_free_bytes", .gauge, "Free on the camera's card.", cameras
            ) { $0["card_free_mb"]?.number.map { LineText.decimal($0 * 1e6, decimals: 0) } },
            each(
                "geotagd_camera_remaining_seconds", .gauge,
                "Seconds of recording that fit on the card.", cameras
            ) { $0["remaining_s"]?.word },
            each(
                "geotagd_camera_reconnects", .counter, "Links made anew since the start.", cameras
            ) { $0["reconnects"]?.word },
            each(
                "geotagd_camera_rssi_dbm", .gauge, "Signal when the camera was last heard.",
                cameras
            ) { $0["rssi_dbm"]?.word },
        ]
    }

    private static func adapter(_ adapters: [JSONValue]) -> [MetricFamily] {
        [
            each(
                "geotagd_adapter_up", .gauge, "Whether the adapter can be used.", adapters,
                label: ("adapter", "address")
            ) { flag($0["usable"]) },
            each(
                "geotagd_adapter_links", .gauge, "Links that stand or are being made.", adapters,
                label: ("adapter", "address")
            ) { $0["links"]?.word },
        ]
    }

    private static func track(_ status: JSONValue) -> [MetricFamily] {
        let track = status["track"]
        let error = track.map { $0["error"]?.word == nil ? "0" : "1" }
        return [
            one("geotagd_track_rows", "Rows of the track file that is open.", track?["rows"]?.word),
            MetricFamily(
                name: "geotagd_track_unwritten", kind: .counter,
                help: "Rows that were dropped before they could be written.",
                samples: track?["unwritten"]?.word.map { [.init(value: $0)] } ?? []),
            one("geotagd_track_failing", "Whether the disk does not take rows now.", error),
        ]
    }

    private static func one(_ name: String, _ help: String, _ value: String?) -> MetricFamily {
        MetricFamily(
            name: name, kind: .gauge, help: help, samples: value.map { [.init(value: $0)] } ?? [])
    }

    private static func each(
        _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ objects: [JSONValue],
        label: (name: String, key: String) = ("camera", "name"), _ value: (JSONValue) -> String?
    ) -> MetricFamily {
        let samples = objects.compactMap { object -> MetricFamily.Sample? in
            guard let owner = object[label.key]?.word, let value = value(object) else { return nil }
            return MetricFamily.Sample(label: (label.name, owner), value: value)
        }
        return MetricFamily(name: name, kind: kind, help: help, samples: samples)
    }

    private static func flag(_ value: JSONValue?) -> String? {
        value?.word.map { $0 == "true" ? "1" : "0" }
    }
}
