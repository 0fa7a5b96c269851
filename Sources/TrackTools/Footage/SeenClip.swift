import Footage

extension SeenRecording {
    init(_ clip: Clip) {
        let uncertainty =
            switch clip.startBasis {
            case .acknowledged, .sent: 0.5
            case .status: 1.0
            case .counted, .track, .unseen: 2.0
            }
        self.init(
            camera: clip.camera, start: clip.start * 1000, stop: clip.stop * 1000,
            startUncertainty: uncertainty, isOpen: clip.stopBasis == .unseen)
    }
}
