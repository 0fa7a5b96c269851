/// A place on the WGS84 ellipsoid, with the local directions north and east.
package struct Place: Equatable, Sendable {
    /// Degrees, -90 to 90.
    package var latitudeDegrees: Double
    /// Degrees, -180 to 180.
    package var longitudeDegrees: Double

    /// A place on the ground; nothing is checked.
    package init(latitudeDegrees: Double, longitudeDegrees: Double) {
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
    }
}

/// Metres on the ground, north and east: a displacement, or a velocity in metres a second.
package struct GroundVector: Equatable, Sendable {
    /// Metres, or metres a second; negative southward.
    package var north: Double
    /// Metres, or metres a second; negative westward.
    package var east: Double

    /// No displacement, or standstill.
    package static let zero = GroundVector(north: 0, east: 0)

    /// The vector of a `length` towards `courseDegrees`, true.
    package init(length: Double, courseDegrees: Double) {
        self.init(length: length, course: Trigonometry.radians(degrees: courseDegrees))
    }

    /// The same towards `course`, radians.
    init(length: Double, course: Double) {
        north = length * Trigonometry.cosine(course)
        east = length * Trigonometry.sine(course)
    }

    /// The vector with these parts.
    package init(north: Double, east: Double) {
        self.north = north
        self.east = east
    }

    /// Metres, or metres a second; never negative.
    package var length: Double { (north * north + east * east).squareRoot() }

    /// Radians, clockwise from north, -π to π.
    var course: Double { Trigonometry.arcTangent(y: east, x: north) }

    /// Degrees, true, 0 up to but not 360.
    var courseDegrees: Double {
        let degrees = Trigonometry.degrees(radians: course)
        let turned = degrees < 0 ? degrees + 360 : degrees
        return turned < 360 ? turned : 0
    }

    func dot(_ other: GroundVector) -> Double { north * other.north + east * other.east }

    /// One displacement after the other.
    package static func + (left: GroundVector, right: GroundVector) -> GroundVector {
        GroundVector(north: left.north + right.north, east: left.east + right.east)
    }

    /// The displacement from the end of `right` to the end of `left`.
    package static func - (left: GroundVector, right: GroundVector) -> GroundVector {
        GroundVector(north: left.north - right.north, east: left.east - right.east)
    }

    /// The vector, `factor` times as long; the other way round where `factor` is negative.
    package static func * (vector: GroundVector, factor: Double) -> GroundVector {
        GroundVector(north: vector.north * factor, east: vector.east * factor)
    }
}

extension Place {
    private static let semiMajorMetres = 6_378_137.0
    private static let eccentricitySquared = 6.694_379_990_141_316e-3

    /// Radii of curvature at this latitude, metres: along the meridian, and across it.
    private var radii: (meridian: Double, transverse: Double) {
        let sine = Trigonometry.sine(Trigonometry.radians(degrees: latitudeDegrees))
        let square = 1 - Place.eccentricitySquared * sine * sine
        let transverse = Place.semiMajorMetres / square.squareRoot()
        return (transverse * (1 - Place.eccentricitySquared) / square, transverse)
    }

    /// How far north and east `other` lies, metres: for distances of a few kilometres.
    package func displacement(to other: Place) -> GroundVector {
        let middle = Place(
            latitudeDegrees: (latitudeDegrees + other.latitudeDegrees) / 2, longitudeDegrees: 0)
        let radii = middle.radii
        let north = Trigonometry.radians(degrees: other.latitudeDegrees - latitudeDegrees)
        let east = Trigonometry.wrapped(
            Trigonometry.radians(degrees: other.longitudeDegrees - longitudeDegrees))
        let cosine = Trigonometry.cosine(Trigonometry.radians(degrees: middle.latitudeDegrees))
        return GroundVector(
            north: north * radii.meridian, east: east * radii.transverse * cosine)
    }

    /// The place that lies `way` metres from here along the great circle, and `velocity` in the
    /// directions of that place, where north may point elsewhere.
    ///
    /// Turning a unit vector needs no division by the cosine of the latitude: so that poles and the
    /// date line need no care.
    package func moved(by way: GroundVector, carrying velocity: GroundVector) -> (
        Place, GroundVector
    ) {
        if way == .zero { return (self, velocity) }
        let radii = radii
        let angles = GroundVector(
            north: way.north / radii.meridian, east: way.east / radii.transverse)
        let angle = angles.length
        let start = Frame(place: self)
        let ahead = start.horizontal(angles * (1 / angle))
        let up = start.up * Trigonometry.cosine(angle) + ahead * Trigonometry.sine(angle)
        let end = Place(
            latitudeDegrees: Trigonometry.degrees(
                radians: Trigonometry.arcTangent(
                    y: up.z, x: (up.x * up.x + up.y * up.y).squareRoot())),
            longitudeDegrees: Trigonometry.degrees(
                radians: Trigonometry.arcTangent(y: up.y, x: up.x)))
        let frame = Frame(place: end)
        let turning = start.up * -Trigonometry.sine(angle) + ahead * Trigonometry.cosine(angle)
        let along = start.horizontal(velocity).dot(ahead)
        let moved = start.horizontal(velocity) + (turning - ahead) * along
        return (end, GroundVector(north: moved.dot(frame.north), east: moved.dot(frame.east)))
    }
}

/// The directions north, east and up at a place, as vectors in the frame of the Earth.
private struct Frame {
    struct Vector {
        var x: Double
        var y: Double
        var z: Double

        func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

        static func + (left: Vector, right: Vector) -> Vector {
            Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
        }

        static func - (left: Vector, right: Vector) -> Vector {
            Vector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
        }

        static func * (vector: Vector, factor: Double) -> Vector {
            Vector(x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
        }
    }

    let north: Vector
    let east: Vector
    let up: Vector

    init(place: Place) {
        let latitude = Trigonometry.radians(degrees: place.latitudeDegrees)
        let longitude = Trigonometry.radians(degrees: place.longitudeDegrees)
        let (sineLatitude, cosineLatitude) = (
            Trigonometry.sine(latitude), Trigonometry.cosine(latitude)
        )
        let (sineLongitude, cosineLongitude) = (
            Trigonometry.sine(longitude), Trigonometry.cosine(longitude)
        )
        up = Vector(
            x: cosineLatitude * cosineLongitude, y: cosineLatitude * sineLongitude, z: sineLatitude)
        north = Vector(
            x: -sineLatitude * cosineLongitude, y: -sineLatitude * sineLongitude, z: cosineLatitude)
        east = Vector(x: -sineLongitude, y: cosineLongitude, z: 0)
    }

    func horizontal(_ vector: GroundVector) -> Vector {
        north * vector.north + east * vector.east
    }
}
