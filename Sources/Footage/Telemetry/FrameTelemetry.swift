/// The fields of one frame's telemetry that are used: `3-…` of the sample.
package struct FrameTelemetry: Equatable, Sendable {
    /// 3-1-1: the number of the frame.
    package var sequence: UInt64 = 0
    /// 3-1-2: the camera's clock, microseconds since it was turned on; nil where it is missing.
    package var microseconds: Int64?
    /// 3-4-1-4: how the camera names its hardware, as `DJI AC004`.
    package var cameraCode = ""
    /// 3-4-2: nil without a fix.
    package var place: HeldPlace?
    /// The place lies on the grid of 1e-7 degrees that a push has.
    package var isOnGrid = false
    /// 3-4-2-6-1, seconds since 1970 if its zone were UTC.
    package var storedSeconds: Int64?
}

/// A position exactly as it was pushed: by it a clip's frames are found in a push log.
package struct HeldPlace: Hashable, Sendable {
    /// Degrees times 10⁷, north positive.
    package var latitudeE7: Int32
    /// Degrees times 10⁷, east positive.
    package var longitudeE7: Int32
    /// Above mean sea level.
    package var heightMillimetres: Int32

    /// A position; nothing is checked.
    package init(latitudeE7: Int32, longitudeE7: Int32, heightMillimetres: Int32) {
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
        self.heightMillimetres = heightMillimetres
    }
}

/// The fields about the camera and the stream in a clip's first telemetry: `1-…` and `2-…`.
package struct CameraTelemetry: Equatable, Sendable {
    /// 1-1-1: `dvtm_ac204.proto`, by which the model is known.
    package var schema = ""
    /// 1-1-5: the serial number.
    package var serial = ""
    /// 1-1-6: the firmware's version.
    package var firmware = ""
    /// 1-1-9: microseconds since the camera was turned on.
    package var microseconds: Int64?
    /// 1-1-10: the name that the camera states.
    package var product = ""
    /// 2-3-1: columns of the picture, pixels; 0 where it does not say.
    package var width: UInt64 = 0
    /// 2-3-2: rows of the picture, pixels; 0 where it does not say.
    package var height: UInt64 = 0
    /// 2-3-3: frames a second; 0 where it does not say.
    package var framesPerSecond: Float = 0

    /// The model's name for people; nil where the schema is not known.
    package var model: String? {
        for (word, name) in Self.models where schema.contains(word) { return name }
        return nil
    }

    private static let models = [
        ("ac203", "Osmo Action 4"), ("ac204", "Osmo Action 5 Pro"), ("ac206", "Osmo Action 6"),
        ("oq101", "Osmo 360"),
    ]
}
