package import Clock

/// A drive that is known at every instant: straights, bends, stops, hills and a tunnel, in laps
/// that start and end at the same place.
///
/// A lap is four equal quarters; each ends with a right angle, so that the lap closes by itself.
package struct Course: Equatable, Sendable {
    /// Where the rig is at one instant.
    package struct Truth: Equatable, Sendable {
        /// Degrees, north positive.
        package var latitudeDegrees: Double
        /// Degrees, east positive.
        package var longitudeDegrees: Double
        /// Above mean sea level.
        package var heightMetres: Double
        /// Speed over ground, metres a second, never negative.
        package var speedMetresPerSecond: Double
        /// True, 0 up to but not 360.
        package var courseDegrees: Double
        /// Rate of climb, metres a second, up positive.
        package var climbMetresPerSecond: Double
        /// No satellite is seen.
        package var isInTunnel: Bool
    }

    /// Where a lap starts.
    package var latitudeDegrees = 48.137154
    /// The longitude of that place, degrees, east positive.
    package var longitudeDegrees = 11.576124
    /// At the start of a lap.
    package var heightMetres = 520.0
    /// Without the tunnel satellites are seen all the time.
    package var hasTunnel = true

    /// A course that starts in Munich, with its tunnel.
    package init() {}

    /// A stretch of constant acceleration, turn rate and climb.
    private struct Leg {
        var seconds: Double
        var acceleration = 0.0
        /// Degrees a second, clockwise.
        var turnRate = 0.0
        var climb = 0.0
    }

    /// A quarter lap: it begins and ends at 20 m/s, and climbs as far as it descends.
    private static let quarter: [Leg] = [
        Leg(seconds: 20, climb: 1),
        Leg(seconds: 8, acceleration: -2.5),
        Leg(seconds: 9),
        Leg(seconds: 6, acceleration: 2.5),
        Leg(seconds: 6, turnRate: 12),
        Leg(seconds: 6, turnRate: -12),
        Leg(seconds: 5, acceleration: 1),
        Leg(seconds: 20, climb: -1),
        Leg(seconds: 5, acceleration: -1),
        Leg(seconds: 9, turnRate: 10),
        Leg(seconds: 2.5, acceleration: 2),
    ]
    /// Speed at the start of a quarter, m/s.
    private static let startSpeed = 20.0
    /// Seconds into a lap when the tunnel begins, and how long it takes.
    private static let tunnel = (start: 240.0, seconds: 12.0)

    /// A leg with where it begins, metres from the start of the lap.
    private struct Stretch: Sendable {
        var start: Double
        var leg: Leg
        var north: Double
        var east: Double
        var height: Double
        var speed: Double
        /// Degrees.
        var course: Double
    }

    private static let lap: (stretches: [Stretch], seconds: Double) = {
        var stretches: [Stretch] = []
        var point = Stretch(
            start: 0, leg: Leg(seconds: 0), north: 0, east: 0, height: 0, speed: startSpeed,
            course: 0)
        for leg in quarter + quarter + quarter + quarter {
            point.leg = leg
            stretches.append(point)
            point = end(of: point)
        }
        return (stretches, point.start)
    }()

    /// How long a lap takes.
    package static let lapTime = TimeSpan.seconds(lap.seconds)

    /// Where the rig is after driving for `span`, which is not negative.
    package func truth(after span: TimeSpan) -> Truth {
        let lap = Course.lap
        let seconds = Double(span.nanoseconds % Course.lapTime.nanoseconds) / 1e9
        // The last stretch that begins by then, found by bisection because each push asks for it.
        var (index, beyond) = (0, lap.stretches.count)
        while beyond - index > 1 {
            let middle = (index + beyond) / 2
            if lap.stretches[middle].start <= seconds { index = middle } else { beyond = middle }
        }
        let stretch = lap.stretches[index]
        let point = Course.point(of: stretch, after: seconds - stretch.start)
        let tunnel = Course.tunnel
        return Truth(
            latitudeDegrees: latitudeDegrees + point.north / Course.metresPerDegreeNorth,
            longitudeDegrees: longitudeDegrees + point.east / Course.metresPerDegreeEast,
            heightMetres: heightMetres + point.height, speedMetresPerSecond: point.speed,
            courseDegrees: point.course, climbMetresPerSecond: stretch.leg.climb,
            isInTunnel: hasTunnel && seconds >= tunnel.start
                && seconds < tunnel.start + tunnel.seconds)
    }

    /// How far two places of the course are from each other, metres.
    package static func distance(
        _ latitude: Double, _ longitude: Double, _ truth: Truth
    ) -> Double {
        let north = (latitude - truth.latitudeDegrees) * metresPerDegreeNorth
        let east = (longitude - truth.longitudeDegrees) * metresPerDegreeEast
        return (north * north + east * east).squareRoot()
    }

    /// WGS84 at 48.137 degrees north; a lap stays within two kilometres of it.
    private static let metresPerDegreeNorth = 111_192.99
    private static let metresPerDegreeEast = 74_427.34

    private static func end(of stretch: Stretch) -> Stretch {
        var end = point(of: stretch, after: stretch.leg.seconds)
        end.start = stretch.start + stretch.leg.seconds
        return end
    }

    private static func point(of stretch: Stretch, after seconds: Double) -> Stretch {
        let leg = stretch.leg
        var point = stretch
        let distance = stretch.speed * seconds + leg.acceleration * seconds * seconds / 2
        let turned = leg.turnRate * seconds
        // The chord of an arc points half a turn's angle away from the course at its start.
        let half = turned / 2 * .pi / 180
        let chord = abs(half) < 1e-9 ? 1 : Circle.sine(half) / half
        let way = (stretch.course + turned / 2) * .pi / 180
        point.north += distance * chord * Circle.cosine(way)
        point.east += distance * chord * Circle.sine(way)
        point.height += leg.climb * seconds
        point.speed = max(0, stretch.speed + leg.acceleration * seconds)
        let course = (stretch.course + turned).truncatingRemainder(dividingBy: 360)
        point.course = course < 0 ? course + 360 : course
        return point
    }
}
