package import Navigation

/// An epoch with all that its reports said, and what became of it.
package struct ClosedEpoch: Equatable, Sendable {
    /// The fix that the reports made together.
    package var fix: Fix
    /// Counts epochs within a run, from 1.
    package var sequence: Int
    /// Distinct cameras that took at least one push carried from this epoch.
    package var pushedCameras: Int
    /// Names of the cameras that record, in roster order.
    package var recording: [String]
    /// Whether the receiver's time had earned its trust when the epoch closed (contract 8.7).
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
