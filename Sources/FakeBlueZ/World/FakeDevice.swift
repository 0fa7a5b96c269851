import BlueZ
import Clock
import OsmoProtocol
import Reactor
import Simulation

/// What one adapter of the stand-in's knows of one device in the air, and its link to it.
final class FakeDevice {
    /// Where a link stands.
    enum LinkState {
        case none
        /// Connect is at work; the call, unless nobody waits for its answer.
        case connecting(BusMessage?)
        /// The camera is linked, the client is not told yet.
        case linked
        case connected
        case resolved
    }

    /// nil for a stranger.
    let camera: FakeCamera?
    let address: BluetoothAddress
    let name: String
    let companyID: UInt16
    let data: [UInt8]
    unowned let adapter: FakeAdapter
    unowned let server: ObjectServer
    let loop: EventLoop
    let timing: FakeSettings.Timing

    var state = LinkState.none
    /// Clients are shown an object.
    private(set) var isExported = false
    private(set) var isTrusted = false
    /// It has been connected once: bluetoothd keeps it across its own restarts.
    var wasConnected = false
    /// Whether an advertisement was heard in this life of bluetoothd.
    private var hasData = false
    private var rssi: Int16?
    /// Told in this scan.
    private var lastHeard = Instant.zero
    var isGATTExported = false
    /// Who called StartNotify.
    var subscriber: String?
    var acquired: AcquiredEnd?
    /// Disconnects that wait for the end of the link.
    var disconnects: [BusMessage] = []
    /// The next step of a link's life.
    var step: Timer?
    /// Gives up a Connect to a camera that is not there.
    var giveUp: Timer?
    private var forgetting: Timer?

    init(
        camera: FakeCamera, on adapter: FakeAdapter, server: ObjectServer,
        loop: EventLoop, timing: FakeSettings.Timing
    ) {
        self.camera = camera
        address = camera.address
        name = camera.simulation.name
        companyID = CameraAdvertisement.companyID
        data = Array(camera.simulation.manufacturerData.dropFirst(2))
        self.adapter = adapter
        self.server = server
        self.loop = loop
        self.timing = timing
    }

    init(
        stranger: FakeSettings.Stranger, on adapter: FakeAdapter, server: ObjectServer,
        loop: EventLoop, timing: FakeSettings.Timing
    ) {
        camera = nil
        address = stranger.address
        name = stranger.name
        companyID = stranger.companyID
        data = stranger.data
        self.adapter = adapter
        self.server = server
        self.loop = loop
        self.timing = timing
    }

    var path: String {
        adapter.path + "/dev_" + address.description.split(separator: ":").joined(separator: "_")
    }

    /// The camera is linked by way of this adapter.
    var isLinked: Bool {
        switch state {
        case .none, .connecting: false
        case .linked, .connected, .resolved: true
        }
    }

    var isConnected: Bool {
        switch state {
        case .none, .connecting, .linked: false
        case .connected, .resolved: true
        }
    }

    var isResolved: Bool {
        if case .resolved = state { true } else { false }
    }

    /// bluetoothd remembers it across restarts.
    var isKept: Bool { isExported && (isTrusted || wasConnected) }

    // MARK: Its objects

    var exported: [ExportedObject] {
        guard isExported else { return [] }
        var properties: Properties = [
            ("Address", .string(address.description)), ("AddressType", .string("public")),
            ("Adapter", .path(adapter.path)), ("Name", .string(name)), ("Alias", .string(name)),
            ("Paired", .bool(false)), ("Blocked", .bool(false)), ("Trusted", .bool(isTrusted)),
            ("Connected", .bool(isConnected)), ("ServicesResolved", .bool(isResolved)),
        ]
        if hasData { properties.append(("ManufacturerData", .manufacturerData([companyID: data]))) }
        if let rssi { properties.append(("RSSI", .int16(rssi))) }
        if isGATTExported { properties.append(("UUIDs", .strings([GATTProfile.service]))) }
        var interfaces = [Interface(name: BlueZName.device, properties: properties)]
        if hasBattery { interfaces.append(Self.battery) }
        let device = ExportedObject(path: path, interfaces: interfaces)
        return [device] + (isGATTExported ? gattObjects : [])
    }

    private var hasBattery: Bool { isResolved && camera?.simulation.model == .action5Pro }

    private static let battery = Interface(name: "org.bluez.Battery1", properties: [])

    /// Adds the battery interface to the device's object, or removes it; the object itself stays.
    func tellBattery(_ isThere: Bool) {
        guard camera?.simulation.model == .action5Pro else { return }
        if isThere {
            server.tellAdded(ExportedObject(path: path, interfaces: [Self.battery]))
        } else {
            server.tellRemoved(path, [Self.battery.name])
        }
    }

    // MARK: In the air

    /// An advertisement came while somebody scans.
    func heard(_ strength: Int16, at now: Instant) {
        lastHeard = now
        rssi = strength
        hasData = true
        if isExported {
            server.tellChanged(
                path, BlueZName.device,
                [
                    ("RSSI", .int16(strength)),
                    ("ManufacturerData", .manufacturerData([companyID: data])),
                ])
        } else {
            isExported = true
            for object in exported { server.tellAdded(object) }
        }
        forgetLater(at: now)
    }

    /// Nobody scans any more: the signal strength is taken back.
    func scanEnded(at now: Instant) {
        guard isExported, rssi != nil else { return }
        rssi = nil
        server.tellChanged(path, BlueZName.device, [], invalidated: ["RSSI"])
        if camera?.faults.vanish == true, case .none = state { remove(at: now) }
    }

    /// bluetoothd forgets what it has no reason to keep.
    func forgetLater(at now: Instant) {
        lastHeard = now
        forgetting =
            forgetting
            ?? Timer(on: loop) { [unowned self] now in
                guard !isTrusted, case .none = state else { return }
                remove(at: now)
            }
        forgetting?.set(at: now + timing.forget)
    }

    /// The object goes, and a link with it.
    func remove(at now: Instant) {
        guard isExported else { return }
        endConnect("Failed", "br-connection-canceled")
        loseLink(at: now)
        let gone = exported
        isExported = false
        isTrusted = false
        wasConnected = false
        isGATTExported = false
        for object in gone.reversed() {
            server.tellRemoved(object.path, object.interfaces.map(\.name))
        }
    }

    func trust(_ value: Bool, at now: Instant) {
        isTrusted = value
        server.tellChanged(path, BlueZName.device, [("Trusted", .bool(value))])
        if !value { forgetLater(at: now) }
    }

    // MARK: When others go

    /// The adapter or bluetoothd is gone, or off: the link dies.
    func adapterDown(at now: Instant) {
        endConnect("Failed", "Input/output error")
        loseLink(at: now)
        rssi = nil
    }

    /// What is not stored is forgotten, and nobody told.
    func forgetObjects() {
        hasData = false
        isGATTExported = false
        rssi = nil
        isExported = false
    }

    /// Shows again what was stored.
    func restore() {
        isExported = true
        for object in exported { server.tellAdded(object) }
    }
}
