import BlueZ
package import Clock
package import OsmoProtocol
package import Reactor
package import Simulation

/// Stands in for bluetoothd: serves org.bluez on a bus of its own, with simulated cameras in the
/// air.
///
/// It behaves as bluetoothd 5.66 did on a virtual radio, in its order and, by default, in its
/// time. What cameras receive comes out as lines, what shall happen to them goes in as lines.
package final class FakeBluetoothd {
    /// Gets one line without its end.
    package typealias Output = (String) -> Void

    /// Told once, when org.bluez is served for the first time.
    package var onReady: (() -> Void)?
    /// Told of what each camera understood, and when.
    package var onNote: ((_ camera: String, _ note: CameraNote, _ now: Instant) -> Void)?

    let loop: EventLoop
    let settings: FakeSettings
    let server: ObjectServer
    let output: Output
    private(set) var adapters: [FakeAdapter] = []
    private(set) var cameras: [FakeCamera] = []
    private var air: Timer?
    private var restart: Timer?
    private var nextIndex = 0
    /// Who agrees to pairings: a connection and the object on it.
    var agent: (owner: String, path: String)?

    /// - Parameters:
    ///   - address: of a bus that is ours alone, as D-Bus writes it.
    ///   - output: `MONO_NS NAME WHAT…` for everything that happens.
    package init(
        bus address: String, on loop: EventLoop, settings: FakeSettings,
        output: @escaping Output
    ) {
        self.loop = loop
        self.settings = settings
        self.output = output
        server = ObjectServer(bus: address, on: loop)
        for adapter in settings.adapters {
            adapters.append(FakeAdapter(adapter, index: nextIndex, server: server))
            nextIndex += 1
        }
        for adapter in adapters {
            adapter.onDeath = { [unowned self] now in
                restart(after: self.settings.timing.restart * 3, at: now)
            }
        }
        for (index, camera) in settings.cameras.enumerated() {
            cameras.append(
                FakeCamera(
                    camera, seed: settings.seed &+ UInt64(index), on: loop,
                    advertisingChanged: { [unowned self] in advertisingChanged(of: $0) },
                    output: { [unowned self] now, name, text in tell(name, text, at: now) }))
        }
        for camera in cameras {
            camera.onNote = { [unowned self, unowned camera] note, now in
                onNote?(camera.name, note, now)
            }
        }
        air = Timer(on: loop) { [unowned self] now in advertise(at: now) }
        restart = Timer(on: loop) { [unowned self] _ in server.open() }
        server.objects = { [unowned self] in exportedObjects }
        server.onCall = { [unowned self] call, now in handle(call, at: now) }
        server.onClientGone = { [unowned self] name, now in clientGone(name, at: now) }
        server.onServing = { [unowned self] isServing, now in served(isServing, at: now) }
    }

    /// Serves; goes on trying where the bus is not there.
    package func start() {
        server.open()
        air?.set(at: loop.now)
    }

    /// Leaves the bus.
    package func stop() {
        air?.cancel()
        restart?.cancel()
        server.close()
    }

    /// A camera as it is now.
    package func camera(_ name: String) -> SimulatedCamera? {
        cameras.first { $0.name == name }?.simulation
    }

    /// Who has a link to it now, if it has one.
    package func adapter(of name: String) -> BluetoothAddress? {
        cameras.first { $0.name == name }?.holder?.adapter.address
    }

    /// What an adapter was last told to look for: property and value.
    package func filter(of adapter: BluetoothAddress) -> [String: String] {
        adapters.first { $0.address == adapter }?.filter ?? [:]
    }

    func tell(_ name: String, _ text: String, at now: Instant) {
        output("\(now.nanoseconds) \(name) \(text)")
    }

    // MARK: The air

    private func advertise(at now: Instant) {
        air?.set(at: now + settings.timing.advertisement)
        for (position, adapter) in adapters.enumerated() where adapter.hears {
            for (index, camera) in cameras.enumerated() where camera.isHeard {
                // Each farther than the one before, and from each adapter a bit farther.
                let strength = -45 - Int16(index % 40) - Int16(position) * 3
                device(of: camera, on: adapter).heard(strength, at: now)
            }
            for stranger in settings.strangers {
                device(of: stranger, on: adapter).heard(-70, at: now)
            }
        }
    }

    private func device(of camera: FakeCamera, on adapter: FakeAdapter) -> FakeDevice {
        if let known = adapter.devices[camera.address] { return known }
        let device = FakeDevice(
            camera: camera, on: adapter, server: server, loop: loop, timing: settings.timing)
        adapter.devices[camera.address] = device
        return device
    }

    private func device(
        of stranger: FakeSettings.Stranger, on adapter: FakeAdapter
    ) -> FakeDevice {
        if let known = adapter.devices[stranger.address] { return known }
        let device = FakeDevice(
            stranger: stranger, on: adapter, server: server, loop: loop, timing: settings.timing)
        adapter.devices[stranger.address] = device
        return device
    }

    /// Connects that wait for a camera go on when it advertises.
    func advertisingChanged(of camera: FakeCamera) {
        guard camera.isHeard else { return }
        tell(camera.name, "advertises", at: loop.now)
        for adapter in adapters { adapter.devices[camera.address]?.approach() }
    }

    // MARK: Calls

    private var exportedObjects: [ExportedObject] {
        adapters.filter(\.isPresent).flatMap { adapter in
            [adapter.exported]
                + adapter.devices.values.sorted { $0.path < $1.path }.flatMap(\.exported)
        }
    }

    private func handle(_ call: BusMessage, at now: Instant) {
        let path = call.path ?? ""
        if path == BlueZName.root, call.interface == BlueZName.agentManager {
            return handleAgent(call)
        }
        for adapter in adapters where adapter.isPresent && path.hasPrefix(adapter.path) {
            if call.interface == ObjectServer.properties, call.member == "Set" {
                if setProperty(call, on: adapter, at: now) { return }
            } else if path == adapter.path, call.interface == BlueZName.adapter {
                return adapter.handle(call, at: now)
            } else if let device = exportedDevice(path, on: adapter) {
                if device.camera == nil { tell(device.name, "touched", at: now) }
                if device.path == path, call.interface == BlueZName.device {
                    return device.handle(call, at: now)
                }
                if call.interface == BlueZName.characteristic, device.handleGATT(call, at: now) {
                    return
                }
            }
        }
        server.refuseUnknownObject(call)
    }

    /// The device at a path or above it.
    private func exportedDevice(_ path: String, on adapter: FakeAdapter) -> FakeDevice? {
        adapter.devices.values.first {
            $0.isExported && (path == $0.path || path.hasPrefix($0.path + "/"))
        }
    }

    private func setProperty(
        _ call: BusMessage, on adapter: FakeAdapter, at now: Instant
    ) -> Bool {
        var reader = call.reader
        guard let interface = reader.string(), let name = reader.string(),
            var variant = reader.variant(), let value = variant.bool()
        else { return false }
        switch (interface, name) {
        case (BlueZName.adapter, "Powered") where call.path == adapter.path:
            if value, adapter.isBlocked {
                server.refuse(call, "Blocked", "Blocked through rfkill")
                return true
            }
            adapter.setPower(value, at: now)
        case (BlueZName.device, "Trusted"):
            guard let device = exportedDevice(call.path ?? "", on: adapter) else { return false }
            device.trust(value, at: now)
        default: return false
        }
        server.reply(to: call)
        return true
    }

    // MARK: Coming and going

    private func clientGone(_ name: String, at now: Instant) {
        if agent?.owner == name { agent = nil }
        for adapter in adapters {
            adapter.endScan(of: name, at: now)
            for device in adapter.devices.values where device.subscriber == name {
                device.unsubscribe(at: now)
            }
        }
    }

    private func served(_ isServing: Bool, at now: Instant) {
        guard isServing else { return bluetoothDown(at: now) }
        tell("-", "serving", at: now)
        onReady?()
        onReady = nil
    }

    /// bluetoothd dies: links fall, and nobody is told but by the bus.
    private func bluetoothDown(at now: Instant) {
        for adapter in adapters { adapter.serverDown(at: now) }
    }

    /// bluetoothd dies and is started again after a while.
    func restart(after time: TimeSpan, at now: Instant) {
        tell("-", "down", at: now)
        agent = nil
        server.close()
        bluetoothDown(at: now)
        restart?.set(at: now + time)
    }

    /// An adapter that is plugged in gets the next number.
    func plug(_ adapter: FakeAdapter) {
        adapter.plug(index: nextIndex)
        nextIndex += 1
    }
}
