import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("What status pushes are worth telling")
struct StatusWatchTests {
    /// The notices of a sequence of statuses, as they are written.
    static func notices(_ statuses: [CameraStatus]) -> [String] {
        var watch = StatusWatch()
        var effects: [SessionEffect] = []
        for status in statuses { watch.observe(status, &effects) }
        return effects.map { effect in
            guard case .notice(let kind, let fields) = effect else { return "?" }
            return ([kind.rawValue] + fields.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        }
    }

    @Test("the battery speaks at 20, 10 and 5 %, once each")
    func battery() {
        let falling = (0...60).reversed().map { CameraStatus.of(.video, battery: UInt8($0)) }
        #expect(
            Self.notices(falling) == [
                "battery percent=20", "battery percent=10", "battery percent=5",
            ])
        // The charge moves up and down around a threshold, rises a little, and falls again.
        let flicker: [UInt8] = [21, 20, 21, 22, 20, 23, 20, 60, 9, 4, 100, 3]
        #expect(
            Self.notices(flicker.map { CameraStatus.of(.video, battery: $0) }) == [
                "battery percent=20", "battery percent=20", "battery percent=9",
                "battery percent=4", "battery percent=3",
            ])
        #expect(Self.notices([.of(.video, battery: nil)]).isEmpty)
    }

    @Test("the card speaks when nearly full and when full, with an alarm")
    func card() {
        #expect(
            Self.notices([
                .of(.video, cardFree: 1024, remaining: 301),
                .of(.video, cardFree: 1024, remaining: 300),
                .of(.video, cardFree: 1023, remaining: 299),
                .of(.video, cardFree: 0, remaining: 0), .of(.video, cardFree: 3, remaining: 1),
                .of(.video, cardFree: 0, remaining: 0),
                .of(.video, cardFree: 60000, remaining: 5400),
                .of(.photo, cardFree: 1000, remaining: 0),
            ]) == [
                "card state=low free_mb=1024 remaining_s=300",
                "card state=full free_mb=0 remaining_s=0", "alarm reason=card-full",
                "mode mode=photo from=video", "card state=low free_mb=1000",
            ])
        // A mode that states no remaining time does not mean that the card is full.
        #expect(Self.notices([.of(.video, remaining: 0)]).isEmpty)
    }

    @Test("temperature speaks on change, hot with an alarm")
    func temperature() {
        let values: [UInt8] = [0, 1, 1, 2, 3, 3, 0]
        #expect(
            Self.notices(values.map { CameraStatus.of(.video, temperature: $0) }) == [
                "temperature temperature=warm", "temperature temperature=hot", "alarm reason=hot",
                "temperature temperature=shutdown", "temperature temperature=normal",
            ])
    }

    @Test("a status of old firmware says what it can")
    func short() {
        var status = CameraStatus(mode: .video, activity: 1)
        #expect(Self.notices([status]).isEmpty)
        status.mode = .photo
        #expect(
            Self.notices([.of(.video, battery: nil), status]) == ["mode mode=photo from=video"])
    }
}

@Suite("Recordings as status shows them")
struct RecordingNoticeTests {
    @Test("started and stopped at the camera, with its record time")
    func atTheCamera() {
        var script = SessionScript()
        script.becomeReady()
        script.pass(.milliseconds(500))
        script.hear(CameraStatus.of(.video, activity: 3, recordTime: 0))
        script.pass(.milliseconds(500))
        script.hear(CameraStatus.of(.video, activity: 3, recordTime: 75))
        script.pass(.milliseconds(500))
        script.hear(CameraStatus.video)
        #expect(
            script.notices(.record) == [
                "state=started record_s=0", "state=stopped cause=camera record_s=75",
            ])
        #expect(script.others.contains(.recordingStopped(.camera)))
    }

    @Test("who ended it", arguments: [StopCause.command, .card, .hot, .unseen])
    func cause(cause: StopCause) {
        var script = SessionScript()
        script.becomeReady(.recording)
        script.pass(.milliseconds(500))
        switch cause {
        case .command:
            script.command(.record(.stop))
            script.pass(.milliseconds(500))
            script.hear(CameraStatus.video)
        case .card: script.hear(CameraStatus.of(.video, cardFree: 0, remaining: 0))
        case .hot: script.hear(CameraStatus.of(.video, temperature: 2))
        case .unseen:
            script.handle(.linkClosed)
            script.becomeReady()
        case .camera: break
        }
        #expect(script.others.contains(.recordingStopped(cause)))
        #expect(script.notices(.record).contains { $0.hasPrefix("state=stopped cause=\(cause)") })
    }

    @Test("a start is not taken for the cause of a stop soon after it")
    func startThenStop() {
        var script = SessionScript()
        script.becomeReady()
        script.command(.record(.start))
        script.hear(CameraStatus.recording)
        script.pass(.seconds(1))
        script.hear(CameraStatus.video)
        #expect(script.others.contains(.recordingStopped(.camera)))
    }

    @Test("a recording that was on before the link, or all through its loss")
    func acrossLinks() {
        var script = SessionScript()
        script.becomeReady(.recording)
        #expect(script.notices(.record) == ["state=started record_s=1 seen=connect"])
        script.handle(.linkClosed)
        #expect(script.session.isRecording == nil)
        script.becomeReady(.recording)
        #expect(script.notices(.record).count == 1)
        #expect(script.session.isRecording == true)
    }

    @Test("a photo being taken is no recording")
    func photo() {
        var script = SessionScript()
        script.becomeReady(.of(.photo, activity: 3, recordTime: 2000))
        #expect(script.session.isRecording == false)
        #expect(script.notices(.record).isEmpty)
        let summary = script.summary
        #expect(summary.recordSeconds == nil)
    }
}
