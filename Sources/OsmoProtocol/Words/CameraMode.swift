/// A camera mode by its code; codes without a name stay visible as hex (protocol 3.7). It is
/// inlined into other modules, which compare it at each status push.
@usableFromInline
package struct CameraMode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code, as it stands in the frame.
    @usableFromInline package var rawValue: UInt8
    /// Any code makes a mode, named or not.
    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 00: slow motion; factor is the frame rate over 30.
    @inlinable package static var slowMotion: CameraMode { CameraMode(rawValue: 0x00) }
    /// 01: video, on all models.
    @inlinable package static var video: CameraMode { CameraMode(rawValue: 0x01) }
    /// 02: time-lapse.
    @inlinable package static var timelapse: CameraMode { CameraMode(rawValue: 0x02) }
    /// 05: photo, bursts too.
    @inlinable package static var photo: CameraMode { CameraMode(rawValue: 0x05) }
    /// 0A: hyperlapse.
    @inlinable package static var hyperlapse: CameraMode { CameraMode(rawValue: 0x0A) }
    /// 1A: live streaming.
    @inlinable package static var livestream: CameraMode { CameraMode(rawValue: 0x1A) }
    /// 23: a webcam over USB (UVC).
    @inlinable package static var webcam: CameraMode { CameraMode(rawValue: 0x23) }
    /// 28: SuperNight, video in low light.
    @inlinable package static var supernight: CameraMode { CameraMode(rawValue: 0x28) }
    /// 34: video that tracks a subject. In modes of a higher code resolution and frame rate are not
    /// dependable.
    @inlinable package static var tracking: CameraMode { CameraMode(rawValue: 0x34) }
    /// 38: panoramic video of an Osmo 360.
    @inlinable package static var panoVideo: CameraMode { CameraMode(rawValue: 0x38) }
    /// 3A: hyperlapse of an Osmo 360, panoramic.
    @inlinable package static var panoHyperlapse: CameraMode { CameraMode(rawValue: 0x3A) }
    /// 3B: panoramic time-lapse of an Osmo 360; not in DJI's documents.
    @inlinable package static var panoTimelapse: CameraMode { CameraMode(rawValue: 0x3B) }
    /// 3C: selfie of an Osmo 360.
    @inlinable package static var selfie: CameraMode { CameraMode(rawValue: 0x3C) }
    /// 3F: panoramic photo of an Osmo 360.
    @inlinable package static var panoPhoto: CameraMode { CameraMode(rawValue: 0x3F) }
    /// 41: boost video of an Osmo 360, with a single lens.
    @inlinable package static var boostVideo: CameraMode { CameraMode(rawValue: 0x41) }
    /// 43: vortex of an Osmo 360.
    @inlinable package static var vortex: CameraMode { CameraMode(rawValue: 0x43) }
    /// 44: SuperNight of an Osmo 360, panoramic.
    @inlinable package static var panoSupernight: CameraMode { CameraMode(rawValue: 0x44) }
    /// 4A: SuperNight of an Osmo 360 with a single lens.
    @inlinable package static var singleSupernight: CameraMode { CameraMode(rawValue: 0x4A) }

    /// All that have a name, by code.
    package static let named: [CameraMode] = [
        .slowMotion, .video, .timelapse, .photo, .hyperlapse, .livestream, .webcam, .supernight,
        .tracking, .panoVideo, .panoHyperlapse, .panoTimelapse, .selfie, .panoPhoto, .boostVideo,
        .vortex, .panoSupernight, .singleSupernight,
    ]

    /// The mode of this name; nil if there is none. Codes are not names.
    package init?(name: some StringProtocol) {
        guard let mode = Self.named.first(where: { $0.name.map { $0 == name } ?? false }) else {
            return nil
        }
        self = mode
    }

    /// The name that the line protocol uses; nil for a code that nobody documents.
    package var name: String? {
        switch self {
        case .slowMotion: "slow-motion"
        case .video: "video"
        case .timelapse: "timelapse"
        case .photo: "photo"
        case .hyperlapse: "hyperlapse"
        case .livestream: "livestream"
        case .webcam: "webcam"
        case .supernight: "supernight"
        case .tracking: "tracking"
        case .panoVideo: "pano-video"
        case .panoHyperlapse: "pano-hyperlapse"
        case .panoTimelapse: "pano-timelapse"
        case .selfie: "selfie"
        case .panoPhoto: "pano-photo"
        case .boostVideo: "boost-video"
        case .vortex: "vortex"
        case .panoSupernight: "pano-supernight"
        case .singleSupernight: "single-supernight"
        default: nil
        }
    }

    /// The name, else 0xNN.
    @usableFromInline package var description: String { name ?? hexadecimalWord(rawValue) }
}

/// Properties of modes.
extension CameraMode {
    /// A shutter press takes pictures; there is nothing to start and stop.
    package var takesPhotos: Bool { self == .photo || self == .panoPhoto }

    /// The status push's resolution and frame rate cannot be relied on: 1D06 tells.
    package var hidesResolution: Bool { rawValue > CameraMode.tracking.rawValue }

    /// It uses both lenses of an Osmo 360. No command switches from a mode of one lens group to one
    /// of the other.
    package var isPanoramic: Bool {
        switch self {
        case .panoVideo, .panoHyperlapse, .panoTimelapse, .selfie, .panoPhoto, .vortex,
            .panoSupernight:
            true
        default: false
        }
    }

    /// The same kind of mode in the panoramic group of an Osmo 360; nil where there is none.
    package var panoramicCounterpart: CameraMode? {
        switch self {
        case .video: .panoVideo
        case .photo: .panoPhoto
        case .hyperlapse: .panoHyperlapse
        case .timelapse: .panoTimelapse
        case .supernight: .panoSupernight
        default: nil
        }
    }
}
