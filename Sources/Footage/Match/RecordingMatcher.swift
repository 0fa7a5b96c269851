/// A recording as the daemon saw it.
package struct SeenRecording: Equatable, Sendable {
    /// The camera's name in the roster.
    package var camera: String
    /// Microseconds since 1970.
    package var start: Int64
    /// When it ended, microseconds since 1970; where `isOpen`, when it was last seen to run.
    package var stop: Int64
    /// How far the start may be off, seconds.
    package var startUncertainty: Double
    /// The end was not seen.
    package var isOpen: Bool

    /// A recording, as rows of the event log tell it.
    package init(
        camera: String, start: Int64, stop: Int64, startUncertainty: Double, isOpen: Bool
    ) {
        self.camera = camera
        self.start = start
        self.stop = stop
        self.startUncertainty = startUncertainty
        self.isOpen = isOpen
    }
}

/// Finds clips among the recordings that the daemon saw, by their lengths and the pauses between
/// them: the clock goes on over all clips of one power-up.
package enum RecordingMatcher {
    /// How far a clip's length may be from a recording's, microseconds.
    private static let lengthTolerance = 2.5e6
    /// How far two clips' offsets may be apart, microseconds.
    private static let agreement = 3e6
    /// Recordings that are compared.
    static let maxRecordings = 4096

    /// - Parameters:
    ///   - clips: of one camera, in the order of their clocks.
    ///   - recordings: those of all cameras that could be this one.
    /// - Returns: UTC less the camera's clock, microseconds, how far that may be off, seconds, and
    ///   whose recordings they are; nil where nothing agrees, or more than one place does.
    package static func match(
        _ clips: [FilmedClip], _ recordings: [SeenRecording]
    ) -> (offset: Double, uncertainty: Double, camera: String)? {
        var votes: [(offset: Double, clip: Int, recording: SeenRecording)] = []
        for (number, clip) in clips.enumerated() {
            for recording in recordings.prefix(maxRecordings) where fits(clip, recording) {
                votes.append((Double(recording.start - clip.firstClock), number, recording))
            }
        }
        votes.sort { $0.offset < $1.offset }
        var best: (count: Int, range: Range<Int>) = (0, 0..<0)
        var isUnique = true
        var start = 0
        for end in votes.indices {
            while votes[end].offset - votes[start].offset > agreement { start += 1 }
            let count = Set(votes[start...end].map(\.clip)).count
            if count > best.count {
                best = (count, start..<end + 1)
                isUnique = true
            } else if count == best.count {
                let isSame = votes[end].offset - votes[best.range.lowerBound].offset <= agreement
                if isSame { best.range = best.range.lowerBound..<end + 1 } else { isUnique = false }
            }
        }
        guard best.count > 0, isUnique else { return nil }
        let chosen = votes[best.range]
        guard
            let nearest = chosen.min(by: {
                $0.recording.startUncertainty < $1.recording.startUncertainty
            })
        else { return nil }
        let cameras = Set(chosen.map(\.recording.camera)).sorted()
        return (
            nearest.offset, nearest.recording.startUncertainty, cameras.joined(separator: " or ")
        )
    }

    private static func fits(_ clip: FilmedClip, _ recording: SeenRecording) -> Bool {
        let length = Double(recording.stop - recording.start)
        if recording.isOpen { return clip.lengthMicroseconds <= length + lengthTolerance }
        return abs(clip.lengthMicroseconds - length) <= lengthTolerance
    }
}
