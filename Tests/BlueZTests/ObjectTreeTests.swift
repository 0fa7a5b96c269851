import OsmoProtocol
import Testing

@testable import BlueZ

@Suite struct ObjectTreeTests {
    private var tree = ObjectTree()

    private static let adapter = "/org/bluez/hci0"

    private static func device(_ number: Int) -> (path: String, address: BluetoothAddress) {
        let address = BluetoothAddress(value: 0x6060_1F00_0000 | UInt64(number))
        let name = address.description.split(separator: ":").joined(separator: "_")
        return ("\(adapter)/dev_\(name)", address)
    }

    /// Sends InterfacesAdded for an object with one interface.
    private mutating func add(
        _ path: String, _ interface: String, _ properties: (inout MessageWriter) -> Void
    ) -> [ObjectTree.Change] {
        let message = BusMessage(signal: "InterfacesAdded", of: "a.b", at: "/")
        message.append { writer in
            writer.append(objectPath: path)
            writer.array("{sa{sv}}") { interfaces in
                interfaces.entry { entry in
                    entry.append(interface)
                    entry.array("{sv}", properties)
                }
            }
        }
        var reader = message.reader
        return tree.readInterfacesAdded(&reader)
    }

    private mutating func addAdapter(_ address: String = "02:00:00:00:00:01") {
        _ = add(Self.adapter, BlueZName.adapter) { properties in
            properties.property("Address", "s") { $0.append(address) }
            properties.property("Powered", "b") { $0.append(true) }
        }
    }

    private mutating func addDevice(_ number: Int, isCamera: Bool = true) {
        let (path, address) = Self.device(number)
        _ = add(path, BlueZName.device) { properties in
            properties.property("Address", "s") { $0.append(address.description) }
            properties.property("Adapter", "o") { $0.append(objectPath: Self.adapter) }
            guard isCamera else { return }
            properties.property("ManufacturerData", "a{qv}") { companies in
                companies.array("{qv}") { array in
                    array.entry { entry in
                        entry.append(CameraAdvertisement.companyID)
                        entry.variant("ay") { $0.append([0x14, 0x00, 0xFA]) }
                    }
                }
            }
        }
    }

    private mutating func addCharacteristics(_ number: Int) {
        let path = Self.device(number).path
        let service = path + "/service0028"
        for (name, uuid) in [
            ("char0029", GATTProfile.notifyCharacteristic),
            ("char002c", GATTProfile.writeCharacteristic),
        ] {
            _ = add("\(service)/\(name)", BlueZName.characteristic) { properties in
                properties.property("UUID", "s") { $0.append(uuid) }
                properties.property("Service", "o") { $0.append(objectPath: service) }
                properties.property("Flags", "as") { $0.append(["notify"]) }
                properties.property("MTU", "q") { $0.append(UInt16(247)) }
            }
        }
        _ = add(service, BlueZName.gattService) { properties in
            properties.property("UUID", "s") { $0.append(GATTProfile.service) }
            properties.property("Device", "o") { $0.append(objectPath: path) }
        }
    }

    private mutating func remove(_ path: String, _ interfaces: [String]) -> [ObjectTree.Change] {
        let message = BusMessage(signal: "InterfacesRemoved", of: "a.b", at: "/")
        message.append { writer in
            writer.append(objectPath: path)
            writer.append(interfaces)
        }
        var reader = message.reader
        return tree.readInterfacesRemoved(&reader)
    }

    private mutating func change(
        _ path: String, _ interface: String, invalidated: [String] = [],
        _ properties: (inout MessageWriter) -> Void
    ) -> [ObjectTree.Change] {
        let message = BusMessage(signal: "PropertiesChanged", of: "a.b", at: path)
        message.append { writer in
            writer.append(interface)
            writer.array("{sv}", properties)
            writer.append(invalidated)
        }
        var reader = message.reader
        return tree.readPropertiesChanged(&reader, path: path)
    }

    @Test("a camera has both characteristics once their service is known")
    mutating func cameraHasBothCharacteristicsOnce() throws {
        addAdapter()
        addDevice(1)
        let path = Self.device(1).path
        #expect(tree.characteristics(ofDevice: path) == nil)
        addCharacteristics(1)
        let found = try #require(tree.characteristics(ofDevice: path))
        #expect(found.notify.path == path + "/service0028/char0029")
        #expect(found.write.path == path + "/service0028/char002c")
        #expect(found.write.mtu == 247)
        #expect(tree.devices[path]?.advertisement == .supported(.action4))
    }

    @Test("other interfaces going leaves the device")
    mutating func otherInterfacesGoingLeavesDevice() {
        addAdapter()
        addDevice(1)
        let path = Self.device(1).path
        #expect(remove(path, ["org.bluez.Battery1"]).isEmpty)
        #expect(tree.devices[path] != nil)
        #expect(remove(path, ["org.bluez.Battery1", BlueZName.device]).count == 1)
        #expect(tree.devices[path] == nil)
    }

    @Test("a device takes its services and characteristics with it")
    mutating func deviceTakesServicesCharacteristics() {
        addAdapter()
        addDevice(1)
        addCharacteristics(1)
        _ = remove(Self.device(1).path, [BlueZName.device])
        #expect(tree.services.isEmpty)
        #expect(tree.characteristics.isEmpty)
    }

    @Test("an adapter takes its devices with it, and is told last")
    mutating func adapterTakesDevicesToldLast() {
        addAdapter()
        addDevice(1)
        addDevice(2)
        let changes = remove(Self.adapter, [BlueZName.adapter])
        #expect(changes.count == 3)
        guard case .adapterGone(let gone) = changes.last else {
            Issue.record("the adapter is not last")
            return
        }
        #expect(gone.address == BluetoothAddress("02:00:00:00:00:01"))
        #expect(tree.devices.isEmpty)
    }

    @Test("another adapter under a known name replaces the one before")
    mutating func anotherAdapterUnderKnownName() {
        addAdapter()
        addDevice(1)
        addAdapter("02:00:00:00:00:02")
        #expect(tree.adapters.count == 1)
        #expect(tree.adapters[Self.adapter]?.address == BluetoothAddress("02:00:00:00:00:02"))
        #expect(tree.devices.isEmpty)
    }

    @Test("the end of a link ends its services") mutating func endLinkEndsServices() {
        addAdapter()
        addDevice(1)
        let path = Self.device(1).path
        _ = change(path, BlueZName.device) { properties in
            properties.property("Connected", "b") { $0.append(true) }
            properties.property("ServicesResolved", "b") { $0.append(true) }
        }
        #expect(tree.devices[path]?.servicesResolved == true)
        _ = change(path, BlueZName.device) { properties in
            properties.property("Connected", "b") { $0.append(false) }
        }
        #expect(tree.devices[path]?.servicesResolved == false)
    }

    @Test("a signal strength that is taken back is unknown")
    mutating func signalStrengthTakenBackUnknown() {
        addAdapter()
        addDevice(1)
        let path = Self.device(1).path
        let heard = change(path, BlueZName.device) { properties in
            properties.property("RSSI", "n") { $0.append(Int16(-60)) }
        }
        guard case .device(_, heard: true) = heard.first else {
            Issue.record("not heard")
            return
        }
        #expect(tree.devices[path]?.rssi == -60)
        let silent = change(path, BlueZName.device, invalidated: ["RSSI"]) { _ in }
        guard case .device(_, heard: false) = silent.first else {
            Issue.record("heard")
            return
        }
        #expect(tree.devices[path]?.rssi == nil)
    }

    @Test("values of a wrong type are passed over") mutating func valuesWrongTypePassedOver() {
        addAdapter()
        addDevice(1)
        let path = Self.device(1).path
        _ = change(path, BlueZName.device) { properties in
            properties.property("Connected", "b") { $0.append(true) }
            properties.property("Connected", "s") { $0.append("no") }
            properties.property("RSSI", "s") { $0.append("-60") }
            properties.property("Name", "b") { $0.append(true) }
            properties.property("ManufacturerData", "ay") { $0.append([1, 2, 3] as [UInt8]) }
        }
        #expect(tree.devices[path]?.connected == true)
        #expect(tree.devices[path]?.rssi == nil)
        #expect(tree.devices[path]?.name == nil)
        #expect(tree.devices[path]?.advertisement == .supported(.action4))
    }

    @Test("one device more than there is room for is not taken in")
    mutating func oneDeviceMoreThanThere() {
        addAdapter()
        for number in 0..<ObjectTree.maximumDevices { addDevice(number, isCamera: number < 3) }
        #expect(tree.devices.count == ObjectTree.maximumDevices)
        let extra = ObjectTree.maximumDevices
        addDevice(extra, isCamera: false)
        #expect(tree.devices[Self.device(extra).path] == nil)
        // A camera replaces a device that is no camera.
        addDevice(extra + 1, isCamera: true)
        #expect(tree.devices[Self.device(extra + 1).path] != nil)
        #expect(tree.devices.count == ObjectTree.maximumDevices)
        for number in 0..<3 { #expect(tree.devices[Self.device(number).path] != nil) }
    }

    @Test("adapters and characteristics are bounded too")
    mutating func adaptersCharacteristicsBoundedToo() {
        for number in 0...ObjectTree.maximumAdapters {
            _ = add("/org/bluez/hci\(number)", BlueZName.adapter) { properties in
                properties.property("Address", "s") {
                    $0.append(BluetoothAddress(value: UInt64(number)).description)
                }
            }
        }
        #expect(tree.adapters.count == ObjectTree.maximumAdapters)
        for number in 0...ObjectTree.maximumCharacteristics / 2 { addCharacteristics(number) }
        #expect(tree.characteristics.count == ObjectTree.maximumCharacteristics)
    }

    @Test("a name is cut to what can be shown") mutating func nameCutWhatCanShown() {
        addAdapter()
        addDevice(1)
        let path = Self.device(1).path
        _ = change(path, BlueZName.device) { properties in
            properties.property("Name", "s") { $0.append(String(repeating: "n", count: 65)) }
        }
        #expect(tree.devices[path]?.name?.count == DeviceObject.maxNameLength)
    }
}

extension MessageWriter {
    /// Appends one entry of an `a{sv}`.
    mutating func property(
        _ name: String, _ signature: String, _ value: (inout MessageWriter) -> Void
    ) {
        entry { entry in
            entry.append(name)
            entry.variant(signature, value)
        }
    }
}
