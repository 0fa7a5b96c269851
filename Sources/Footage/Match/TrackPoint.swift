/// A row of a track.
package struct TrackPoint: Equatable, Sendable {
    /// Since 1970.
    package var microseconds: Int64
    package var latitudeDegrees: Double
    package var longitudeDegrees: Double

    package init(microseconds: Int64, latitudeDegrees: Double, longitudeDegrees: Double) {
        self.microseconds = microseconds
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
    }
}
