import Fleet
import LineProtocol
import Navigation

extension DaemonStatus {
    /// How the service is, in one line for systemctl: what matters first.
    package var summary: String {
        var parts = [gpsWords, cameraWords]
        if let error = track.error {
            parts.append("track: \(error)")
        } else if let path = track.path {
            parts.append(
                String(
                    path[
                        (path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...
                    ]))
        } else {
            parts.append(track.isOn ? "track waits for GPS time" : "no track")
        }
        return parts.joined(separator: "; ")
    }

    private var gpsWords: String {
        let satellites = rig.gps.fix?.satellites.map { " \($0) satellites" } ?? ""
        let rate = rig.gps.rateHertz.map { " \(LineText.decimal($0, decimals: 1)) Hz" } ?? ""
        return switch rig.gps.state {
        case .disconnected: "no gpsd"
        case .nodata: "gpsd without data"
        case .nofix: "no fix"
        case .fix2d: "2-D fix" + satellites + rate
        case .fix3d: "3-D fix" + satellites + rate
        case .frozen: "receiver frozen"
        }
    }

    private var cameraWords: String {
        let roster = rig.cameras.filter { $0.number != nil }
        let ready = roster.filter { $0.state == .ready }
        let recording = roster.filter { $0.recording == true }
        var words = "cameras \(ready.count)/\(roster.count)"
        if !recording.isEmpty { words += ", \(recording.count) recording" }
        return words
    }
}
