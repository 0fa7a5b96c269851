import Clock
import OsmoProtocol
import RadioPort
import Simulation
import Testing

@Suite struct SimulatedRadioTests {
    @Test("cameras are heard once a second while an adapter looks")
    func camerasHeardOnceSecondWhile() throws {
        var bench = try RadioBench()
        bench.wait(.seconds(5))
        #expect(bench.take().sightings.isEmpty)
        bench.ask(.startDiscovery(adapter: RadioBench.adapters[0]))
        bench.wait(.seconds(10))
        let sightings = bench.take().sightings
        for camera in 0..<3 {
            let heard = sightings.count { $0.link == bench.link(camera) }
            #expect((9...11).contains(heard))
        }
        #expect(sightings.allSatisfy { $0.advertisement == .supported(.action4) })
        bench.ask(.stopDiscovery(adapter: RadioBench.adapters[0]))
        bench.wait(.seconds(5))
        #expect(bench.take().sightings.isEmpty)
    }

    @Test("a camera that is heard can be connected, used and let go")
    func cameraHeardCanConnectedUsed() throws {
        var bench = try RadioBench()
        bench.makeReady(0)
        #expect(bench.radio.peripherals[0].camera.isReady)
        bench.push(to: [0])
        #expect(bench.pushes(0) == 1)
        bench.ask(.disconnect(bench.link(0)))
        bench.wait(.seconds(3))
        #expect(bench.take().closes == 1)
        #expect(bench.radio.peripherals[0].camera.link == nil)
        bench.push(to: [0])
        #expect(bench.pushes(0) == 1)
    }

    @Test("what was not heard for half a minute is unknown, unless it is trusted")
    func whatNotHeardHalfMinute() throws {
        var bench = try RadioBench()
        bench.ask(.connect(bench.link(0)))
        bench.wait(.seconds(1))
        #expect(bench.take().connectEnds == [.unknownDevice])
        for trusted in [false, true] {
            bench.open(0)
            if trusted { bench.ask(.trust(bench.link(0))) }
            bench.ask(.disconnect(bench.link(0)))
            bench.wait(.seconds(60))
            _ = bench.take()
            bench.ask(.connect(bench.link(0)))
            bench.wait(.seconds(3))
            #expect(bench.take().connectEnds == [trusted ? .ok : .unknownDevice])
        }
    }

    @Test("a second Connect on an adapter is noticed and in the way")
    func secondConnectAdapterNoticedWay() throws {
        var bench = try RadioBench()
        bench.ask(.startDiscovery(adapter: RadioBench.adapters[0]))
        bench.wait(.seconds(1))
        bench.ask(.connect(bench.link(0)))
        bench.ask(.connect(bench.link(1)))
        bench.wait(.milliseconds(10))
        #expect(bench.take().connectEnds == [.inProgress])
        #expect(bench.radio.overlappingConnects == 1)
    }

    @Test("an absent camera is given up after 42 s, a Disconnect ends the wait")
    func absentCameraGivenUpAfter() throws {
        var bench = try RadioBench()
        bench.open(0)
        bench.ask(.trust(bench.link(0)))
        bench.radio.setRange(0, false, at: bench.now)
        bench.wait(.seconds(10))
        #expect(bench.take().closes == 1)
        bench.ask(.connect(bench.link(0)))
        bench.wait(.seconds(41))
        #expect(bench.take().connectEnds.isEmpty)
        bench.wait(.seconds(2))
        #expect(bench.take().connectEnds == [.aborted])
        bench.ask(.connect(bench.link(0)))
        bench.wait(.seconds(5))
        bench.ask(.disconnect(bench.link(0)))
        bench.wait(.seconds(1))
        #expect(bench.take().connectEnds == [.aborted])
        // The camera comes back into range during a Connect, which then succeeds.
        bench.ask(.connect(bench.link(0)))
        bench.wait(.seconds(5))
        bench.radio.setRange(0, true, at: bench.now)
        bench.wait(.seconds(3))
        #expect(bench.take().connectEnds == [.ok])
    }

    @Test("a full adapter says so") func fullAdapterSaysSo() throws {
        var bench = try RadioBench()
        bench.radio.setMaximumLinks(1, of: 0)
        bench.open(0)
        _ = bench.take()
        bench.open(1)
        #expect(bench.take().connectEnds == [.adapterFull])
    }

    @Test("one stalled link holds what is written to it and releases it in order")
    func oneStalledLinkHoldsWhat() throws {
        var bench = try RadioBench()
        bench.makeReady(0)
        bench.makeReady(1)
        bench.radio.stall(0, until: bench.now + .seconds(2), at: bench.now)
        for _ in 0..<15 { bench.push(to: [0, 1]) }
        #expect(bench.pushes(0) == 0)
        #expect(bench.pushes(1) == 15)
        // The sixteenth frame uses the adapter's last buffer.
        bench.push(to: [0])
        bench.push(to: [1])
        #expect(bench.pushes(1) == 15)
        bench.wait(.seconds(3))
        #expect(bench.pushes(0) == 16)
        #expect(bench.pushes(1) == 16)
    }

    @Test("a crash takes all links and untrusted devices") func crashTakesAllLinksUntrusted() throws
    {
        var bench = try RadioBench()
        bench.open(0)
        bench.open(1)
        bench.ask(.trust(bench.link(0)))
        _ = bench.take()
        bench.radio.crashBlueZ(for: .seconds(4), at: bench.now)
        bench.wait(.seconds(1))
        #expect(bench.take() == [.available(false)])
        #expect(bench.radio.peripherals[0].camera.link == nil)
        bench.ask(.connect(bench.link(0)))
        bench.wait(.seconds(5))
        let events = bench.take()
        #expect(events.first == .available(true))
        #expect(events.connectEnds.isEmpty)
        #expect(events.sightings.map(\.link) == [bench.link(0)])
        #expect(events.sightings.first?.rssi == nil)
        bench.ask(.connect(bench.link(1)))
        bench.wait(.seconds(1))
        #expect(bench.take().connectEnds == [.unknownDevice])
    }

    @Test("an adapter that is pulled out comes back under another name")
    func adapterPulledOutComesBack() throws {
        var bench = try RadioBench()
        bench.open(0)
        _ = bench.take()
        bench.radio.unplug(0, for: .seconds(5), at: bench.now)
        bench.wait(.seconds(1))
        #expect(bench.take().contains(.adapterGone(RadioBench.adapters[0])))
        bench.wait(.seconds(5))
        let names = bench.take().compactMap {
            if case .adapter(let state) = $0 { state.name } else { nil }
        }
        #expect(names == ["hci1"])
    }

    @Test("a blocked adapter cannot be turned on") func blockedAdapterCannotTurned() throws {
        var bench = try RadioBench()
        bench.open(0)
        _ = bench.take()
        bench.radio.block(0, for: .seconds(10), at: bench.now)
        bench.wait(.seconds(1))
        #expect(bench.take().closes == 1)
        bench.ask(.powerOn(adapter: RadioBench.adapters[0]))
        bench.wait(.seconds(1))
        #expect(!bench.radio.adapters[0].isPowered)
        bench.wait(.seconds(10))
        bench.ask(.powerOn(adapter: RadioBench.adapters[0]))
        bench.wait(.seconds(1))
        #expect(bench.radio.adapters[0].isPowered)
    }

    @Test("every Connect that began ends once") func everyConnectBeganEndsOnce() throws {
        var bench = try RadioBench(cameras: 6, seed: 9)
        bench.radio.faultProfile.abortedPercent = 30
        bench.radio.faultProfile.setupFailedPercent = 20
        bench.ask(.startDiscovery(adapter: RadioBench.adapters[0]))
        for camera in 0..<6 { bench.radio.setRefusing(camera, percent: 30) }
        bench.wait(.seconds(1))
        var begun = 0
        var oks = 0
        var closes = 0
        for round in 0..<60 {
            bench.ask(.connect(bench.link(round % 6)))
            begun += 1
            bench.wait(.seconds(12))
            bench.ask(.disconnect(bench.link(round % 6)))
            bench.wait(.seconds(8))
            let events = bench.take()
            #expect(events.connectEnds.count == 1)
            oks += events.connectEnds.count { $0 == .ok }
            closes += events.closes
        }
        #expect(oks == closes)
        #expect(oks > 20 && oks < begun)
    }

    @Test("a wake broadcast wakes the one it is for") func wakeBroadcastWakesOne() throws {
        var bench = try RadioBench()
        bench.makeReady(0)
        bench.write(PowerMode.sleep, to: 0)
        bench.wait(.seconds(5))
        _ = bench.take()
        bench.ask(.wake(bench.link(0)))
        bench.wait(.seconds(3))
        let events = bench.take()
        #expect(events.contains(.wakeEnded(bench.link(0), .sent)))
        #expect(events.closes == 1)
        #expect(bench.radio.peripherals[0].camera.power == .on)
    }
}
