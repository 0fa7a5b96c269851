package import Clock
package import OsmoProtocol

/// What a camera has inside: mode, card, battery, heat, and what it is doing.
package struct CameraBody: Equatable, Sendable {
    /// The model, which settles the modes that it has.
    package let model: CameraModel
    /// The lens group that an Osmo 360's owner selected.
    package var isPanoramic: Bool
    /// The mode that status pushes name.
    package var mode: CameraMode
    /// The mode that the quick switch key has chosen, and to which the camera has not switched yet;
    /// nil otherwise.
    package var nextMode: CameraMode?
    /// When the recording began; nil while none runs.
    package var recordingSince: Instant?
    /// A picture is being taken.
    package var isExposing = false
    /// Free space on the card when the current recording began, MB.
    package var cardMegabytes = 60_000
    /// Photos that still fit on the card, as the status push states them.
    package var remainingPhotos: UInt32 = 9_999
    /// Charge of the battery, 0 to 100 percent.
    package var batteryPercent: UInt8 = 87
    /// 0 normal, 1 warm, 2 too hot to record, 3 shutting down.
    package var temperature: UInt8 = 0
    /// Photos taken since the camera was made.
    package var photosTaken = 0
    /// Highlight marks set by the quick switch key during recordings (protocol 3.3).
    package var highlights = 0

    /// Below this the card counts as full, MB.
    package static let fullCard = 50

    /// A camera in its video mode, an Osmo 360 in the panoramic one, with room on its card.
    package init(model: CameraModel) {
        self.model = model
        isPanoramic = model == .osmo360
        mode = model == .osmo360 ? .panoVideo : .video
    }

    /// A recording runs. Pre-recording is not simulated.
    package var isRecording: Bool { recordingSince != nil }

    /// The modes that this camera has, whatever its lens.
    package var modes: [CameraMode] {
        switch model {
        case .osmo360:
            [
                .panoVideo, .panoHyperlapse, .panoTimelapse, .selfie, .panoPhoto, .vortex,
                .panoSupernight, .video, .photo, .hyperlapse, .timelapse, .slowMotion,
                .boostVideo, .singleSupernight,
            ]
        case .action4: [.slowMotion, .video, .timelapse, .photo, .hyperlapse, .webcam]
        case .action5Pro, .action6, .other:
            [
                .slowMotion, .video, .timelapse, .photo, .hyperlapse, .livestream, .webcam,
                .supernight, .tracking,
            ]
        }
    }

    /// The modes that the quick switch key goes through, in this order.
    package var quickList: [CameraMode] {
        model == .osmo360 && isPanoramic
            ? [.panoVideo, .panoPhoto] : [.video, .photo, .slowMotion]
    }

    /// Free space on the card at `now`, MB.
    func cardMegabytes(at now: Instant, rate: Int) -> Int {
        guard let recordingSince else { return cardMegabytes }
        let seconds = (now - recordingSince).nanoseconds / 1_000_000_000
        return max(0, cardMegabytes - Int(seconds) * rate)
    }

    /// When recording will have filled the card.
    func cardFull(rate: Int) -> Instant? {
        guard let recordingSince, rate > 0 else { return nil }
        let left = max(0, cardMegabytes - Self.fullCard)
        return recordingSince + .seconds((left + rate - 1) / rate)
    }

    /// Why the camera cannot record just now; nil where it can.
    var recordRefusal: ReturnCode? {
        mode.takesPhotos || cardMegabytes <= Self.fullCard || temperature >= 2 ? .failed : nil
    }

    /// What its status push says.
    func status(at now: Instant, isAsleep: Bool, isOld: Bool, rate: Int) -> CameraStatus {
        let card = cardMegabytes(at: now, rate: rate)
        let isActive = isRecording || isExposing
        var status = CameraStatus(
            mode: mode, activity: isAsleep ? 0 : isActive ? 3 : 1, resolution: resolution,
            frameRateIndex: mode.takesPhotos ? 1 : 6, stabilization: mode.takesPhotos ? 0 : 3,
            recordTime: recordingSince.map {
                UInt16(clamping: (now - $0).nanoseconds / 1_000_000_000)
            } ?? 0)
        status.fieldOfView = 0
        status.photoRatio = mode.takesPhotos ? 1 : 0
        status.countdownSeconds = 0
        status.timelapseInterval = mode == .timelapse ? 5 : 0
        status.timelapseDurationSeconds = 0
        status.cardFreeMegabytes = UInt32(card)
        status.remainingPhotos = remainingPhotos
        status.remainingSeconds = UInt32(rate > 0 ? card / rate : 0)
        status.userMode = 0
        status.powerMode = isAsleep ? 3 : 0
        status.nextMode = nextMode ?? mode
        status.temperature = temperature
        guard !isOld else { return status }
        status.photoCountdownMilliseconds = 0
        status.loopRecordSeconds = 0
        status.batteryPercent = batteryPercent
        return status
    }

    /// The mode and parameters as its screen words them.
    func text(isOld: Bool) -> StatusText {
        let name = mode.description.uppercased().split(separator: "-").joined(separator: " ")
        let parameters =
            switch mode {
            case .photo: model == .osmo360 ? "30MP" : "L"
            case .panoPhoto: "30MP"
            case _ where mode.isPanoramic: "8K30"
            default: "4K60 RS+"
            }
        return StatusText(
            mode: name, parameters: parameters,
            slotLength: isOld ? StatusText.oldSlot : StatusText.slot)
    }

    private var resolution: UInt8 {
        if mode.takesPhotos { return 4 }
        return mode.hidesResolution ? 0x79 : 16
    }
}
