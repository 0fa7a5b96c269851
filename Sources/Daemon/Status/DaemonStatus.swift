package import Clock
package import Fleet
package import LineProtocol

/// Everything that `status` shows, at one instant.
package struct DaemonStatus: Equatable, Sendable {
    package var version: String
    /// Since the daemon started.
    package var uptime: TimeSpan
    package var rig: RigStatus
    package var bluetooth: BluetoothState
    package var track: TrackStatus
    package var logLevel: LogLevel
    /// When it was taken.
    package var instant: Instant

    package init(
        version: String, uptime: TimeSpan, rig: RigStatus, bluetooth: BluetoothState,
        track: TrackStatus, logLevel: LogLevel, instant: Instant
    ) {
        self.version = version
        self.uptime = uptime
        self.rig = rig
        self.bluetooth = bluetooth
        self.track = track
        self.logLevel = logLevel
        self.instant = instant
    }
}
