/// What the manufacturer data of an advertisement says about its sender (protocol 1.1).
package enum CameraAdvertisement: Equatable, Sendable {
    /// Speaks R SDK (the FA flag); an unknown model byte counts.
    case supported(CameraModel)
    /// A DJI camera that speaks another protocol, with its name for people.
    case unsupported(String)
    /// Not DJI's, or too short to tell.
    case notACamera
}
