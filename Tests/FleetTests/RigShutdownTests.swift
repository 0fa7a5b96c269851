import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// The orderly end: void frames, `at_exit` and closed links, within four seconds.
@Suite struct RigShutdownTests {
    static func ended(
        _ atExit: RigSettings.AtExit, recording: Bool = true,
        _ change: (RigBench) -> Void = { _ in }
    ) -> RigBench {
        let bench = RigBench.of(3) { $0.atExit = atExit }
        change(bench)
        bench.pass(.seconds(20))
        if recording { bench.command(.record(.start)) }
        bench.feed(.shutdown)
        bench.pass(.seconds(6))
        return bench
    }

    static let start = 126.0

    @Test(
        "a burst of voids, links ended, finished within 4 s", arguments: RigSettings.AtExit.allCases
    )
    func burstVoidsLinksEndedFinished(atExit: RigSettings.AtExit) {
        let bench = Self.ended(atExit)
        let last = bench.pushes.suffix(3)
        #expect(last.allSatisfy { $0.push.position == nil && $0.push.links.count == 3 })
        #expect(last.allSatisfy { $0.at.seconds >= Self.start })
        #expect(bench.pushes.last { $0.push.position != nil }.map { $0.at.seconds <= 126 } == true)
        #expect(bench.finishedAt.map { $0.seconds - Self.start < 4 } == true)
        for number in 1...3 { #expect(bench.air[QueueBench.camera(number)]?.links.isEmpty == true) }
        #expect(bench.adapters[RigBench.adapterA]?.discovering == false)
        #expect(!bench.notices.contains { $0.kind == .alarm })
        #expect(bench.violations == 0)
    }

    @Test("a camera whose credit is spent is not left with a position")
    func cameraWhoseCreditSpentNot() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(20))
        bench.unheard = QueueBench.camera(2)
        bench.pass(.milliseconds(1400))
        #expect(bench.rig.status(at: bench.now).cameras[1].gps == .paused)
        #expect(!bench[2].pushes.isVoid)
        bench.feed(.shutdown)
        bench.pass(.seconds(4))
        for number in 1...2 { #expect(bench[number].pushes.isVoid, "camera \(number)") }
    }

    @Test(
        "recordings are left or stopped",
        arguments: [(RigSettings.AtExit.leave, true), (.stop, false), (.sleep, false)])
    func recordingsLeftOrStopped(atExit: RigSettings.AtExit, recording: Bool) {
        let bench = Self.ended(atExit)
        for number in 1...3 { #expect(bench[number].body.isRecording == recording) }
    }

    @Test("at_exit = sleep sends cameras to sleep, recording or not")
    func exitSleepSendsCamerasSleep() {
        for recording in [true, false] {
            let bench = Self.ended(.sleep, recording: recording)
            for number in 1...3 {
                guard case .asleep = bench[number].power else {
                    Issue.record("camera \(number) is awake")
                    continue
                }
            }
        }
    }

    @Test("at_exit = sleep asks a camera that is being let go once, and not for ever")
    func exitSleepOfCameraThatCloses() {
        for milliseconds in stride(from: 0, through: 1500, by: 50) {
            let bench = RigBench.of(2) { $0.atExit = .sleep }
            bench.pass(.seconds(20))
            bench.feed(.shutdown)
            bench.pass(.milliseconds(milliseconds))
            // As where a link fails while the closing void frames go out.
            bench.rig.updateSession(1, .prepareToClose("no sign of life"), at: bench.now)
            bench.pass(.seconds(6))
            #expect(bench.finishedAt != nil)
        }
    }

    @Test(
        "a camera that does not answer delays the end no further than 4 s",
        arguments: RigSettings.AtExit.allCases)
    func cameraDoesNotAnswerDelays(
        atExit: RigSettings.AtExit
    ) {
        let bench = Self.ended(atExit) {
            $0.place(2) { $0.ignoresRecord = true }
            $0.air[QueueBench.camera(3)]!.deaf = true
        }
        #expect(bench.finishedAt.map { $0.seconds - Self.start < 4 } == true)
    }

    @Test("without cameras the end comes with the voids") func withoutCamerasEndComesVoids() {
        let bench = RigBench(RigBench.settings())
        bench.pass(.seconds(5))
        bench.feed(.shutdown)
        bench.pass(.seconds(1))
        #expect(bench.finishedAt != nil)
    }

    @Test("a command under way is answered, a later one refused, and nothing begins anew")
    func commandUnderWayAnsweredLater() {
        let bench = RigBench.of(2)
        bench.place(2) { $0.ignoresRecord = true }
        bench.pass(.seconds(20))
        bench.command(.record(.start), for: .milliseconds(100))
        bench.feed(.shutdown)
        #expect(bench.command(.record(.stop), for: .seconds(5)).end.code == .notReady)
        #expect(bench.ends[Ticket(number: 1)] != nil)
        let before = bench.requests.count
        bench.pass(.seconds(60))
        #expect(bench.requests.count == before)
        #expect(bench.rig.nextDeadline == nil || bench.finishedAt != nil)
    }

    @Test("the receiver is not called silent where nobody listens any more")
    func receiverNotCalledSilentWhere() {
        let bench = RigBench.of(2)
        bench.place(2) { $0.ignoresRecord = true }
        bench.pass(.seconds(20))
        let before = bench.notices.count { $0.kind == .gps }
        bench.command(.record(.start), for: .milliseconds(100))
        bench.receiverOn = false
        bench.feed(.shutdown)
        bench.pass(.seconds(6))
        #expect(bench.notices.count { $0.kind == .gps } == before)
    }

    @Test("an open pair window ends with the rest") func openPairWindowEndsRest() {
        let bench = RigBench(RigBench.settings())
        bench.command(.pair(.seconds(60)), for: .seconds(2))
        bench.feed(.shutdown)
        bench.pass(.seconds(1))
        #expect(bench.ends[Ticket(number: 1)].code == .notReady)
    }
}
