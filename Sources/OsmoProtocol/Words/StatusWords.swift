/// The codes of a status push in people's words (protocol 3.7); 0xNN for a code without one.
extension CameraStatus {
    /// `4K 16:9`, or an image size in photo mode; nil in modes that hide it.
    ///
    /// - Parameter model: image sizes are an Osmo 360's or the Action series'.
    package func resolutionWord(model: CameraModel?) -> String? {
        guard !mode.hidesResolution else { return nil }
        let word = mode == .photo ? imageSize(model: model) : videoResolution
        return word ?? hexadecimalWord(resolution)
    }

    /// Frames a second; nil in photo mode, in modes that hide it, and for codes without a meaning.
    package var framesPerSecond: Int? {
        guard !mode.hidesResolution, !mode.takesPhotos else { return nil }
        return switch frameRateIndex {
        case 1: 24
        case 2: 25
        case 3: 30
        case 4: 48
        case 5: 50
        case 6: 60
        case 7: 120
        case 8: 240
        case 10: 100
        case 19: 200
        default: nil
        }
    }

    /// `60`, or 0xNN; nil where there is no frame rate.
    package var frameRateWord: String? {
        guard !mode.hidesResolution, !mode.takesPhotos else { return nil }
        return framesPerSecond.map { String($0) } ?? hexadecimalWord(frameRateIndex)
    }

    /// `off RS HS RS+ HB`
    package var stabilizationWord: String {
        switch stabilization {
        case 0: "off"
        case 1: "RS"
        case 2: "HS"
        case 3: "RS+"
        case 4: "HB"
        default: hexadecimalWord(stabilization)
        }
    }

    /// `normal warm hot shutdown`; nil where the status does not say.
    package var temperatureWord: String? {
        guard let temperature else { return nil }
        return switch temperature {
        case 0: "normal"
        case 1: "warm"
        case 2: "hot"
        case 3: "shutdown"
        default: hexadecimalWord(temperature)
        }
    }

    private var videoResolution: String? {
        switch resolution {
        case 10: "1080p"
        case 16: "4K 16:9"
        case 45: "2.7K 16:9"
        case 66: "1080p 9:16"
        case 67: "2.7K 9:16"
        case 95: "2.7K 4:3"
        case 103: "4K 4:3"
        case 109: "4K 9:16"
        default: nil
        }
    }

    private func imageSize(model: CameraModel?) -> String? {
        switch (model == .osmo360, resolution) {
        case (false, 4): "L"
        case (false, 3): "M"
        case (true, 4): "ultra-wide 30 MP"
        case (true, 3): "wide 20 MP"
        case (true, 2): "standard 12 MP"
        default: nil
        }
    }
}
