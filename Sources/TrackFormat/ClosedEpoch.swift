package import Navigation

/// An epoch whose reports are complete, and what the cameras did meanwhile.
package struct ClosedEpoch: Equatable, Sendable {
    /// The fix that the reports made together.
    package var fix: Fix
    /// Counts epochs within a run, from 1.
    package var sequence: Int
    /// How many cameras got at least one push that was carried from this epoch.
    package var pushedCameras: Int
    /// Names of the cameras that record, in roster order.
    package var recording: [String]
    /// Whether the receiver's time was trusted when the epoch closed (contract 8.7).
    package var timeTrusted: Bool

    /// An epoch whose reports are complete.
    package init(
        fix: Fix, sequence: Int, pushedCameras: Int, recording: [String], timeTrusted: Bool
    ) {
        self.fix = fix
        self.sequence = sequence
        self.pushedCameras = pushedCameras
        self.recording = recording
        self.timeTrusted = timeTrusted
    }
}
