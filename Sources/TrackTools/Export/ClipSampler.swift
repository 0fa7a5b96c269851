/// How often a clip's place is written.
enum SampleRate: Equatable {
    case everyFrame
    /// So many a second of the time in which it was filmed.
    case hertz(Double)

    /// - Parameter word: `frame`, or 0.1 to 240.
    init?(_ word: String) {
        if word == "frame" {
            self = .everyFrame
        } else if let number = Double(word), (0.1...240).contains(number) {
            self = .hertz(number)
        } else {
            return nil
        }
    }
}

/// Where a clip was at one instant.
struct ClipSample {
    /// Counted from 0.
    var number: Int
    /// Since 1970: the millisecond that is nearest to its frame.
    var milliseconds: Int64
    /// nil where the track does not say.
    var record: TrackRecord?
}

/// Gives the samples of one clip as the rows of the track come.
struct ClipSampler {
    let clip: PlacedClip
    private let step: Double
    /// How many samples the clip has.
    let count: Int
    private var next = 0

    init(_ clip: PlacedClip, _ rate: SampleRate) {
        self.clip = clip
        let length = clip.end - clip.start
        switch rate {
        case .everyFrame:
            count = max(1, clip.frames)
            step = length / Double(count)
        case .hertz(let hertz):
            step = 1e6 / hertz
            count = max(1, Int((length / step).rounded(.up)))
        }
    }

    /// Since 1970.
    func milliseconds(of number: Int) -> Int64 {
        Int64(((clip.start + step * Double(number)) / 1000).rounded())
    }

    /// Nothing after this instant belongs to it.
    var isOver: Bool { next >= count }

    /// The samples up to a row.
    ///
    /// - Parameter before: the row before it.
    mutating func advance(
        from before: TrackRecord?, to record: TrackRecord,
        body: (ClipSample) throws(TrackToolFault) -> Void
    ) throws(TrackToolFault) {
        while next < count {
            let at = milliseconds(of: next)
            guard at <= record.milliseconds else { return }
            let row = RowBridge.record(from: before, to: record, at: at)
            try body(ClipSample(number: next, milliseconds: at, record: row))
            next += 1
        }
    }

    /// Those behind the last row: nobody knows where they were.
    mutating func finish(
        body: (ClipSample) throws(TrackToolFault) -> Void
    ) throws(TrackToolFault) {
        while next < count {
            try body(
                ClipSample(number: next, milliseconds: milliseconds(of: next), record: nil))
            next += 1
        }
    }
}
