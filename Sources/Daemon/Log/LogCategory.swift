import Fleet
package import LineProtocol

/// What a log line is about.
package enum LogCategory: String, Sendable, CaseIterable {
    case gps, bluez, camera, push, control, track, daemon
}

extension Notice {
    /// Where a notice stands in the log.
    package var category: LogCategory {
        switch kind {
        case .camera, .record, .alarm, .mode, .battery, .card, .temperature, .photo, .auto: .camera
        case .gps, .clock: .gps
        case .track, .mark: .track
        case .adapter, .bluetooth: .bluez
        case .push: .push
        case .daemon: .daemon
        }
    }

    /// How much it matters.
    package var logLevel: LogLevel {
        switch kind {
        case .alarm, .push: .warning
        case .camera: Self.complaints.contains(value("state") ?? "") ? .warning : .notice
        case .bluetooth: value("state") == "ok" ? .notice : .error
        case .track: value("state") == "error" ? .error : .notice
        // A command on its way is for who looks for trouble; what came of it is for all.
        case .record: value("state") == "started" || value("state") == "stopped" ? .notice : .debug
        case .gps: value("interval_s") == nil ? .notice : .warning
        case .battery, .card, .temperature, .adapter, .mark, .clock, .daemon, .auto: .notice
        case .mode, .photo: .info
        }
    }

    private static let complaints: Set = [
        CameraState.refused.rawValue, CameraState.unsupported.rawValue,
        CameraState.backoff.rawValue, CameraState.confirm.rawValue,
    ]

    func value(_ key: String) -> String? { fields.first { $0.key == key }?.value }
}
