import OsmoProtocol

/// A mirror of what bluetoothd exports, as far as cameras are concerned, fed with its messages.
///
/// Bounded, whatever the air or the bus brings: devices beyond `maximumDevices` are not taken in,
/// except that a camera takes the place of a device that is none. Messages that are not what they
/// should be change nothing.
struct ObjectTree {
    /// What a message changed.
    enum Change {
        /// An adapter appeared or changed.
        case adapter(path: String)
        case adapterGone(AdapterObject)
        /// An adapter appeared that has the address of another one, which is in use.
        case adapterIgnored(AdapterObject, inUse: AdapterObject)
        /// A device appeared or changed; `heard` where an advertisement was the reason.
        case device(path: String, heard: Bool)
        case deviceGone(DeviceObject)
        /// A camera's characteristic appeared.
        case characteristic(device: String)
        /// A notification.
        case value(characteristic: String, [UInt8])
    }

    static let maximumAdapters = 16
    static let maximumDevices = 1024
    /// Two a camera, for more cameras than links exist.
    static let maximumCharacteristics = 512

    private(set) var adapters: [String: AdapterObject] = [:]
    /// The path of the adapter in use for each address: cheap dongles have been sold with one and the
    /// same. The first to appear is used; another takes its place when it goes.
    private var served: [BluetoothAddress: String] = [:]
    private(set) var devices: [String: DeviceObject] = [:]
    /// Cameras' services, with the path of their device.
    private(set) var services: [String: String] = [:]
    private(set) var characteristics: [String: CharacteristicObject] = [:]

    func adapter(_ address: BluetoothAddress) -> AdapterObject? {
        served[address].flatMap { adapters[$0] }
    }

    /// Whether it is the one in use for its address.
    func isServed(_ adapter: AdapterObject) -> Bool { served[adapter.address] == adapter.path }

    func device(_ address: BluetoothAddress, adapter path: String) -> DeviceObject? {
        devices.values.first { $0.address == address && $0.adapter == path }
    }

    /// The two characteristics of a camera, if both are there.
    func characteristics(
        ofDevice path: String
    ) -> (notify: CharacteristicObject, write: CharacteristicObject)? {
        let own = characteristics.values.filter { services[$0.service] == path }
        guard let notify = own.first(where: { $0.role == .notify }),
            let write = own.first(where: { $0.role == .write && $0.service == notify.service })
        else { return nil }
        return (notify, write)
    }

    /// Takes in the answer to GetManagedObjects (`a{oa{sa{sv}}}`); nil where it is none.
    mutating func readManagedObjects(_ reader: inout MessageReader) -> [Change]? {
        var changes: [Change] = []
        let isRead = reader.dictionary { entry in
            guard let path = entry.objectPath() else { return }
            changes += readInterfaces(of: path, &entry)
        }
        return isRead ? changes : nil
    }

    /// Takes in InterfacesAdded (`oa{sa{sv}}`).
    mutating func readInterfacesAdded(_ reader: inout MessageReader) -> [Change] {
        guard let path = reader.objectPath() else { return [] }
        return readInterfaces(of: path, &reader)
    }

    /// Takes in InterfacesRemoved (`oas`). The object stays if only others of its interfaces went,
    /// such as Battery1.
    mutating func readInterfacesRemoved(_ reader: inout MessageReader) -> [Change] {
        guard let path = reader.objectPath(), let interfaces = reader.strings() else { return [] }
        var changes: [Change] = []
        for interface in interfaces {
            switch interface {
            case BlueZName.adapter: changes += removeAdapter(path)
            case BlueZName.device: changes += removeDevice(path)
            case BlueZName.gattService: removeService(path)
            case BlueZName.characteristic: characteristics[path] = nil
            default: break
            }
        }
        return changes
    }

    /// Takes in PropertiesChanged (`sa{sv}as`) of an object.
    mutating func readPropertiesChanged(_ reader: inout MessageReader, path: String) -> [Change] {
        switch reader.string() {
        case BlueZName.adapter:
            guard adapters[path] != nil else { return [] }
            adapters[path]?.update(&reader)
            return adapters[path].map { isServed($0) ? [.adapter(path: path)] : [] } ?? []
        case BlueZName.device:
            guard devices[path] != nil else { return [] }
            let isHeard = devices[path]?.update(&reader) ?? false
            if let invalid = reader.strings() { devices[path]?.invalidate(invalid) }
            return [.device(path: path, heard: isHeard)]
        case BlueZName.characteristic:
            guard let value = characteristics[path]?.update(&reader) else { return [] }
            return [.value(characteristic: path, value)]
        default:
            return []
        }
    }

    /// Forgets a camera's services: BlueZ has others than it said.
    mutating func forgetServices(ofDevice path: String) {
        for service in services.filter({ $0.value == path }).keys { removeService(service) }
    }

    // MARK: Coming and going

    /// - Parameter reader: at an `a{sa{sv}}`.
    private mutating func readInterfaces(
        of path: String, _ reader: inout MessageReader
    ) -> [Change] {
        var changes: [Change] = []
        reader.dictionary { entry in
            switch entry.string() {
            case BlueZName.adapter: changes += addAdapter(path, &entry)
            case BlueZName.device: changes += addDevice(path, &entry)
            case BlueZName.gattService: changes += addService(path, &entry)
            case BlueZName.characteristic: changes += addCharacteristic(path, &entry)
            default: break
            }
        }
        return changes
    }

    private mutating func addAdapter(_ path: String, _ reader: inout MessageReader) -> [Change] {
        guard let adapter = AdapterObject(path: path, properties: &reader) else { return [] }
        var changes: [Change] = []
        // Another adapter may have this name now, though the removal of the first was never
        // signalled.
        if let old = adapters[path], old.address != adapter.address {
            changes = removeAdapter(path)
        }
        guard adapters[path] != nil || adapters.count < Self.maximumAdapters else { return [] }
        let isNew = adapters[path] == nil
        adapters[path] = adapter
        if let inUse = self.adapter(adapter.address), inUse.path != path {
            return changes + (isNew ? [.adapterIgnored(adapter, inUse: inUse)] : [])
        }
        served[adapter.address] = path
        return changes + [.adapter(path: path)]
    }

    private mutating func addDevice(_ path: String, _ reader: inout MessageReader) -> [Change] {
        guard let device = DeviceObject(path: path, properties: &reader) else { return [] }
        guard devices[path] != nil || makeRoom(for: device) else { return [] }
        devices[path] = device
        return [.device(path: path, heard: device.rssi != nil)]
    }

    private mutating func makeRoom(for device: DeviceObject) -> Bool {
        if devices.count < Self.maximumDevices { return true }
        guard device.isCamera,
            let other = devices.values.first(where: {
                !$0.isCamera && !$0.connected && !$0.trusted
            })
        else { return false }
        _ = removeDevice(other.path)
        return true
    }

    private mutating func addService(_ path: String, _ reader: inout MessageReader) -> [Change] {
        var isCamera = false
        var owner: String?
        reader.properties { name, value in
            switch name {
            case "UUID": isCamera = value.string() == GATTProfile.service
            case "Device": owner = value.objectPath()
            default: break
            }
        }
        let hasRoom = services[path] != nil || services.count < Self.maximumCharacteristics
        guard isCamera, let owner, hasRoom else { return [] }
        services[path] = owner
        // Its characteristics may have been signalled before it.
        return [.characteristic(device: owner)]
    }

    private mutating func addCharacteristic(
        _ path: String, _ reader: inout MessageReader
    ) -> [Change] {
        guard let characteristic = CharacteristicObject(path: path, properties: &reader),
            characteristics[path] != nil || characteristics.count < Self.maximumCharacteristics
        else { return [] }
        characteristics[path] = characteristic
        return services[characteristic.service].map { [.characteristic(device: $0)] } ?? []
    }

    private mutating func removeAdapter(_ path: String) -> [Change] {
        guard let adapter = adapters.removeValue(forKey: path) else { return [] }
        // BlueZ does not always remove its devices before it (field note D12).
        let orphans = devices.values.filter { $0.adapter == path }.map(\.path).sorted()
        let gone = orphans.flatMap { removeDevice($0) }
        guard isServed(adapter) else { return gone }
        served[adapter.address] = nil
        return gone + [.adapterGone(adapter)] + replacement(for: adapter.address)
    }

    /// Another adapter with that address is in use from now on, with the devices that it knows.
    private mutating func replacement(for address: BluetoothAddress) -> [Change] {
        let twins = adapters.values.filter { $0.address == address }
        guard let twin = twins.min(by: { $0.path < $1.path }) else { return [] }
        served[address] = twin.path
        let known = devices.values.filter { $0.adapter == twin.path }.map(\.path).sorted()
        return [.adapter(path: twin.path)] + known.map { .device(path: $0, heard: false) }
    }

    private mutating func removeDevice(_ path: String) -> [Change] {
        guard let device = devices.removeValue(forKey: path) else { return [] }
        forgetServices(ofDevice: path)
        return [.deviceGone(device)]
    }

    private mutating func removeService(_ path: String) {
        guard services.removeValue(forKey: path) != nil else { return }
        characteristics = characteristics.filter { $0.value.service != path }
    }
}
