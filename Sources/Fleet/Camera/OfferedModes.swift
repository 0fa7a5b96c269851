package import OsmoProtocol

extension CameraSummary {
    /// Modes that can be asked for by command: those of its model and lens group, without those that
    /// it refused or did not confirm. Of an unknown model all that have a name.
    package var offeredModes: [CameraMode] {
        let all: [CameraMode] =
            switch model {
            case .action4, .action5Pro, .action6: Self.actionModes
            case .osmo360:
                // The lens group is chosen on the camera; no command changes it (protocol 3.8).
                status?.mode.isPanoramic == false ? Self.singleLensModes : Self.panoramicModes
            case .other, nil: CameraMode.named
            }
        return all.filter { !refusedModes.contains($0.rawValue) }
    }

    private static let actionModes: [CameraMode] = [
        .slowMotion, .video, .timelapse, .photo, .hyperlapse, .supernight, .tracking,
    ]

    private static let panoramicModes: [CameraMode] = [
        .panoVideo, .panoHyperlapse, .panoTimelapse, .selfie, .panoPhoto, .vortex, .panoSupernight,
    ]

    private static let singleLensModes: [CameraMode] = [
        .slowMotion, .video, .timelapse, .photo, .hyperlapse, .boostVideo, .singleSupernight,
    ]
}
