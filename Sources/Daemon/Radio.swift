import BlueZ
package import Clock
package import RadioPort
package import Reactor

/// BlueZ as the fleet's radio: its requests and events in the fleet's words.
package final class Radio {
    package typealias Handler = (RadioEvent, _ now: Instant) -> Void

    private let loop: EventLoop
    private let handler: Handler
    private var radio: BlueZRadio?
    /// What was found out within a request, told once the handlers at hand are done.
    private var late: [RadioEvent] = []
    private var delivery: Timer?

    /// - Parameters:
    ///   - address: of the bus, as D-Bus writes it (`Radio.systemBus`).
    ///   - handler: gets every event, never within a request; capture its owner `unowned`.
    package init(bus address: String, on loop: EventLoop, handler: @escaping Handler) {
        self.loop = loop
        self.handler = handler
        radio = BlueZRadio(bus: address, on: loop) { [unowned self] event, now in
            self.handler(RadioEvent(event), now)
        }
        delivery = Timer(on: loop) { [unowned self] now in
            let events = late
            late = []
            for event in events { self.handler(event, now) }
        }
    }

    /// DBUS_SYSTEM_BUS_ADDRESS, or where the system bus listens without it.
    package static func systemBus(environment: String?) -> String {
        Bus.systemAddress(environment: environment)
    }

    /// Connects to the bus, and goes on trying for as long as it takes.
    package func start() { radio?.start() }

    /// Whether the bus is there; while it is not, the radio waits for it by itself.
    package var isBusConnected: Bool { radio?.isBusConnected ?? false }

    /// Messages that came over the bus since the start.
    package var busMessages: Int { radio?.busMessages ?? 0 }

    /// Makes the bus send one, if it is alive.
    package func pingBus() { radio?.pingBus() }

    /// Ends our links, Connects and scans without waiting for answers. No event comes after it.
    package func close() {
        radio?.close()
        delivery?.cancel()
        late = []
    }

    package func perform(_ request: RadioRequest) {
        switch request {
        case .powerOn(let adapter): radio?.powerOn(adapter)
        case .powerOff(let adapter): radio?.powerOff(adapter)
        case .startDiscovery(let adapter): radio?.startDiscovery(adapter)
        case .stopDiscovery(let adapter): radio?.stopDiscovery(adapter)
        case .connect(let link): radio?.connect(BlueZLink(link))
        case .disconnect(let link): radio?.disconnect(BlueZLink(link))
        case .trust(let link): radio?.trust(BlueZLink(link))
        case .remove(let link): radio?.remove(BlueZLink(link))
        case .write(let link, let frame): write(frame, to: link)
        case .wake(let link):
            tell(.wakeEnded(link, .unsupported("this build cannot broadcast over Bluetooth")))
        }
    }

    /// One frame to many links, in one pass.
    package func write(_ frame: [UInt8], to links: [LinkID]) {
        for link in links { write(frame, to: link) }
    }

    private func write(_ frame: [UInt8], to link: LinkID) {
        if radio?.write(frame, to: BlueZLink(link)) != true {
            tell(.frameDropped(link, frame: frame))
        }
    }

    private func tell(_ event: RadioEvent) {
        late.append(event)
        delivery?.set(at: loop.now)
    }
}

extension BlueZLink {
    fileprivate init(_ link: LinkID) { self.init(camera: link.camera, adapter: link.adapter) }
}

extension LinkID {
    fileprivate init(_ link: BlueZLink) { self.init(camera: link.camera, adapter: link.adapter) }
}

extension RadioEvent {
    fileprivate init(_ event: BlueZEvent) {
        switch event {
        case .available(let isThere): self = .available(isThere)
        case .adapter(let adapter): self = .adapter(AdapterState(adapter))
        case .adapterGone(let address): self = .adapterGone(address)
        case .sighting(let sighting): self = .sighting(Sighting(sighting))
        case .connectEnded(let link, let result):
            self = .connectEnded(LinkID(link), ConnectOutcome(result))
        case .linkOpen(let link, let open):
            self = .linkOpen(
                LinkID(link),
                LinkParameters(mtu: open.mtu, path: open.hasDescriptor ? .descriptor : .call))
        case .setupFailed(let link, let error):
            self = .setupFailed(LinkID(link), SetupFailure(error))
        case .linkClosed(let link): self = .linkClosed(LinkID(link))
        case .notification(let link, let bytes): self = .notification(LinkID(link), bytes)
        case .frameDropped(let link, let frame):
            self = .frameDropped(LinkID(link), frame: frame)
        }
    }
}

extension AdapterState {
    fileprivate init(_ adapter: BlueZAdapter) {
        self.init(
            address: adapter.address, name: adapter.name, powered: adapter.powered,
            discovering: adapter.discovering, blocked: adapter.blocked)
    }
}

extension Sighting {
    fileprivate init(_ sighting: BlueZSighting) {
        self.init(
            link: LinkID(sighting.link), advertisement: sighting.advertisement,
            name: sighting.name, rssi: sighting.rssi, connected: sighting.connected)
    }
}

extension ConnectOutcome {
    fileprivate init(_ result: ConnectResult) {
        switch result {
        case .ok: self = .ok
        case .inProgress: self = .inProgress
        case .notReady: self = .notReady
        case .unknownDevice: self = .unknownDevice
        case .aborted: self = .aborted
        case .adapterFull: self = .adapterFull
        case .noReply: self = .noReply
        case .denied: self = .denied
        case .failed(let text): self = .failed(text)
        }
    }
}

extension SetupFailure {
    fileprivate init(_ error: SetupError) {
        switch error {
        case .noCharacteristics: self = .noCharacteristics
        case .notify(let text): self = .notify(text)
        case .write(let text): self = .write(text)
        case .mtu(let bytes): self = .mtu(bytes)
        }
    }
}
