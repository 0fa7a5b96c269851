import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@testable import Fleet

/// Contract 3.5: pairing.
@Suite struct RosterPairingTests {
    static let pair = FleetCommand.pair(.seconds(60))

    /// Two strangers; the second is nearer.
    static func bench(_ consent: Behaviour.Consent) -> RigBench {
        let bench = RigBench(RigBench.settings())
        bench.place(0x11E7, rssi: -80) { $0.consent = consent }
        bench.place(0x22E8, model: .osmo360, rssi: -40) { $0.consent = consent }
        bench.pass(.seconds(10))
        return bench
    }

    @Test("strangers are listed and never touched") func strangersListedNeverTouched() {
        let bench = Self.bench(.known)
        #expect(bench.states == [.listed, .listed])
        #expect(bench.air.values.allSatisfy { $0.requests == 0 })
    }

    @Test("the strongest one is asked, its code shown, and it joins for good once confirmed")
    func strongestOneAskedCodeShown() {
        let bench = Self.bench(.confirmed(after: .seconds(8)))
        let (lines, _) = bench.command(Self.pair, for: .seconds(8))
        #expect(lines.map(\.kind) == ["pairing"])
        #expect(lines.first?.name == "osmo360-22e8")
        let code = bench.summary(0x22E8)?.confirmCode
        #expect(bench.summary(0x22E8)?.state == .confirm)
        #expect(lines.first?.value("code") == code.map { Rig.digits($0) })
        #expect(lines.first?.value("code")?.utf8.count == 4)
        bench.pass(.seconds(6))
        #expect(bench.ends[Ticket(number: 1)] == .ok)
        #expect(bench.summary(0x22E8)?.state == .ready)
        #expect(bench.summary(0x22E8)?.number == 1)
        #expect(bench.saved.last?.map(\.name) == ["osmo360-22e8"])
        #expect(bench.saved.last?.first?.source == .paired)
        #expect(bench.requests.contains { $0.request == .trust(.test(0x22E8)) })
        // The only camera of the roster is called 0 in step 4, and the other one was not connected.
        #expect(bench[0x22E8].cameraNumber == 0)
        #expect(bench.air[QueueBench.camera(0x11E7)]?.requests == 0)
        #expect(bench.summary(0x11E7)?.state == .listed)
    }

    @Test("pairing forces the popup although the camera knows us")
    func pairingForcesPopupAlthoughCamera() {
        let bench = Self.bench(.known)
        let (lines, _) = bench.command(Self.pair, for: .seconds(10))
        #expect(lines.contains { $0.kind == "pairing" })
    }

    @Test("a refusal ends the reply at once, and the camera is left alone for the window")
    func refusalEndsReplyOnceCamera() {
        let bench = Self.bench(.refused(after: .seconds(3)))
        let (_, end) = bench.command(Self.pair, for: .seconds(12))
        guard case .error(.refused, _) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(bench.summary(0x22E8)?.state == .refused)
        #expect(bench.saved.isEmpty)
        // The next window asks the other camera, since the first one is not asked again.
        let (lines, _) = bench.command(Self.pair, for: .seconds(12))
        #expect(lines.first?.name == "action4-11e7")
        bench.pass(.seconds(60))
        #expect(bench.summary(0x22E8)?.state == .listed)
    }

    @Test("a camera that gives no receipt while it asks is paired all the same")
    func cameraGivesNoReceiptWhile() {
        let bench = RigBench(RigBench.settings())
        bench.place(0x11E7) {
            $0.consent = .confirmed(after: .seconds(20))
            $0.order = .missing
        }
        bench.pass(.seconds(10))
        let (lines, _) = bench.command(Self.pair, for: .seconds(10))
        #expect(lines.map(\.kind) == ["pairing"])
        #expect(bench.summary(0x11E7)?.state == .confirm)
        bench.pass(.seconds(20))
        #expect(bench.ends[Ticket(number: 1)] == .ok)
        #expect(bench.summary(0x11E7)?.state == .ready)
        #expect(bench.saved.last?.map(\.name) == ["action4-11e7"])
        #expect(bench[0x11E7].handshakes == 1)
    }

    @Test("who said yes is on the roster, whatever becomes of the link after that")
    func whoSaidYesRosterWhatever() {
        let bench = RigBench(RigBench.settings())
        bench.place(0x11E7) {
            $0.consent = .confirmed(after: .seconds(5))
            $0.answersVersion = false
        }
        bench.pass(.seconds(10))
        bench.command(.pair(.seconds(15)), for: .seconds(8))
        while bench[0x11E7].handshakes == 0 { bench.pass(.milliseconds(50)) }
        #expect(bench.summary(0x11E7)?.state == .handshake)
        #expect(bench.ends[Ticket(number: 1)] == .ok)
        #expect(bench.saved.last?.map(\.name) == ["action4-11e7"])
        bench.lose(0x11E7)
        bench.pass(.seconds(30))
        #expect(bench.summary(0x11E7)?.state == .ready)
        #expect(bench.summary(0x11E7)?.number == 1)
        // The camera has us on record: its owner was not asked a second time.
        #expect(bench.notices.count { $0.fields.contains(Field("state", "confirm")) } == 1)
    }

    @Test("nobody taps: ERR timeout at the window's end, and everything is as before")
    func nobodyTapsERRTimeoutWindow() {
        let bench = Self.bench(.waits)
        let (_, early) = bench.command(.pair(.seconds(20)), for: .seconds(19))
        #expect(early == nil)
        bench.pass(.seconds(3))
        guard case .error(.timeout, _)? = bench.ends[Ticket(number: 1)] else {
            Issue.record("no timeout")
            return
        }
        bench.pass(.seconds(20))
        #expect(bench.states == [.listed, .listed])
        #expect(bench.requests.contains { $0.request == .remove(.test(0x22E8)) })
    }

    @Test("no camera in range: ERR timeout") func noCameraRangeERRTimeout() {
        let bench = RigBench(RigBench.settings())
        let (lines, end) = bench.command(.pair(.seconds(5)), for: .seconds(6))
        #expect(lines.isEmpty)
        guard case .error(.timeout, _) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }

    @Test("a second window while one is open is busy") func secondWindowWhileOneOpen() {
        let bench = Self.bench(.waits)
        bench.command(Self.pair, for: .seconds(1))
        let (_, end) = bench.command(Self.pair, for: .seconds(1))
        guard case .error(.busy, _) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }

    @Test("a window beside streaming cameras finds a stranger within a look")
    func windowBesideStreamingCamerasFinds() {
        let bench = RigBench.of(2)
        bench.pass(.seconds(20))
        bench.place(0x33, rssi: -40) { $0.consent = .confirmed(after: .seconds(1)) }
        let (_, end) = bench.command(Self.pair, for: .seconds(20))
        #expect(end == .ok)
        #expect(bench.summary(0x33)?.number == 3)
        #expect(bench[0x33].cameraNumber == 3)
        #expect(bench.violations == 0)
    }

    @Test("forget and rename of paired cameras, and of configured ones")
    func forgetRenamePairedCamerasConfigured() {
        let bench = RigBench.of(1)
        bench.pass(.seconds(15))
        bench.place(0x33, rssi: -40) { $0.consent = .confirmed(after: .seconds(1)) }
        bench.command(Self.pair, for: .seconds(20))
        let rename = bench.command(.rename(to: "drone"), "action4-0033")
        #expect(rename.end == .ok)
        #expect(bench.saved.last?.map(\.name) == ["drone"])
        #expect(bench.command(.rename(to: "cam1"), "drone").end.code == .badArgument)
        #expect(bench.command(.rename(to: "7"), "drone").end.code == .badArgument)
        let fixed = bench.command(.forget, "cam1")
        #expect(fixed.end.code == .badArgument)
        #expect(fixed.end.words?.contains("/etc/geotagd.conf") == true)
        #expect(bench.command(.rename(to: "x"), "cam1").end.words?.contains("/etc/") == true)
        // One camera of the configuration refuses the whole command, so that the other one stays.
        #expect(bench.command(.forget, "drone", "cam1").end.code == .badArgument)
        #expect(bench.summary(0x33)?.state == .ready)
        let forget = bench.command(.forget, "drone")
        #expect(forget.end == .ok)
        #expect(bench.saved.last?.isEmpty == true)
        #expect(bench.requests.last { $0.request == .remove(.test(0x33)) } != nil)
        bench.pass(.seconds(30))
        #expect(bench.summary(0x33)?.state == .listed)
    }

    @Test("admit = any lets everybody in, numbered and named, but nobody that was forgotten")
    func admitAnyLetsEverybodyNumbered() {
        var settings = RigBench.settings()
        settings.admission = .any
        let bench = RigBench(settings)
        bench.place(1)
        bench.place(2, model: .action6)
        bench.pass(.seconds(20))
        #expect(bench.rig.roster.entries.map(\.name).sorted() == ["action4-0001", "action6-0002"])
        #expect(bench.states == [.ready, .ready])
        #expect(bench.saved.isEmpty)
        #expect(bench.command(.record(.start)).end == .ok)
        bench.command(.forget, "action4-0001")
        bench.pass(.seconds(60))
        #expect(bench.summary(1)?.state == .listed)
    }
}

extension ReplyEnd? {
    var code: ErrorCode? {
        guard case .error(let code, _)? = self else { return nil }
        return code
    }

    var words: String? {
        guard case .error(_, let words)? = self else { return nil }
        return words
    }
}
