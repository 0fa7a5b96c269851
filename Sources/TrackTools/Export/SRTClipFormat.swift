import TrackFormat

/// Subtitles: a cue for each sample, in clip time, worded as DJI's drones do.
struct SRTClipFormat: ClipFormat {
    private var sampler: ClipSampler?

    mutating func begin(
        _ sampler: ClipSampler, marks: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        self.sampler = sampler
    }

    mutating func append(_ sample: ClipSample, to output: TextOutput) throws(TrackToolFault) {
        guard let sampler else { return }
        let clip = sampler.clip
        let begin = Self.milliseconds(clip.seconds(at: sample.milliseconds))
        let next =
            sample.number + 1 < sampler.count
            ? clip.seconds(at: sampler.milliseconds(of: sample.number + 1)) : clip.shownSeconds
        var row = RowText()
        row.append(UInt64(sample.number + 1))
        row.newline()
        row.append(clock: begin, decimal: ",")
        row.append(" --> ")
        row.append(clock: max(begin + 1, Self.milliseconds(next)), decimal: ",")
        row.newline()
        row.append(milliseconds: sample.milliseconds, separator: UInt8(ascii: " "))
        row.newline()
        if let record = sample.record {
            Self.append(record, to: &row)
        } else {
            row.append("no position")
        }
        row.append("\n\n")
        try output.write(row)
    }

    private static func append(_ record: TrackRecord, to row: inout RowText) {
        row.append("[latitude: ")
        row.append(degreesE8: record.latitudeE8)
        row.append("] [longitude: ")
        row.append(degreesE8: record.longitudeE8)
        row.append("]")
        if let height = record.heightCentimetres {
            row.append(" [abs_alt: ")
            row.append(count: height, decimals: 2)
            row.append("]")
        }
        if let speed = record.speedMillimetresPerSecond {
            row.append(" [speed: ")
            row.append(count: speed, decimals: 3)
            row.append("]")
        }
        if let heading = record.headingCentidegrees {
            row.append(" [heading: ")
            row.append(count: heading, decimals: 2)
            row.append("]")
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        Int64((min(seconds, 1e9) * 1000).rounded())
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {}
}

extension RowText {
    /// `01:02:03,004`.
    ///
    /// - Parameters:
    ///   - clock: milliseconds, 0 or more.
    ///   - decimal: what stands before the milliseconds.
    mutating func append(clock: Int64, decimal: String) {
        let clock = UInt64(max(0, clock))
        append(clock / 3_600_000, width: 2)
        append(":")
        append(clock / 60_000 % 60, width: 2)
        append(":")
        append(clock / 1000 % 60, width: 2)
        append(decimal)
        append(clock % 1000, width: 3)
    }
}
