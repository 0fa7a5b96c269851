import Clock
import Navigation

/// A row of a track as it stands in the file: each number is a whole count of its last decimal.
struct TrackRecord: Equatable {
    /// Milliseconds since 1970.
    var milliseconds: Int64
    /// 1e-8 degrees.
    var latitudeE8: Int64
    /// 1e-8 degrees.
    var longitudeE8: Int64
    /// Height above mean sea level.
    var heightCentimetres: Int64?
    var speedMillimetresPerSecond: Int64?
    /// 0 to 35999.
    var headingCentidegrees: Int64?
    var is3D: Bool
    var satellites: Int64?
    var hdopHundredths: Int64?
    /// CLOCK_MONOTONIC when the epoch arrived, microseconds.
    var monotonicMicroseconds: Int64
    var sequence: Int64
    var device: String
    var pushed: Int64
    /// Names of the cameras that recorded, joined by `+`.
    var recording: String

    var time: UnixTime { UnixTime(nanoseconds: milliseconds * 1_000_000) }

    var place: Place {
        Place(
            latitudeDegrees: Double(latitudeE8) / 1e8, longitudeDegrees: Double(longitudeE8) / 1e8)
    }

    /// Distance over the ground, metres.
    func distance(to other: TrackRecord) -> Double { place.displacement(to: other.place).length }

    /// The row that lies between this one and a later one, at a time between theirs.
    func interpolated(to other: TrackRecord, milliseconds: Int64) -> TrackRecord {
        let whole = other.milliseconds - self.milliseconds
        guard whole > 0 else { return self }
        let share = Double(milliseconds - self.milliseconds) / Double(whole)
        func between(_ first: Int64, _ second: Int64) -> Int64 {
            first + Int64((Double(second - first) * share).rounded())
        }
        var record = share < 0.5 ? self : other
        record.milliseconds = milliseconds
        record.latitudeE8 = between(latitudeE8, other.latitudeE8)
        // Goes the short way across the date line.
        var east = other.longitudeE8
        if east - longitudeE8 > 18_000_000_000 { east -= 36_000_000_000 }
        if longitudeE8 - east > 18_000_000_000 { east += 36_000_000_000 }
        var longitude = between(longitudeE8, east)
        if longitude > 18_000_000_000 { longitude -= 36_000_000_000 }
        if longitude < -18_000_000_000 { longitude += 36_000_000_000 }
        record.longitudeE8 = longitude
        if let first = heightCentimetres, let second = other.heightCentimetres {
            record.heightCentimetres = between(first, second)
        }
        if let first = speedMillimetresPerSecond, let second = other.speedMillimetresPerSecond {
            record.speedMillimetresPerSecond = between(first, second)
        }
        return record
    }
}
