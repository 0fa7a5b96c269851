import Clock
import LineProtocol
import OsmoProtocol
import Simulation
import Testing
import TrackFormat

@testable import Fleet

/// The main tasks: connect, handshake, push, command.
@Suite struct RigFirstTests {
    @Test("four cameras become ready and get ten positions a second")
    func fourCamerasBecomeReadyGet() {
        let bench = RigBench.of(4)
        bench.pass(.seconds(20))
        #expect(bench.states == [.ready, .ready, .ready, .ready])
        let from = bench.now
        bench.pass(.seconds(10))
        for number in 1...4 {
            #expect((99...101).contains(bench.pushes(number, since: from)))
            #expect(bench[number].cameraNumber == UInt32(number))
        }
        #expect(bench.violations == 0)
    }

    @Test("one encoded frame serves all cameras") func oneEncodedFrameServesAll() {
        let bench = RigBench.of(3)
        bench.pass(.seconds(20))
        #expect(bench.pushes.last?.push.links.count == 3)
    }

    @Test("record start answers per camera with send and confirm instants")
    func recordStartAnswersPerCamera() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(20))
        let (lines, end) = bench.command(.record(.start))
        #expect(end == .ok)
        #expect(lines.map(\.name) == ["cam1", "cam2"])
        for line in lines {
            #expect(line.kind == "record")
            #expect(line.value("result") == "ok")
            #expect(line.value("sent_mono")?.hasPrefix("120.") == true)
            #expect(line.value("confirmed_mono")?.hasPrefix("120.") == true)
            #expect(line.value("sent_utc")?.hasSuffix("Z") == true)
            #expect(line.value("confirmed_utc")?.hasSuffix("Z") == true)
        }
        #expect(bench.epochs.last?.recording == ["cam1", "cam2"])
        #expect(bench.epochs.last?.pushedCameras == 2)
    }

    @Test("the receiver goes and comes: voids, then positions") func receiverGoesComesVoidsThen() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(20))
        bench.receiverOn = false
        bench.pass(.seconds(5))
        let voids = bench.pushes.filter {
            $0.push.position == nil && $0.at > bench.now - .seconds(4)
        }
        #expect((3...5).contains(voids.count))
        bench.receiverOn = true
        let from = bench.now
        bench.pass(.seconds(1))
        #expect(bench.pushes(1, since: from) >= 9)
    }
}
