import Clock
import OsmoProtocol
import Simulation
import Testing

@Suite struct CameraHandshakeTests {
    @Test(
        "a camera that knows us answers, decides and obeys",
        arguments: [CameraModel.action4, .action5Pro, .action6, .osmo360])
    func cameraKnowsUsAnswersDecides(model: CameraModel) throws {
        var bench = Bench(model)
        bench.link()
        let number = bench.ask()
        bench.wait(.seconds(1))
        #expect(bench.replies(to: number) == [.success])
        let decision = try #require(bench.decision)
        #expect(decision.request.verification == .allowed)
        #expect(CameraModel(deviceID: decision.request.deviceID) == model)
        #expect(!bench.camera.isReady)
        bench.answerDecision(number: 3)
        #expect(bench.camera.isReady)
        #expect(bench.camera.cameraNumber == 3)
        #expect(bench.camera.violations.isEmpty)
        let receipt = bench.frames.firstIndex { $0.frame.type.isResponse }
        let step = bench.frames.firstIndex { $0.frame.read(ConnectionRequest.self) != nil }
        #expect(try #require(receipt) < #require(step))
    }

    @Test("step 3 may come first, and step 2 may be missing") func step3MayComeFirst() throws {
        var reversed = Bench { $0.order = .reversed }
        reversed.link()
        let number = reversed.ask()
        reversed.wait(.seconds(1))
        #expect(reversed.frames.first?.frame.type == .query)
        #expect(reversed.replies(to: number) == [.success])

        var missing = Bench { $0.order = .missing }
        missing.link()
        missing.ask()
        missing.wait(.seconds(1))
        #expect(missing.frames.count == 1)
        missing.answerDecision()
        #expect(missing.camera.isReady)
    }

    @Test("a stranger needs a tap once") func strangerNeedsTapOnce() throws {
        var bench = Bench { $0.consent = .confirmed(after: .seconds(8)) }
        bench.link()
        bench.ask(.saved(code: 1234))
        bench.wait(.seconds(7))
        #expect(bench.decision == nil)
        #expect(bench.camera.popupCode == 1234)
        #expect(bench.camera.stateWord == "asking")
        bench.wait(.seconds(2))
        #expect(bench.decision?.request.verification == .allowed)
        bench.answerDecision()
        bench.give(.linkDown)

        bench.link()
        bench.ask()
        bench.wait(.seconds(1))
        bench.answerDecision()
        #expect(bench.camera.isReady)
        // Another identity is unknown to the camera, and mode 1 asks the owner in any case.
        bench.ask(identity: BluetoothAddress(value: 1))
        #expect(bench.camera.stateWord == "asking")
        bench.ask(.popup(code: 1))
        #expect(bench.camera.stateWord == "asking")
    }

    @Test("a refusal is told, and step 4 does not undo it") func refusalToldStep4Does() {
        var bench = Bench { $0.consent = .refused(after: .seconds(1)) }
        bench.link()
        bench.ask()
        bench.wait(.seconds(2))
        #expect(bench.decision?.request.verification == .refused)
        #expect(bench.camera.stateWord == "refused")
        bench.answerDecision()
        #expect(!bench.camera.isReady)
        #expect(bench.camera.violations == [.strayAnswer: 1])
    }

    @Test("a popup stands until somebody taps") func popupStandsUntilSomebodyTaps() {
        var bench = Bench { $0.consent = .waits }
        bench.link()
        bench.ask()
        bench.wait(.seconds(300))
        #expect(bench.decision == nil)
        bench.give(.hand(.confirm))
        #expect(bench.decision?.request.verification == .allowed)
        bench.give(.hand(.refuse))
        #expect(bench.decision?.request.verification == .allowed)
    }

    @Test("a receipt can refuse") func receiptCanRefuse() {
        var bench = Bench { $0.refusesReceipt = true }
        bench.link()
        let number = bench.ask()
        bench.wait(.seconds(5))
        #expect(bench.replies(to: number) == [.failed])
        #expect(bench.decision == nil)
    }

    @Test("frames before step 4 are noticed and do nothing") func framesBeforeStep4Noticed() {
        var bench = Bench()
        bench.link()
        bench.send(Bench.push())
        bench.send(RecordControl(deviceID: 1, starts: true))
        bench.ask()
        bench.wait(.seconds(1))
        bench.send(VersionQuery())
        bench.wait(.seconds(2))
        #expect(bench.camera.violations == [.beforeHandshake: 3])
        #expect(bench.camera.pushes.positions == 0)
        #expect(!bench.camera.body.isRecording)
    }

    @Test("a wrong number in step 4 does not count") func wrongNumberStep4Does() {
        var bench = Bench()
        bench.link()
        bench.ask()
        bench.wait(.seconds(1))
        bench.send(ConnectionResponse(deviceID: 7), sequence: bench.decision!.sequence &+ 1)
        #expect(bench.camera.violations == [.strayAnswer: 1])
        bench.answerDecision()
        #expect(bench.camera.isReady)
    }

    @Test("a handshake is needed on every link") func handshakeNeededEveryLink() {
        var bench = Bench()
        bench.makeReady()
        bench.give(.linkDown)
        bench.link()
        bench.send(Bench.push())
        #expect(bench.camera.violations == [.beforeHandshake: 1])
        #expect(bench.advertising == [.off, .on, .off])
    }

    @Test("pieces, garbage and writes over the MTU are refused") func piecesGarbageWritesOverMTU() {
        var bench = Bench()
        bench.give(.linkUp)
        bench.give(.subscribed)
        let request = Frame(
            ConnectionRequest(
                deviceID: 7, address: Bench.identity, verification: .saved(code: 1)), sequence: 1
        ).encoded
        bench.give(.write(request))
        #expect(bench.camera.violations == [.overMTU: 1])
        bench.give(.write(Array(request.prefix(20))))
        bench.give(.mtu(54))
        bench.give(.write(request + [0]))
        #expect(bench.camera.violations == [.overMTU: 2, .malformed: 1])
        bench.give(.write(request))
        bench.wait(.seconds(1))
        #expect(bench.decision != nil)
    }

    @Test("a write before notifications are on gets no answer")
    func writeBeforeNotificationsGetsNo() {
        var bench = Bench()
        bench.give(.linkUp)
        bench.give(.mtu(517))
        bench.ask()
        bench.wait(.seconds(5))
        #expect(bench.frames.isEmpty)
        #expect(bench.camera.violations == [.beforeSubscription: 1])
    }

    @Test("lost and late answers follow the seed") func lostLateAnswersFollowSeed() {
        func replies(_ seed: UInt64) -> [Int] {
            var bench = Bench(.action4, seed: seed) {
                $0.lostPercent = 30
                $0.latePercent = 30
            }
            bench.makeReady()
            return (0..<40).map { _ in
                let number = bench.send(KeyReport.short(.quickSwitch))
                bench.wait(.seconds(1))
                let soon = bench.replies(to: number).count
                bench.wait(.seconds(3))
                return soon * 2 + bench.replies(to: number).count
            }
        }
        let first = replies(5)
        #expect(first == replies(5))
        #expect(first != replies(6))
        // Some answers are lost, some late, some in time.
        #expect(Set(first) == [0, 1, 3])
    }
}
