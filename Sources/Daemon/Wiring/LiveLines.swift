package import Clock
package import Fleet
import LineProtocol
import Navigation
import OsmoProtocol

/// The lines that a simulated run shows once a second: one a camera, for a person to watch.
/// With short names they fit 80 columns.
package struct LiveLines {
    private var before: [BluetoothAddress: (pushed: Int, instant: Instant)] = [:]

    /// Nothing has been printed yet.
    package init() {}

    /// One line for the receiver and one for each camera.
    package mutating func lines(_ status: RigStatus, at now: Instant) -> [String] {
        [Self.receiver(status)] + status.cameras.map { camera($0, at: now) }
    }

    private static func receiver(_ status: RigStatus) -> String {
        var words = ["gps", status.gps.state.rawValue]
        if let fix = status.gps.fix {
            words.append(LineText.decimal(fix.latitudeDegrees, decimals: 6))
            words.append(LineText.decimal(fix.longitudeDegrees, decimals: 6))
            if let height = fix.heightMetres {
                words.append(LineText.decimal(height, decimals: 1) + " m")
            }
            if let speed = fix.speedMetresPerSecond {
                words.append(LineText.decimal(speed, decimals: 1) + " m/s")
            }
            if let course = fix.courseDegrees {
                words.append(LineText.decimal(course, decimals: 0) + " deg")
            }
        }
        return words.joined(separator: "  ")
    }

    private mutating func camera(_ camera: CameraSummary, at now: Instant) -> String {
        var rate = "-"
        if let last = before[camera.address], now > last.instant {
            let hertz = Double(camera.pushed - last.pushed) / (now - last.instant).seconds
            rate = LineText.decimal(hertz, decimals: 1)
        }
        before[camera.address] = (camera.pushed, now)
        var words = [
            "  " + pad(camera.name, 8), pad(camera.model?.description ?? "?", 17),
            pad(camera.state.rawValue, 10), pad(rate, 4, right: true) + " Hz",
            pad(camera.gps.rawValue, 7),
        ]
        if let battery = camera.status?.batteryPercent { words.append("bat \(battery)%") }
        if camera.recording == true { words.append("rec \(camera.recordSeconds ?? 0) s") }
        return words.joined(separator: "  ")
    }

    private func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return right ? blanks + text : text + blanks
    }
}
