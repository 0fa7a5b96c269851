/// 1D02, the camera's status push (protocol 3.7). Fields that a shorter payload lacks are nil.
package struct CameraStatus: Equatable, Sendable {
    package var mode: CameraMode
    /// 0 screen off, 1 live view, 2 playback, 3 photo or recording, 5 pre-recording.
    package var activity: UInt8
    package var resolution: UInt8
    package var frameRateIndex: UInt8
    package var stabilization: UInt8
    /// Seconds, pre-record included; in burst photo the limit in ms.
    package var recordTime: UInt16
    package var fieldOfView: UInt8?
    package var photoRatio: UInt8?
    package var countdownSeconds: UInt16?
    package var timelapseInterval: UInt16?
    package var timelapseDurationSeconds: UInt16?
    package var cardFreeMegabytes: UInt32?
    package var remainingPhotos: UInt32?
    package var remainingSeconds: UInt32?
    package var userMode: UInt8?
    /// 0 normal, 3 asleep.
    package var powerMode: UInt8?
    package var nextMode: CameraMode?
    /// 0 normal, 1 warm, 2 too hot to record, 3 shutting down.
    package var temperature: UInt8?
    package var photoCountdownMilliseconds: UInt32?
    package var loopRecordSeconds: UInt16?
    package var batteryPercent: UInt8?
}

/// A camera mode by its code; codes without a name stay visible as hex (protocol 3.7).
package struct CameraMode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// 1D06, mode and parameters as the camera's own screen words them (protocol 3.7).
package struct StatusText: Equatable, Sendable {
    package var mode: String
    package var parameters: String
}
