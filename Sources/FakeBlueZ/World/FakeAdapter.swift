import BlueZ
import Clock
import OsmoProtocol

/// One adapter of the stand-in's, with the devices that it knows.
final class FakeAdapter {
    let address: BluetoothAddress
    /// The kernel's number: another one after each plug.
    private(set) var index: Int
    private(set) var isPresent = true
    private(set) var isPowered = true
    /// rfkill.
    private(set) var isBlocked = false
    /// Clients that scan.
    private(set) var scanners: Set<String> = []
    /// Deaf until the scan is begun again.
    private var isScanStalled = false
    var faults = AdapterFaults() { didSet { isScanStalled = faults.scanStall } }
    var devices: [BluetoothAddress: FakeDevice] = [:]
    /// What is looked for, as last said: property and value.
    private(set) var filter: [String: String] = [:]
    /// bluetoothd dies of what happened here.
    var onDeath: ((Instant) -> Void)?

    private unowned let server: ObjectServer

    init(_ address: BluetoothAddress, index: Int, server: ObjectServer) {
        self.address = address
        self.index = index
        self.server = server
    }

    var path: String { "/org/bluez/hci\(index)" }

    var hears: Bool { isPresent && isPowered && !scanners.isEmpty && !isScanStalled }

    var links: Int { devices.values.count { $0.isLinked } }

    /// A packet to a stalled camera keeps its buffer, and controllers have few.
    var isOutOfBuffers: Bool {
        faults.sharedBuffers
            && devices.values.reduce(0) { $0 + ($1.camera?.heldCount ?? 0) } >= Self.buffers
    }

    private static let buffers = 16

    var exported: ExportedObject {
        var properties: Properties = [
            ("Address", .string(address.description)), ("AddressType", .string("public")),
            ("Name", .string("stand-in")), ("Alias", .string("stand-in")),
            ("Powered", .bool(isPowered)), ("Discovering", .bool(!scanners.isEmpty)),
            // bluetoothd names them, and bleak does not work without.
            ("Roles", .strings(["central", "peripheral"])),
        ]
        properties.append(("PowerState", .string(powerState)))
        return ExportedObject(
            path: path, interfaces: [Interface(name: BlueZName.adapter, properties: properties)])
    }

    private var powerState: String {
        if isBlocked { return "off-blocked" }
        return isPowered ? "on" : "off"
    }

    // MARK: Calls

    func handle(_ call: BusMessage, at now: Instant) {
        switch call.member {
        case "SetDiscoveryFilter": setFilter(call)
        case "StartDiscovery": startDiscovery(call)
        case "StopDiscovery": stopDiscovery(call, at: now)
        case "RemoveDevice": removeDevice(call, at: now)
        default: server.refuseUnknownObject(call)
        }
    }

    private func setFilter(_ call: BusMessage) {
        var reader = call.reader
        filter = [:]
        reader.properties { name, value in
            filter[name] = value.string() ?? value.bool().map { $0 ? "yes" : "no" }
        }
        server.reply(to: call)
    }

    private func startDiscovery(_ call: BusMessage) {
        guard isPowered else { return server.refuse(call, "NotReady", "Resource Not Ready") }
        guard let client = call.sender, !scanners.contains(client) else {
            return server.refuse(call, "InProgress", "Operation already in progress")
        }
        if faults.holdScan > 0 {
            faults.holdScan -= 1
            return
        }
        if faults.refuseScan > 0 {
            faults.refuseScan -= 1
            return server.refuse(call, "InProgress", "Operation already in progress")
        }
        scanners.insert(client)
        isScanStalled = false
        server.reply(to: call)
        if scanners.count == 1 { tell([("Discovering", .bool(true))]) }
    }

    private func stopDiscovery(_ call: BusMessage, at now: Instant) {
        guard let client = call.sender, scanners.contains(client) else {
            return server.refuse(call, "Failed", "No discovery started")
        }
        server.reply(to: call)
        endScan(of: client, at: now)
    }

    private func removeDevice(_ call: BusMessage, at now: Instant) {
        var reader = call.reader
        let path = reader.objectPath()
        guard let device = devices.values.first(where: { $0.path == path && $0.isExported })
        else { return server.refuse(call, "DoesNotExist", "Does Not Exist") }
        device.camera?.faults.staleCache = false
        device.remove(at: now)
        server.reply(to: call)
    }

    /// A client stopped its scan, or left.
    func endScan(of client: String, at now: Instant) {
        guard scanners.remove(client) != nil, scanners.isEmpty else { return }
        if faults.scanStall { isScanStalled = true }
        tell([("Discovering", .bool(false))])
        for device in devices.values { device.scanEnded(at: now) }
    }

    // MARK: What happens to it

    func setPower(_ isOn: Bool, at now: Instant) {
        guard isPowered != isOn, !(isOn && isBlocked) else { return }
        isPowered = isOn
        if !isOn {
            scanners = []
            for device in devices.values { device.adapterDown(at: now) }
        }
        tell([
            ("Powered", .bool(isOn)), ("Discovering", .bool(false)),
            ("PowerState", .string(powerState)),
        ])
    }

    func setBlocked(_ value: Bool, at now: Instant) {
        isBlocked = value
        if value { setPower(false, at: now) } else { tell([("PowerState", .string(powerState))]) }
    }

    /// Pulled out: its links die, its devices' objects are not taken back first.
    func unplug(at now: Instant) {
        guard isPresent else { return }
        isPresent = false
        scanners = []
        for device in devices.values { device.adapterDown(at: now) }
        devices = devices.filter { $0.value.isKept }
        for device in devices.values { device.forgetObjects() }
        server.tellRemoved(path, [BlueZName.adapter])
    }

    /// Put in again, under another number.
    func plug(index: Int) {
        guard !isPresent else { return }
        self.index = index
        isPresent = true
        isPowered = !isBlocked
        server.tellAdded(exported)
        for device in devices.values where device.isKept { device.restore() }
    }

    /// bluetoothd ended: links die, temporary devices and scans are gone, nobody is told.
    func serverDown(at now: Instant) {
        scanners = []
        for device in devices.values { device.adapterDown(at: now) }
        devices = devices.filter { $0.value.isKept }
        for device in devices.values {
            device.forgetObjects()
            device.restore()
        }
    }

    /// Lets through what waited for buffers, once there are some.
    func releaseBuffers(at now: Instant) {
        for device in devices.values.sorted(by: { $0.path < $1.path }) {
            guard !isOutOfBuffers, let camera = device.camera, !camera.isStalled else { continue }
            camera.release(at: now)
        }
    }

    private func tell(_ properties: Properties) {
        if isPresent { server.tellChanged(path, BlueZName.adapter, properties) }
    }
}
