/// 1D02, the camera's status push (protocol 3.7). Fields that a shorter payload lacks are nil.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u8 | mode |
/// | 1 | u8 | activity |
/// | 2 | u8 | resolution |
/// | 3 | u8 | frame rate |
/// | 4 | u8 | stabilisation |
/// | 5 | u16 | record time |
/// | 7 | u8 | field of view |
/// | 8 | u8 | photo ratio |
/// | 9 | u16 | countdown |
/// | 11 | u16 | time-lapse interval |
/// | 13 | u16 | time-lapse duration |
/// | 15 | u32 | card, MB free |
/// | 19 | u32 | photos left |
/// | 23 | u32 | seconds left |
/// | 27 | u8 | user mode |
/// | 28 | u8 | power mode |
/// | 29 | u8 | next mode |
/// | 30 | u8 | temperature; older Action 4 firmware ends here |
/// | 31 | u32 | photo countdown |
/// | 35 | u16 | loop recording |
/// | 37 | u8 | battery |
package struct CameraStatus: Message {
    /// 1D02, from the camera.
    package static let opcode = Opcode.status
    /// Only the type that we would send: an Osmo 360 sends 01 instead (protocol 2.2).
    package static let type = FrameType.push
    /// Bytes of the payload in current firmware. More is ignored.
    package static let length = 38
    /// The same in older Action 4 firmware.
    package static let shortLength = 31
    /// A payload of fewer bytes is no status.
    package static let minimumLength = 7

    /// The mode that the camera is in.
    package var mode: CameraMode
    /// 0 screen off, 1 live view, 2 playback, 3 photo or recording, 5 pre-recording.
    package var activity: UInt8
    /// A code of the table in protocol 3.7, in photo mode the size of the picture. Not dependable
    /// where `mode.hidesResolution`.
    package var resolution: UInt8
    /// A code, not a rate: 3 is 30 frames a second (protocol 3.7). In photo mode the pictures of a
    /// burst, 1 for a single one.
    package var frameRateIndex: UInt8
    /// 0 off, 1 RS, 2 HS, 3 RS+, 4 HB: DJI's names for its kinds of electronic stabilisation.
    package var stabilization: UInt8
    /// Seconds, pre-record included; in burst photo the limit in ms.
    package var recordTime: UInt16
    /// Reserved by DJI: no source says what its values mean.
    package var fieldOfView: UInt8?
    /// 0 4:3, 1 16:9; on an Osmo 360 4 is 2:1.
    package var photoRatio: UInt8?
    /// The countdown that the camera shows, seconds.
    package var countdownSeconds: UInt16?
    /// In time-lapse in units of 0.1 s; in hyperlapse the rate, 0 for automatic.
    package var timelapseInterval: UInt16?
    /// Seconds that a time-lapse is set to last.
    package var timelapseDurationSeconds: UInt16?
    /// Free space on the card, MB.
    package var cardFreeMegabytes: UInt32?
    /// How many more photos fit on the card.
    package var remainingPhotos: UInt32?
    /// How many more seconds of video fit on the card.
    package var remainingSeconds: UInt32?
    /// 0 general, 1 to 5 custom.
    package var userMode: UInt8?
    /// 0 normal, 3 asleep.
    package var powerMode: UInt8?
    /// What quick switch is about to select; else the mode.
    package var nextMode: CameraMode?
    /// 0 normal, 1 warm, 2 too hot to record, 3 shutting down.
    package var temperature: UInt8?
    /// The self-timer, milliseconds; the camera's menu offers 500 to 10,000.
    package var photoCountdownMilliseconds: UInt32?
    /// 0 off, 65535 the longest.
    package var loopRecordSeconds: UInt16?
    /// Charge of the battery, 0 to 100 percent.
    package var batteryPercent: UInt8?

    /// What every payload has; the rest unknown.
    package init(
        mode: CameraMode, activity: UInt8, resolution: UInt8 = 0, frameRateIndex: UInt8 = 0,
        stabilization: UInt8 = 0, recordTime: UInt16 = 0
    ) {
        self.mode = mode
        self.activity = activity
        self.resolution = resolution
        self.frameRateIndex = frameRateIndex
        self.stabilization = stabilization
        self.recordTime = recordTime
    }

    /// nil for fewer than `minimumLength` bytes. Bytes after the first 38 are ignored.
    package init?(payload: [UInt8]) {
        let count = payload.count
        guard count >= Self.minimumLength else { return nil }
        mode = CameraMode(rawValue: payload[0])
        activity = payload[1]
        resolution = payload[2]
        frameRateIndex = payload[3]
        stabilization = payload[4]
        recordTime = payload.littleEndian16(at: 5)
        fieldOfView = count >= 8 ? payload[7] : nil
        photoRatio = count >= 9 ? payload[8] : nil
        countdownSeconds = count >= 11 ? payload.littleEndian16(at: 9) : nil
        timelapseInterval = count >= 13 ? payload.littleEndian16(at: 11) : nil
        timelapseDurationSeconds = count >= 15 ? payload.littleEndian16(at: 13) : nil
        cardFreeMegabytes = count >= 19 ? payload.littleEndian32(at: 15) : nil
        remainingPhotos = count >= 23 ? payload.littleEndian32(at: 19) : nil
        remainingSeconds = count >= 27 ? payload.littleEndian32(at: 23) : nil
        userMode = count >= 28 ? payload[27] : nil
        powerMode = count >= 29 ? payload[28] : nil
        nextMode = count >= 30 ? CameraMode(rawValue: payload[29]) : nil
        temperature = count >= 31 ? payload[30] : nil
        photoCountdownMilliseconds = count >= 35 ? payload.littleEndian32(at: 31) : nil
        loopRecordSeconds = count >= 37 ? payload.littleEndian16(at: 35) : nil
        batteryPercent = count >= 38 ? payload[37] : nil
    }

    /// Ends before the first field that is nil.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        bytes.append(mode.rawValue)
        bytes.append(activity)
        bytes.append(resolution)
        bytes.append(frameRateIndex)
        bytes.append(stabilization)
        bytes.append(littleEndian: recordTime)
        guard let fieldOfView else { return bytes }
        bytes.append(fieldOfView)
        guard let photoRatio else { return bytes }
        bytes.append(photoRatio)
        for value in [countdownSeconds, timelapseInterval, timelapseDurationSeconds] {
            guard let value else { return bytes }
            bytes.append(littleEndian: value)
        }
        for value in [cardFreeMegabytes, remainingPhotos, remainingSeconds] {
            guard let value else { return bytes }
            bytes.append(littleEndian: value)
        }
        for value in [userMode, powerMode, nextMode?.rawValue, temperature] {
            guard let value else { return bytes }
            bytes.append(value)
        }
        guard let photoCountdownMilliseconds else { return bytes }
        bytes.append(littleEndian: photoCountdownMilliseconds)
        guard let loopRecordSeconds else { return bytes }
        bytes.append(littleEndian: loopRecordSeconds)
        guard let batteryPercent else { return bytes }
        bytes.append(batteryPercent)
        return bytes
    }
}

/// What follows from the fields.
extension CameraStatus {
    /// A video, of whatever kind, is being recorded. Taking a photo is not.
    package var isRecording: Bool { activity == 3 && !mode.takesPhotos }
    /// The camera fills its pre-record buffer: nothing is kept yet.
    package var isPreRecording: Bool { activity == 5 }
    /// The camera says that it sleeps: nothing may be sent to it (protocol 3.6). False where a
    /// short payload does not tell.
    package var isAsleep: Bool { powerMode == 3 }
    /// Too hot to record, or shutting down for it.
    package var isOverheated: Bool { (temperature ?? 0) >= 2 }
}
