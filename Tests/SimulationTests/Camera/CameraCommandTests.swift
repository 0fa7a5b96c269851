import Clock
import OsmoProtocol
import Simulation
import Testing

@Suite struct CameraCommandTests {
    private static let start = RecordControl(deviceID: 0xFF33, starts: true)
    private static let stop = RecordControl(deviceID: 0xFF33, starts: false)

    private func ready(
        _ model: CameraModel = .action4, _ change: (inout Behaviour) -> Void = { _ in }
    ) -> Bench {
        var bench = Bench(model, change)
        bench.makeReady()
        return bench
    }

    @Test("status comes twice a second and on change") func statusComesTwiceSecondChange() throws {
        var bench = ready()
        let start = bench.now
        bench.wait(.seconds(10))
        #expect((19...21).contains(bench.statuses(since: start).count))
        let before = bench.statuses().count
        bench.send(Self.start)
        bench.wait(.milliseconds(440))
        let recording = try #require(bench.statuses().dropFirst(before).first { $0.isRecording })
        #expect(recording.recordTime == 0)
        bench.wait(.seconds(60))
        #expect(try #require(bench.statuses().last).recordTime >= 59)
    }

    @Test(
        "a subscription gets what it asks for",
        arguments: [
            (StatusSubscription.Mode.off, 0), (.once, 1), (.periodic, 20),
            (.periodicAndOnChange, 20),
        ])
    func subscriptionGetsWhatAsks(mode: StatusSubscription.Mode, count: Int) {
        var bench = ready()
        bench.send(StatusSubscription(mode: .off))
        bench.wait(.seconds(1))
        let start = bench.now
        bench.send(StatusSubscription(mode: mode))
        bench.wait(.milliseconds(9_900))
        #expect(bench.statuses(since: start).count == count)
    }

    @Test("recording starts and stops, and saying so twice is no fault")
    func recordingStartsStopsSayingSo() {
        var bench = ready()
        #expect(bench.code(Self.start) == .success)
        #expect(bench.camera.body.isRecording)
        #expect(bench.code(Self.start) == .success)
        #expect(bench.camera.body.isRecording)
        #expect(bench.code(Self.stop) == .success)
        #expect(bench.code(Self.stop) == .success)
        #expect(!bench.camera.body.isRecording)
    }

    @Test("photo modes, a full card and heat refuse to record") func photoModesFullCardHeat() {
        var bench = ready()
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .photo)) == .success)
        #expect(bench.code(Self.start) == .failed)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .video)) == .success)
        _ = bench.camera.set("card", to: "50", at: bench.now)
        #expect(bench.code(Self.start) == .failed)
        _ = bench.camera.set("card", to: "51", at: bench.now)
        _ = bench.camera.set("temperature", to: "hot", at: bench.now)
        #expect(bench.code(Self.start) == .failed)
        _ = bench.camera.set("temperature", to: "warm", at: bench.now)
        #expect(bench.code(Self.start) == .success)
    }

    @Test("a card that fills up ends the recording by itself") func cardFillsUpEndsRecording()
        throws
    {
        var bench = ready()
        _ = bench.camera.set("card", to: "170", at: bench.now)
        #expect(bench.code(Self.start) == .success)
        bench.wait(.seconds(9))
        #expect(bench.camera.body.isRecording)
        bench.wait(.seconds(2))
        #expect(!bench.camera.body.isRecording)
        let status = try #require(bench.statuses().last)
        #expect(!status.isRecording)
        #expect(try #require(status.cardFreeMegabytes) <= UInt32(CameraBody.fullCard))
    }

    @Test("heat ends a recording and then turns the camera off") func heatEndsRecordingThenTurns() {
        var bench = ready()
        #expect(bench.code(Self.start) == .success)
        bench.outputs = []
        _ = bench.camera.set("temperature", to: "shutdown", at: bench.now)
        #expect(!bench.camera.body.isRecording)
        bench.wait(.seconds(4))
        #expect(bench.camera.power == .off(until: nil))
        #expect(bench.drops == 1)
        #expect(bench.advertising == [.off])
    }

    @Test("a mode switch shows in status and text") func modeSwitchShowsStatusText() throws {
        var bench = ready(.action5Pro)
        let start = bench.now
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .supernight)) == .success)
        #expect(try #require(bench.statuses().last).mode == .supernight)
        let texts = bench.frames.filter { $0.at >= start }
            .compactMap { $0.frame.read(StatusText.self) }
        #expect(texts.map(\.mode) == ["SUPERNIGHT"])
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: CameraMode(rawValue: 0x77))) == .failed)
        #expect(bench.code(Self.start) == .success)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .video)) == .failed)
    }

    @Test("an Osmo 360 stays within its lens group") func osmo360StaysWithinLens() {
        var bench = ready(.osmo360)
        #expect(bench.camera.body.mode == .panoVideo)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .video)) == .failed)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .panoPhoto)) == .success)
        #expect(bench.camera.body.mode == .panoPhoto)
        #expect(bench.camera.set("lens", to: "single", at: bench.now) != nil)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .panoVideo)) == .failed)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .boostVideo)) == .success)
        #expect(bench.camera.set("cross_lens", to: "ignored", at: bench.now) != nil)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .panoVideo)) == .success)
        #expect(bench.camera.body.mode == .boostVideo)
        // Its status frames carry CmdType 01 and are read all the same.
        #expect(bench.frames.last { $0.frame.opcode == .status }?.frame.type == .request)
    }

    @Test("the record key toggles, or takes a picture") func recordKeyTogglesOrTakes() throws {
        var bench = ready()
        #expect(bench.code(KeyReport.short(.record)) == .success)
        #expect(bench.camera.body.isRecording)
        #expect(bench.code(KeyReport.short(.record)) == .success)
        #expect(!bench.camera.body.isRecording)
        #expect(bench.code(ModeSwitch(deviceID: 0, mode: .photo)) == .success)
        let start = bench.now
        #expect(bench.code(KeyReport.short(.record)) == .success)
        #expect(bench.camera.body.photosTaken == 1)
        let activities = bench.statuses(since: start).map(\.activity)
        #expect(activities.contains(3) && activities.last == 1)
        #expect(try #require(bench.statuses().last).remainingPhotos == 9_998)
    }

    @Test("somebody presses record on the camera") func somebodyPressesRecordCamera() throws {
        var bench = ready()
        bench.give(.hand(.record))
        bench.wait(.seconds(1))
        #expect(try #require(bench.statuses().last).isRecording)
    }

    @Test("quick switch goes through its list and settles after two seconds")
    func quickSwitchGoesThroughList() throws {
        var bench = ready()
        #expect(bench.code(KeyReport.short(.quickSwitch)) == .success)
        #expect(bench.code(KeyReport.short(.quickSwitch)) == .success)
        let status = try #require(bench.statuses().last)
        #expect(status.mode == .video && status.nextMode == .photo)
        bench.wait(.seconds(2))
        #expect(bench.camera.body.mode == .photo)
    }

    @Test("quick switch while recording marks a highlight") func quickSwitchWhileRecordingMarks() {
        var bench = ready()
        #expect(bench.code(Self.start) == .success)
        #expect(bench.code(KeyReport.short(.quickSwitch)) == .success)
        #expect(bench.camera.body.highlights == 1)
    }

    @Test("a restart drops the link and comes back") func restartDropsLinkComesBack() {
        var bench = ready()
        bench.outputs = []
        #expect(bench.code(Restart(deviceID: 0xFF33)) == .success)
        #expect(bench.drops == 1)
        bench.wait(.seconds(5))
        #expect(bench.advertising == [.off, .on])
    }

    @Test("the version is DJI's constant text") func versionDJISConstantText() {
        var bench = ready()
        bench.send(VersionQuery())
        bench.wait(.seconds(1))
        let reply = bench.frames.compactMap { $0.frame.read(VersionReply.self) }.first
        #expect(reply?.product == "DJI-ACTION4")
        #expect(reply?.payload.count == 96)
    }

    @Test("pushes are counted and judged") func pushesCountedJudged() {
        var bench = ready()
        for _ in 0..<5 {
            bench.send(Bench.push())
            bench.wait(.milliseconds(100))
        }
        bench.wait(.milliseconds(20))
        bench.send(Bench.push())
        #expect(bench.camera.pushes.positions == 6)
        #expect(bench.camera.pushes.minGap == .milliseconds(100))
        #expect(bench.camera.pushes.maxGap == .milliseconds(120))
        bench.send(GPSPush(voidAtDate: 20_260_701, time: 1))
        #expect(bench.camera.pushes.voids == 1 && bench.camera.pushes.isVoid)
        #expect(bench.camera.violations.isEmpty)

        var wrong = Bench.push()
        wrong.northCentimetresPerSecond = .nan
        bench.send(wrong)
        wrong = Bench.push(latitude: 0)
        wrong.longitudeE7 = 0
        bench.send(wrong)
        wrong = Bench.push()
        wrong.latitudeE7 = 900_000_001
        bench.send(wrong)
        wrong = Bench.push()
        wrong.satellites = 0
        bench.send(wrong)
        #expect(
            bench.camera.violations == [
                .notANumber: 1, .zeroZero: 1, .outOfRange: 1, .voidWithPlace: 1,
            ])
    }

    @Test("a decoded push counts like its bytes") func decodedPushCountsLikeBytes() {
        var bytes = ready()
        var decoded = bytes
        bytes.send(Bench.push())
        _ = decoded.camera.receive(Bench.push(), at: decoded.now)
        #expect(bytes.camera.pushes == decoded.camera.pushes)
        var early = Bench()
        early.link()
        _ = early.camera.receive(Bench.push(), at: early.now)
        #expect(early.camera.violations == [.beforeHandshake: 1])
    }

    @Test("older firmware has short status and short texts") func olderFirmwareHasShortStatus()
        throws
    {
        var bench = ready(.action4) { $0.old = true }
        bench.wait(.seconds(1))
        let status = try #require(bench.frames.last { $0.frame.opcode == .status }?.frame)
        #expect(status.length == 49)
        #expect(try #require(status.read(CameraStatus.self)).batteryPercent == nil)
        let text = bench.frames.compactMap { $0.frame.read(StatusText.self) }.first
        #expect(text?.slotLength == StatusText.oldSlot)
    }

    @Test("noise and pieces do not hide the frames") func noisePiecesDoNotHide() {
        var bench = ready(.action5Pro) { $0.splits = true }
        bench.wait(.seconds(20))
        let foreign = bench.outputs.count {
            if case .notify(let bytes) = $0.output { bytes.first == 0x55 } else { false }
        }
        #expect(foreign > 8)
        #expect(bench.statuses().count > 35)
    }

    @Test("a camera that says nothing says nothing") func cameraSaysNothingSaysNothing() {
        var bench = ready { $0.mute = true }
        bench.wait(.seconds(60))
        #expect(bench.frames.isEmpty)
    }
}
