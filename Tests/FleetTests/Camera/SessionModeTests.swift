import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("Modes, photos and keys")
struct SessionModeTests {
    @Test("a mode is done when status shows it")
    func mode() {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.mode(name: "photo"))
        #expect(
            script.lastSent(.modeSwitch)?.read(ModeSwitch.self)
                == ModeSwitch(deviceID: 0xFF33, mode: .photo))
        script.answer(.modeSwitch)
        script.pass(.milliseconds(900))
        script.hear(CameraStatus.photo)
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.fields == [Field("mode", "photo")])
        #expect(script.notices(.mode) == ["mode=photo from=video"])
        // The camera is in this mode already, so that nothing is sent.
        let again = script.command(.modeCode(0x05))
        #expect(script.outcome(again)?.error == nil)
        #expect(script.count(.modeSwitch) == 1)
    }

    @Test("an unknown name is a bad argument, a recording camera is busy")
    func notAMode() {
        var script = SessionScript()
        script.becomeReady(.recording)
        let answer1 = script.ask(.mode(name: "film"))
        #expect(answer1?.error == .badArgument)
        let answer2 = script.ask(.mode(name: "photo"))
        #expect(answer2?.error == .busy)
        #expect(script.count(.modeSwitch) == 0)
    }

    @Test("modes refused or not confirmed are left out of what is offered, until one works")
    func refusedModes() {
        var script = SessionScript()
        script.becomeReady()
        #expect(script.summary.offeredModes.contains(.tracking))
        script.command(.mode(name: "tracking"))
        script.answer(.modeSwitch, .failed)
        #expect(script.session.refusedModes == [.tracking])
        let silent = script.command(.modeCode(0x00))
        script.answer(.modeSwitch)
        for _ in 0..<6 {
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        }
        #expect(script.outcome(silent)?.error == .timeout)
        #expect(script.session.refusedModes == [.tracking, .slowMotion])
        #expect(!script.summary.offeredModes.contains(.tracking))
        #expect(script.summary.offeredModes.contains(.video))
        // The refusal is remembered across a lost link.
        script.handle(.linkClosed)
        script.becomeReady()
        #expect(script.session.refusedModes == [.tracking, .slowMotion])
        script.command(.mode(name: "tracking"))
        script.hear(CameraStatus.of(.tracking))
        #expect(script.session.refusedModes == [.slowMotion])
        script.handle(.forgetRefusal)
        #expect(script.session.refusedModes == [])
    }

    @Test(
        "an Osmo 360 in its panoramic group takes names in that group, hex literally",
        arguments: [
            ("video", 0x38), ("photo", 0x3F), ("hyperlapse", 0x3A), ("timelapse", 0x3B),
            ("supernight", 0x44), ("selfie", 0x3C),
        ])
    func panoramic(name: String, code: UInt8) {
        var script = SessionScript(deviceID: 0xFF66)
        script.becomeReady(.of(.vortex))
        script.command(.mode(name: name))
        #expect(script.lastSent(.modeSwitch)?.read(ModeSwitch.self)?.mode.rawValue == code)

        script = SessionScript(deviceID: 0xFF66)
        script.becomeReady(.of(.vortex))
        script.command(.modeCode(0x01))
        #expect(script.lastSent(.modeSwitch)?.read(ModeSwitch.self)?.mode == .video)

        script = SessionScript(deviceID: 0xFF66)
        script.becomeReady(.of(.boostVideo))
        let ticket = script.command(.mode(name: name))
        let sent = script.lastSent(.modeSwitch)?.read(ModeSwitch.self)?.mode
        if ["supernight", "selfie"].contains(name) {
            // The single-lens group has a supernight mode of its own, and no selfie mode.
            #expect(sent == nil)
            #expect(script.outcome(ticket)?.error == .unsupported)
        } else {
            #expect(sent == CameraMode(name: name))
        }
    }

    @Test(
        "a mode that the model does not have is refused by name without asking, and sent by code",
        arguments: ["pano-video", "boost-video", "selfie", "vortex", "livestream"])
    func otherModelsMode(name: String) throws {
        var script = SessionScript()
        script.becomeReady(.of(.video))
        let ticket = script.command(.mode(name: name))
        #expect(script.outcome(ticket)?.error == .unsupported)
        #expect(script.lastSent(.modeSwitch) == nil)
        let code = try #require(CameraMode(name: name)).rawValue
        script.command(.modeCode(code))
        #expect(script.lastSent(.modeSwitch)?.read(ModeSwitch.self)?.mode.rawValue == code)
    }

    @Test("the other lens group of an Osmo 360 is unsupported by name, and why")
    func lensGroupByName() {
        var script = SessionScript(deviceID: 0xFF66)
        script.becomeReady(.of(.panoVideo))
        let ticket = script.command(.mode(name: "boost-video"))
        #expect(script.lastSent(.modeSwitch) == nil)
        #expect(script.outcome(ticket)?.error == .unsupported)
        #expect(script.outcome(ticket)?.words?.contains("single-lens group") == true)
    }

    @Test("the other lens group of an Osmo 360 is tried by code", arguments: [true, false])
    func lensGroup(answers: Bool) {
        var script = SessionScript(deviceID: 0xFF66)
        script.becomeReady(.of(.panoVideo))
        let ticket = script.command(.modeCode(CameraMode.boostVideo.rawValue))
        script.answer(.modeSwitch, answers ? .failed : .success)
        if !answers {
            for _ in 0..<6 {
                script.pass(.milliseconds(500))
                script.hear(CameraStatus.of(.panoVideo))
            }
        }
        #expect(script.outcome(ticket)?.error == .unsupported)
        #expect(script.outcome(ticket)?.words?.contains("single-lens group") == true)
        #expect(script.session.refusedModes == [.boostVideo])
        #expect(script.summary.offeredModes.contains(.panoPhoto))
        // The person selects the other lens: the modes of that group can be reached again.
        script.hear(CameraStatus.of(.video))
        #expect(script.session.refusedModes == [])
        #expect(script.summary.offeredModes.contains(.boostVideo))
        #expect(!script.summary.offeredModes.contains(.panoVideo))
    }

    @Test(
        "record start in a photo mode switches to video, confirms, then records",
        arguments: [(UInt32(0xFF33), UInt8(0x05), UInt8(0x01)), (0xFF66, 0x3F, 0x38)])
    func recordFromPhoto(deviceID: UInt32, photo: UInt8, video: UInt8) {
        let video = CameraMode(rawValue: video)
        var script = SessionScript(deviceID: deviceID)
        script.becomeReady(.of(CameraMode(rawValue: photo)))
        let ticket = script.command(.record(.start))
        #expect(script.lastSent(.modeSwitch)?.read(ModeSwitch.self)?.mode == video)
        #expect(script.count(.record) == 0)
        script.answer(.modeSwitch)
        #expect(script.count(.record) == 0)
        script.pass(.milliseconds(500))
        script.hear(CameraStatus.of(video))
        #expect(script.lastSent(.record)?.read(RecordControl.self)?.starts == true)
        let sent = script.now
        script.answer(.record)
        script.pass(.milliseconds(500))
        script.hear(CameraStatus.of(video, activity: 3))
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.sent == sent)
        #expect(script.outcomes(ticket) == 1)
    }

    @Test("a camera still busy with the mode switch is asked to record again")
    func hastyRecord() {
        var script = SessionScript()
        script.becomeReady(.photo)
        let ticket = script.command(.record(.start))
        script.hear(CameraStatus.video)
        script.answer(.record, .failed)
        #expect(script.outcome(ticket) == nil)
        script.pass(.seconds(1.5))
        #expect(script.count(.record) == 2)
        script.answer(.record)
        script.hear(CameraStatus.recording)
        #expect(script.outcome(ticket)?.error == nil)
        // The session tries three times, then the command is refused.
        script = SessionScript()
        script.becomeReady(.photo)
        let failing = script.command(.record(.start))
        script.hear(CameraStatus.video)
        for _ in 0..<3 {
            script.answer(.record, .failed)
            script.pass(.seconds(1.5))
            script.hear(CameraStatus.video)
        }
        script.pass(.seconds(1.5))
        #expect(script.count(.record) == 3)
        #expect(script.outcome(failing)?.error == .refused)
    }

    @Test("a failing mode switch ends record start")
    func recordFromPhotoFails() {
        var script = SessionScript()
        script.becomeReady(.photo)
        let ticket = script.command(.record(.start))
        script.answer(.modeSwitch, .failed)
        #expect(script.outcome(ticket)?.error == .refused)
        #expect(script.count(.record) == 0)
    }

    @Test("a camera of an unknown model is offered all modes that have a name")
    func unknownModel() {
        var script = SessionScript(deviceID: 0xFF77)
        #expect(script.summary.offeredModes == CameraMode.named)
        script.becomeReady()
        #expect(script.summary.offeredModes == CameraMode.named)
    }

    @Test("photo presses the key once, and is ok on its acknowledgement")
    func photo() {
        var script = SessionScript()
        script.becomeReady(.photo)
        let ticket = script.command(.photo)
        #expect(script.lastSent(.key)?.read(KeyReport.self) == .short(.record))
        script.answer(.key)
        #expect(script.outcome(ticket)?.error == nil)
        #expect(script.outcome(ticket)?.confirmed == script.now)
        #expect(script.notices(.photo) == ["state=sent", "state=acknowledged"])
    }

    @Test("photo says why it cannot", arguments: [1, 2, 3, 4])
    func noPhoto(reason: Int) {
        var script = SessionScript(watchdog: .seconds(60))
        switch reason {
        case 1: script.becomeReady(.video)
        case 2: script.becomeReady(.recording)
        case 3: script.becomeReady(.of(.photo, activity: 3))
        default:
            script.becomeReady(.photo)
            script.pass(SessionTiming.status)
        }
        let outcome = script.ask(.photo)
        switch reason {
        case 1:
            #expect(outcome?.error == .unsupported)
            #expect(outcome?.words?.contains("`mode photo`") == true)
        case 2, 3: #expect(outcome?.error == .busy)
        default: #expect(outcome?.error == .notReady)
        }
        #expect(script.count(.key) == 0)
    }

    @Test("keys are never retried", arguments: FleetCommand.Key.allCases)
    func keys(key: FleetCommand.Key) {
        var script = SessionScript()
        script.becomeReady()
        let ticket = script.command(.key(key))
        #expect(script.lastSent(.key)?.read(KeyReport.self)?.value == 0)
        script.passJustUnder(.seconds(1.5))
        #expect(script.outcome(ticket) == nil)
        script.pass(TimeSpan(nanoseconds: 1))
        #expect(script.outcome(ticket)?.error == .timeout)
        #expect(script.outcome(ticket)?.words == "no answer")
        script.pass(.seconds(3))
        #expect(script.count(.key) == 1)
        #expect(script.outcomes(ticket) == 1)
    }

    @Test("pre-recording is neither recording nor idle: start and stop are both sent")
    func preRecording() {
        for starts in [true, false] {
            var script = SessionScript()
            script.becomeReady(.of(.video, activity: 5))
            #expect(script.session.isRecording == false)
            let ticket = script.command(.record(starts ? .start : .stop))
            #expect(script.count(.record) == 1)
            script.hear(CameraStatus.of(.video, activity: 5))
            #expect(script.outcome(ticket) == nil)
            script.answer(.record)
            #expect(script.outcome(ticket)?.error == nil)
        }
    }

    @Test("toggle without a known status is not ready: it might stop what should start")
    func blindToggle() {
        var script = SessionScript(watchdog: .seconds(60))
        script.becomeReady()
        script.pass(SessionTiming.status)
        let answer3 = script.ask(.record(.toggle))
        #expect(answer3?.error == .notReady)
        script.command(.record(.start))
        #expect(script.count(.record) == 1)
    }
}
