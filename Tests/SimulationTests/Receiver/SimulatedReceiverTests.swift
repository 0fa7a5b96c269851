import Clock
import Navigation
import Simulation
import Testing

@Suite struct SimulatedReceiverTests {
    private static let utc = UnixTime(nanoseconds: 1_782_864_000_000_000_000)

    private func receiver(
        rate: Int, _ change: (inout SimulatedReceiver) -> Void = { _ in }
    ) -> SimulatedReceiver {
        var receiver = SimulatedReceiver(
            start: Instant(nanoseconds: 1_000_000_000), utc: Self.utc, rate: rate,
            latency: .milliseconds(70), seed: 3)
        receiver.course.hasTunnel = false
        change(&receiver)
        return receiver
    }

    /// Everything that the receiver reports until `end`, with the times.
    private func listen(
        _ receiver: inout SimulatedReceiver, until end: Instant
    ) -> [(at: Instant, input: ReceiverInput)] {
        var heard: [(at: Instant, input: ReceiverInput)] = []
        while receiver.nextDeadline <= end {
            let now = receiver.nextDeadline
            for input in receiver.advance(to: now) { heard.append((now, input)) }
        }
        return heard
    }

    private func positions(
        _ heard: [(at: Instant, input: ReceiverInput)]
    ) -> [(at: Instant, report: PositionReport)] {
        heard.compactMap {
            if case .report(.position(let report)) = $0.input { ($0.at, report) } else { nil }
        }
    }

    @Test("it says where it was, late by its latency", arguments: [1, 2, 5, 10, 18, 25])
    func saysWhereLateLatency(rate: Int) throws {
        var receiver = receiver(rate: rate)
        let heard = listen(&receiver, until: Instant(nanoseconds: 11_060_000_000))
        #expect(heard.first?.input == .connected)
        let positions = positions(heard)
        #expect(positions.count == 10 * rate)
        for (at, report) in positions {
            let about = at - .milliseconds(70)
            let truth = receiver.truth(at: about)
            #expect(report.latitudeDegrees == truth.latitudeDegrees)
            #expect(report.speedMetresPerSecond == truth.speedMetresPerSecond)
            let time = try #require(report.time)
            #expect(time - Self.utc == about - Instant(nanoseconds: 1_000_000_000))
            #expect(report.mode == 3)
        }
        let skies = heard.count {
            if case .report(.sky) = $0.input { true } else { false }
        }
        #expect(skies == 10)
    }

    @Test("a tunnel and a lost fix have no place") func tunnelLostFixHaveNo() {
        var tunnel = receiver(rate: 1) { $0.course.hasTunnel = true }
        let modes = positions(listen(&tunnel, until: Instant(nanoseconds: 300_000_000_000)))
        #expect(modes.count { $0.report.mode == 1 } == 12)
        #expect(modes.allSatisfy { ($0.report.mode == 1) == $0.report.latitudeDegrees.isNaN })
    }

    @Test("each fault shows as it should and ends") func eachFaultShowsShouldEnds() {
        for fault in SimulatedReceiver.Fault.allCases {
            var receiver = receiver(rate: 10)
            let start = Instant(nanoseconds: 5_000_000_000)
            _ = listen(&receiver, until: start)
            let said = receiver.begin(fault, until: start + .seconds(3), at: start)
            #expect(said == (fault == .disconnected ? [.disconnected] : []))
            #expect(receiver.goodSince == nil)
            let during = positions(listen(&receiver, until: start + .milliseconds(2_950)))
            switch fault {
            case .disconnected, .silent, .stalled: #expect(during.isEmpty)
            case .frozen: #expect(Set(during.map { $0.report.time }).count == 1)
            case .noFix: #expect(during.allSatisfy { $0.report.mode == 1 })
            case .flat: #expect(during.allSatisfy { $0.report.mode == 2 })
            }
            let after = positions(listen(&receiver, until: start + .seconds(5)))
            #expect(after.count >= 19)
            #expect(after.suffix(19).allSatisfy { $0.report.mode == 3 })
            #expect(receiver.goodSince != nil)
        }
    }

    @Test("jitter never puts fixes out of order") func jitterNeverPutsFixesOut() {
        var receiver = receiver(rate: 25) { $0.jitter = .milliseconds(200) }
        let positions = positions(listen(&receiver, until: Instant(nanoseconds: 60_000_000_000)))
        #expect(positions.count > 1400)
        for (before, after) in zip(positions, positions.dropFirst()) {
            #expect(before.at < after.at)
            #expect(before.report.time! < after.report.time!)
        }
    }
}
