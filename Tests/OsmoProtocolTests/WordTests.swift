import OsmoProtocol
import Testing

@Suite struct WordTests {
    @Test(
        "a mode has a name and is found by it",
        arguments: [
            (0x00, "slow-motion"), (0x01, "video"), (0x02, "timelapse"), (0x05, "photo"),
            (0x0A, "hyperlapse"), (0x1A, "livestream"), (0x23, "webcam"), (0x28, "supernight"),
            (0x34, "tracking"), (0x38, "pano-video"), (0x3A, "pano-hyperlapse"),
            (0x3B, "pano-timelapse"), (0x3C, "selfie"), (0x3F, "pano-photo"), (0x41, "boost-video"),
            (0x43, "vortex"), (0x44, "pano-supernight"), (0x4A, "single-supernight"),
        ] as [(UInt8, String)])
    func modeHasNameFound(code: UInt8, name: String) {
        #expect(CameraMode(rawValue: code).description == name)
        #expect(CameraMode(name: name)?.rawValue == code)
        #expect(CameraMode(name: name.uppercased()) == nil)
    }

    @Test("a code without a name stays visible") func codeWithoutNameStaysVisible() {
        let unnamed = (0...255).map { CameraMode(rawValue: $0) }.filter { $0.name == nil }
        #expect(unnamed.count == 256 - CameraMode.named.count)
        #expect(CameraMode(rawValue: 0x2B).description == "0x2B")
        #expect(CameraMode(name: "0x2B") == nil)
        let status = CameraStatus(
            mode: .video, activity: 1, resolution: 0x6F, frameRateIndex: 0x0B, stabilization: 9)
        #expect(status.resolutionWord(model: .action6) == "0x6F")
        #expect(status.framesPerSecond == nil)
        #expect(status.frameRateWord == "0x0B")
        #expect(status.stabilizationWord == "0x09")
        #expect(CameraModel(deviceID: 0xFF77).description == "0xFF77")
        #expect(CameraModel.other(0x1A).description == "0x001A")
    }

    @Test(
        "a resolution has its word",
        arguments: [
            (10, "1080p"), (16, "4K 16:9"), (45, "2.7K 16:9"), (66, "1080p 9:16"),
            (67, "2.7K 9:16"),
            (95, "2.7K 4:3"), (103, "4K 4:3"), (109, "4K 9:16"),
        ] as [(UInt8, String)])
    func resolutionHasWord(code: UInt8, word: String) {
        let status = CameraStatus(mode: .video, activity: 1, resolution: code)
        #expect(status.resolutionWord(model: .action4) == word)
    }

    @Test(
        "a frame rate has its number",
        arguments: [
            (1, 24), (2, 25), (3, 30), (4, 48), (5, 50), (6, 60), (7, 120), (8, 240), (10, 100),
            (19, 200),
        ] as [(UInt8, Int)])
    func frameRateHasNumber(index: UInt8, frames: Int) {
        let status = CameraStatus(mode: .slowMotion, activity: 1, frameRateIndex: index)
        #expect(status.framesPerSecond == frames)
        #expect(status.frameRateWord == String(frames))
    }

    @Test("image sizes depend on the model") func imageSizesDependModel() {
        func word(_ code: UInt8, _ model: CameraModel?) -> String? {
            CameraStatus(mode: .photo, activity: 1, resolution: code).resolutionWord(model: model)
        }
        #expect(word(4, .action5Pro) == "L")
        #expect(word(3, nil) == "M")
        #expect(word(4, .osmo360) == "ultra-wide 30 MP")
        #expect(word(3, .osmo360) == "wide 20 MP")
        #expect(word(2, .osmo360) == "standard 12 MP")
        #expect(word(2, .action4) == "0x02")
    }

    @Test("modes above tracking hide resolution and frame rate")
    func modesAboveTrackingHideResolution() {
        for code in UInt8.min...UInt8.max {
            let status = CameraStatus(
                mode: CameraMode(rawValue: code), activity: 1, resolution: 16, frameRateIndex: 6)
            #expect((status.resolutionWord(model: .osmo360) == nil) == (code > 0x34))
            let photo = code == 0x05
            #expect((status.frameRateWord == nil) == (code > 0x34 || photo))
        }
    }

    @Test("recording is activity 3 outside photo modes") func recordingActivity3OutsidePhoto() {
        func status(_ mode: CameraMode, _ activity: UInt8) -> CameraStatus {
            CameraStatus(mode: mode, activity: activity)
        }
        #expect(status(.video, 3).isRecording)
        #expect(status(.panoVideo, 3).isRecording)
        #expect(status(CameraMode(rawValue: 0x77), 3).isRecording)
        #expect(!status(.photo, 3).isRecording)
        #expect(!status(.panoPhoto, 3).isRecording)
        for activity: UInt8 in [0, 1, 2, 5] { #expect(!status(.video, activity).isRecording) }
        #expect(status(.video, 5).isPreRecording)
    }

    @Test("what a short status lacks is unknown") func whatShortStatusLacksUnknown() {
        let whole = [UInt8](repeating: 1, count: CameraStatus.length)
        for count in 0...CameraStatus.length {
            let payload = Array(whole.prefix(count))
            guard count >= CameraStatus.minimumLength else {
                #expect(CameraStatus(payload: payload) == nil)
                continue
            }
            guard let status = CameraStatus(payload: payload) else {
                Issue.record("\(count) bytes are not read")
                continue
            }
            #expect((status.batteryPercent == nil) == (count < 38))
            #expect((status.temperature == nil) == (count < 31))
            #expect((status.temperatureWord == nil) == (count < 31))
            #expect((status.cardFreeMegabytes == nil) == (count < 19))
            #expect(status.payload.count <= count)
            #expect(Array(payload.prefix(status.payload.count)) == status.payload)
        }
    }

    @Test("temperatures and return codes have words") func temperaturesReturnCodesHaveWords() {
        var status = CameraStatus(mode: .video, activity: 1)
        let words: [String?] = (UInt8(0)...4).map {
            status.temperature = $0
            return status.temperatureWord
        }
        #expect(words == ["normal", "warm", "hot", "shutdown", "0x04"])
        #expect(ReturnCode(rawValue: 2).description == "execution failed")
        #expect(ReturnCode(rawValue: 0x7E).description == "0x7E")
    }

    @Test("cameras are named after model and address") func camerasNamedAfterModelAddress() throws {
        let address = try #require(BluetoothAddress("60:60:1f:60:11:E7"))
        let names = [CameraModel.action4, .action5Pro, .action6, .osmo360, .other(9)].map {
            $0.proposedName(address: address)
        }
        #expect(
            names == [
                "action4-11e7", "action5pro-11e7", "action6-11e7", "osmo360-11e7", "camera-11e7",
            ])
        #expect(address.description == "60:60:1F:60:11:E7")
    }

    @Test("every panoramic counterpart is panoramic") func everyPanoramicCounterpartPanoramic() {
        let plain = CameraMode.named.filter { $0.panoramicCounterpart != nil }
        #expect(plain == [.video, .timelapse, .photo, .hyperlapse, .supernight])
        #expect(plain.allSatisfy { !$0.isPanoramic && $0.panoramicCounterpart!.isPanoramic })
    }

    @Test("hostile text cannot carry control bytes") func hostileTextCannotCarryControl() throws {
        var payload = StatusText(mode: "VIDEO", parameters: "x").payload
        payload[2] = 0x1B
        payload[3] = 0xFF
        let text = try #require(StatusText(payload: payload))
        #expect(text.mode == "??DEO")
    }
}

@Suite struct AdvertisementTests {
    @Test(
        "a sender is told by its manufacturer data",
        arguments: [
            ("AA0810000000", CameraAdvertisement.unsupported("DJI Action 2")),
            ("AA0812000000", .unsupported("Osmo Action 3")),
            ("AA0814000000", .unsupported("Osmo Action 4 without R SDK")),
            ("AA0819000000", .unsupported("Osmo Nano")),
            ("AA082000C000", .unsupported("Osmo Pocket 3")),
            ("AA0821000000", .unsupported("Osmo Pocket 4")),
            ("AA0822000000", .unsupported("Osmo Pocket 4 Pro")),
            ("AA081400FA", .supported(.action4)), ("AA081500FA", .supported(.action5Pro)),
            ("AA081700FA", .supported(.osmo360)), ("AA081800FA", .supported(.action6)),
            ("AA081900FA", .supported(.other(0x19))), ("AA083001FA", .supported(.other(0x130))),
            ("AA08770000", .notACamera), ("AA081400", .notACamera), ("AA", .notACamera),
            ("", .notACamera), ("4C001400FA", .notACamera),
        ])
    func senderToldManufacturerData(hex: String, told: CameraAdvertisement) {
        #expect(CameraAdvertisement(manufacturerData: [UInt8](hexadecimal: hex)!) == told)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "60:60:1F:60:11", "60:60:1F:60:11:E7:00", "60-60-1F-60-11-E7", "606:0:1F:60:11:E7",
            "6g:60:1F:60:11:E7", "", "60:60:1F:60:11:E7 ",
        ])
    func whatNoAddressRefused(text: String) {
        #expect(BluetoothAddress(text) == nil)
    }

    @Test("what is no hexadecimal is refused", arguments: ["0", "0g", "AA 08", "0xAA"])
    func whatNoHexadecimalRefused(text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }

    @Test("a wake payload with anything added calls nobody") func wakePayloadAnythingAddedCalls()
        throws
    {
        let camera = try #require(BluetoothAddress("60:60:1F:C7:50:96"))
        let payload = WakeAdvertisement.payload(for: camera)
        #expect(WakeAdvertisement.target(of: [2, 1, 6] + payload) == nil)
        #expect(WakeAdvertisement.target(of: payload + [0]) == nil)
        #expect(WakeAdvertisement.target(of: Array(payload.dropLast())) == nil)
    }
}
