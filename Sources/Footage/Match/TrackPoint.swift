/// A row of a track.
package struct TrackPoint: Equatable, Sendable {
    /// Microseconds since 1970.
    package var microseconds: Int64
    /// Degrees, north positive, -90 to 90.
    package var latitudeDegrees: Double
    /// Degrees, east positive, -180 to 180.
    package var longitudeDegrees: Double

    /// A row; nothing is checked.
    package init(microseconds: Int64, latitudeDegrees: Double, longitudeDegrees: Double) {
        self.microseconds = microseconds
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
    }
}
