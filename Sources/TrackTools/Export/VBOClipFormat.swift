import Clock
import TrackFormat

/// Racelogic's VBO, as circuit programs read it: minutes, west positive, kilometres an hour, and
/// clip time in `avitime`. It has no word for unknown: then there is a 0, and where the track has
/// no place there is no row.
struct VBOClipFormat: ClipFormat {
    private var clip: PlacedClip?

    mutating func begin(
        _ sampler: ClipSampler, marks: [Waypoint], to output: TextOutput
    ) throws(TrackToolFault) {
        clip = sampler.clip
        let time = CivilTime(UnixTime(nanoseconds: sampler.milliseconds(of: 0) * 1_000_000))
        var row = RowText()
        row.append("File created on ")
        row.append(UInt64(time?.day ?? 1), width: 2)
        row.append("/")
        row.append(UInt64(time?.month ?? 1), width: 2)
        row.append("/")
        row.append(UInt64(time?.year ?? 1970), width: 4)
        row.append(" at ")
        row.append(UInt64(time?.hour ?? 0), width: 2)
        row.append(":")
        row.append(UInt64(time?.minute ?? 0), width: 2)
        row.append(":")
        row.append(UInt64(time?.second ?? 0), width: 2)
        row.append(
            "\n\n[header]\nsatellites\ntime\nlatitude\nlongitude\nvelocity kmh\nheading\nheight\n"
                + "avifileindex\navisynctime\n\n[comments]\nMade by geotagd from the track of ")
        row.append(stripped: sampler.clip.name)
        row.append(
            "\n\n[column names]\nsats time lat long velocity heading height avifileindex avitime\n"
                + "\n[data]\n")
        try output.write(row)
    }

    mutating func append(_ sample: ClipSample, to output: TextOutput) throws(TrackToolFault) {
        guard let clip, let record = sample.record else { return }
        var row = RowText()
        row.append(UInt64(record.satellites ?? 0), width: 3)
        row.append(" ")
        let day =
            sample.milliseconds - sample.milliseconds.dividedRoundingDown(by: Self.day) * Self.day
        row.append(UInt64(day / 3_600_000), width: 2)
        row.append(UInt64(day / 60_000 % 60), width: 2)
        row.append(UInt64(day / 1000 % 60), width: 2)
        row.append(".")
        row.append(UInt64(day % 1000), width: 3)
        Self.append(record.latitudeE8 * 60, decimals: 8, to: &row)
        Self.append(-record.longitudeE8 * 60, decimals: 8, to: &row)
        row.append(" ")
        row.append(
            count: ((record.speedMillimetresPerSecond ?? 0) * 36 + 5) / 10, decimals: 3)
        row.append(" ")
        row.append(count: record.headingCentidegrees ?? 0, decimals: 2)
        Self.append(record.heightCentimetres ?? 0, decimals: 2, to: &row)
        row.append(" 0001 ")
        let shown = clip.seconds(at: sample.milliseconds) * 1000
        row.append(UInt64(min(shown, 1e12).rounded()), width: 9)
        row.newline()
        try output.write(row)
    }

    private static let day: Int64 = 86_400_000

    /// A space and the number, always with its sign.
    private static func append(_ count: Int64, decimals: Int, to row: inout RowText) {
        row.append(count < 0 ? " " : " +")
        row.append(count: count, decimals: decimals)
    }

    mutating func end(to output: TextOutput) throws(TrackToolFault) {}
}
