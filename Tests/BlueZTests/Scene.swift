import BlueZ
import Clock
import FakeBlueZ
import OsmoProtocol
import RadioPort
import Reactor
import Simulation
import Testing

/// A private bus with the fake bluetoothd on it, and a radio whose events are recorded.
final class Scene {
    let daemon: PrivateBus
    let loop: EventLoop
    let standIn: FakeBluetoothd
    private(set) var events: [RadioEvent] = []
    private(set) var lines: [String] = []
    private let timing: BlueZTiming
    private var ownRadio: BlueZRadio?
    var radio: BlueZRadio {
        guard let ownRadio else { preconditionFailure("the scene has ended") }
        return ownRadio
    }

    /// - Parameter slowness: the speed of the fake bluetoothd; at its real speed tests would take
    ///   minutes.
    init(
        cameras: Int = 1, adapters: Int = 1, areTwins: Bool = false, slowness: Double = 0.02,
        strangers: Int = 0,
        timing: BlueZTiming = Scene.timing, forget: TimeSpan = .seconds(30)
    ) throws {
        self.timing = timing
        let daemon = try PrivateBus()
        let loop = try EventLoop()
        var settings = FakeSettings()
        settings.adapters = (0..<adapters).map { FakeSettings.adapter(areTwins ? 0 : $0) }
        settings.cameras = (0..<cameras).map { FakeSettings.camera($0) }
        settings.strangers = (0..<strangers).map(FakeSettings.stranger)
        settings.timing = settings.timing.scaled(by: slowness)
        // At this slowness, advertisements at their usual rate would flood the test.
        settings.timing.advertisement = .milliseconds(20)
        settings.timing.forget = forget
        var output: ((String) -> Void)?
        standIn = FakeBluetoothd(bus: daemon.address, on: loop, settings: settings) { output?($0) }
        self.daemon = daemon
        self.loop = loop
        output = { [unowned self] in lines.append($0) }
        makeRadio()
        var isReady = false
        standIn.onReady = { isReady = true }
        standIn.start()
        #expect(loop.turn { isReady })
    }

    /// The radio's own timing, except for sightings, which tests wait for.
    static var timing: BlueZTiming {
        var timing = BlueZTiming()
        timing.sighting = .milliseconds(30)
        return timing
    }

    /// Starts another run of the daemon; the old radio is left as a killed process leaves it.
    func makeRadio() {
        ownRadio = BlueZRadio(bus: daemon.address, on: loop, timing: timing) {
            [unowned self] event, _ in
            events.append(event)
        }
    }

    func link(_ camera: Int = 0, adapter: Int = 0) -> LinkID {
        LinkID(
            camera: FakeSettings.camera(camera).address,
            adapter: FakeSettings.adapter(adapter))
    }

    /// Carries out a control line, which must be understood.
    func command(_ line: String) {
        let reason = standIn.command(line)
        #expect(reason == nil, "\(line): \(reason ?? "")")
    }

    func forgetEvents() { events = [] }

    /// Waits until an event is among those recorded.
    func awaits(
        _ what: String, within limit: TimeSpan = .seconds(10), _ match: (RadioEvent) -> Bool,
        location: SourceLocation = #_sourceLocation
    ) {
        let isThere = loop.turn(within: limit) { events.contains(where: match) }
        #expect(isThere, "\(what) did not come: \(events)", sourceLocation: location)
    }

    func count(_ match: (RadioEvent) -> Bool) -> Int { events.count(where: match) }

    /// Waits until bluetoothd's adapters are known.
    func start(location: SourceLocation = #_sourceLocation) {
        radio.start()
        awaits("adapter", { if case .adapter = $0 { true } else { false } }, location: location)
    }

    /// Scans until the camera was heard, and stops.
    func find(_ link: LinkID, location: SourceLocation = #_sourceLocation) {
        radio.startDiscovery(link.adapter)
        awaits(
            "sighting",
            {
                if case .sighting(let sighting) = $0 { sighting.link == link } else { false }
            }, location: location)
        radio.stopDiscovery(link.adapter)
    }

    /// Opens a link from the beginning: finds the camera and connects.
    func open(_ link: LinkID, location: SourceLocation = #_sourceLocation) {
        find(link, location: location)
        radio.connect(link)
        awaits("open link", { $0.isOpen(link) }, location: location)
    }

    /// Carries out the four steps of the handshake; then the camera accepts pushes.
    func shakeHands(_ link: LinkID, location: SourceLocation = #_sourceLocation) {
        let hello = ConnectionRequest(
            deviceID: 0x1234, address: BluetoothAddress(value: 1), verification: .saved(code: 0))
        #expect(write(Frame(hello, sequence: 1), to: link), sourceLocation: location)
        var verdict: Frame?
        let isDecided = loop.turn {
            for case .notification(link, let bytes) in events {
                let frame = try? Frame(datagram: bytes)
                if frame?.read(ConnectionRequest.self) != nil { verdict = frame }
            }
            return verdict != nil
        }
        #expect(isDecided, "no step 3: \(events)", sourceLocation: location)
        guard let verdict else { return }
        let answer = ConnectionResponse(deviceID: 0x1234)
        #expect(
            write(Frame(answer, sequence: verdict.sequence), to: link), sourceLocation: location)
    }

    /// Writes a frame, and tries again while a WriteValue is under way.
    func write(_ frame: Frame, to link: LinkID) -> Bool {
        loop.turn { radio.write(frame.encoded, to: link) }
    }

    /// Void frames that a camera received.
    func voids(of name: String) -> Int { standIn.camera(name)?.pushes.voids ?? 0 }

    func end() {
        radio.close()
        ownRadio = nil
        standIn.stop()
    }
}

extension RadioEvent {
    func isOpen(_ link: LinkID) -> Bool {
        if case .linkOpen(link, _) = self { true } else { false }
    }

    func isEnd(_ link: LinkID) -> Bool {
        if case .connectEnded(link, _) = self { true } else { false }
    }

    func isFailure(_ link: LinkID) -> Bool {
        if case .setupFailed(link, _) = self { true } else { false }
    }
}
