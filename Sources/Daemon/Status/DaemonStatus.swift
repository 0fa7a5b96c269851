package import Clock
package import Fleet
package import LineProtocol

/// Everything that `status` shows, at one instant.
package struct DaemonStatus: Equatable, Sendable {
    /// Of this program.
    package var version: String
    /// Since the daemon started.
    package var uptime: TimeSpan
    /// Receiver, pushes, cameras and adapters.
    package var rig: RigStatus
    /// What Bluetooth lacks, if anything.
    package var bluetooth: BluetoothState
    /// Of the track's writer.
    package var track: TrackStatus
    /// What is logged at present.
    package var logLevel: LogLevel
    /// When it was taken.
    package var instant: Instant

    /// A snapshot of all parts.
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
