package import OsmoProtocol

extension CameraModel {
    /// The modes that a camera of this model can be switched to by command: the one rule behind
    /// `modes`, the refusal of `mode` and the completions.
    ///
    /// - Parameter present: the mode that it is in, from which an Osmo 360's lens group follows; that
    ///   group is chosen on the camera, and no command changes it (protocol 3.8). nil where it is not
    ///   known: then the modes of both groups.
    package func offeredModes(from present: CameraMode?) -> [CameraMode] {
        switch self {
        case .action4, .action5Pro, .action6: Self.actionModes
        case .osmo360:
            switch present?.isPanoramic {
            case true?: Self.panoramicModes
            case false?: Self.singleLensModes
            case nil: Self.panoramicModes + Self.singleLensModes
            }
        case .other: CameraMode.named
        }
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

extension CameraSummary {
    /// The modes that can be asked for: those of its model and lens group, without those that it
    /// refused or did not confirm. Of an unknown model all that have a name.
    package var offeredModes: [CameraMode] {
        let all = model?.offeredModes(from: status?.mode) ?? CameraMode.named
        return all.filter { !refusedModes.contains($0.rawValue) }
    }
}
