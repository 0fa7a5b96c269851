import Clock
import Glibc
import OsmoProtocol
import RadioPort
import Reactor
import Testing

@testable import BlueZ

/// Whatever messages a bus brings: nothing crashes, and nothing grows without bound.
@Suite struct FuzzTests {
    /// The seed in GEOTAGD_FUZZ_SEED where that is set, else these.
    static let seeds: [UInt64] = {
        let chosen = getenv("GEOTAGD_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) }
        return chosen.map { [$0] } ?? Array(1...20)
    }()

    private static func replay(_ seed: UInt64) -> Comment {
        "replay: GEOTAGD_FUZZ_SEED=\(seed) swift test --filter BlueZTests.FuzzTests"
    }

    @Test("an object tree survives any messages within its bounds", arguments: FuzzTests.seeds)
    func objectTreeSurvivesAnyMessages(seed: UInt64) {
        var random = SplitMix(state: seed)
        var tree = ObjectTree()
        for _ in 0..<150 {
            let message = BusMessage(signal: "Any", of: "a.b", at: "/")
            let kind = Int.random(in: 0..<4, using: &random)
            message.append { writer in Self.fill(&writer, kind, &random) }
            var reader = message.reader
            switch kind {
            case 0: _ = tree.readManagedObjects(&reader)
            case 1: _ = tree.readInterfacesAdded(&reader)
            case 2: _ = tree.readInterfacesRemoved(&reader)
            default:
                let path = RandomValue.paths.randomElement(using: &random) ?? "/"
                _ = tree.readPropertiesChanged(&reader, path: path)
            }
            // A device may have an unknown adapter, but what is known of the device is consistent.
            for (path, device) in tree.devices { #expect(device.path == path, Self.replay(seed)) }
            #expect(tree.adapters.count <= RandomValue.paths.count, Self.replay(seed))
        }
    }

    /// - Parameter kind: of message; mostly of the right shape, sometimes of any.
    private static func fill(
        _ writer: inout MessageWriter, _ kind: Int, _ random: inout SplitMix
    ) {
        guard Int.random(in: 0..<5, using: &random) > 0 else {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                RandomValue.any(&random, depth: 5).write(to: &writer)
            }
            return
        }
        let path = RandomValue.path(RandomValue.paths.randomElement(using: &random) ?? "/")
        let interfaces = RandomValue.words.prefix(5).map { RandomValue.string($0) }
        switch kind {
        case 0:
            let objects = (0..<8).map { _ in
                (
                    RandomValue.path(RandomValue.paths.randomElement(using: &random) ?? "/"),
                    RandomValue.interfaces(&random)
                )
            }
            let all = Bool.random(using: &random)
            (all ? RandomValue.world : .dictionary(objects, of: "oa{sa{sv}}")).write(to: &writer)
        case 1:
            path.write(to: &writer)
            RandomValue.interfaces(&random).write(to: &writer)
        case 2:
            path.write(to: &writer)
            RandomValue.array(interfaces.shuffled(using: &random), of: "s").write(to: &writer)
        default:
            interfaces.randomElement(using: &random)?.write(to: &writer)
            RandomValue.properties(&random).write(to: &writer)
            RandomValue.array([.string("RSSI")], of: "s").write(to: &writer)
        }
    }

    @Test(
        "a radio survives a bluetoothd that answers anything", arguments: FuzzTests.seeds.prefix(6))
    func radioSurvivesBluetoothdAnswersAnything(seed: UInt64) throws {
        let daemon = try PrivateBus()
        let loop = try EventLoop()
        let evil = Bus(daemon.address, on: loop)
        var random = SplitMix(state: seed)
        evil.onCall = { [unowned evil] call, _ in
            evil.send(Self.answer(to: call, &random))
            if Bool.random(using: &random) { evil.send(Self.signal(&random)) }
        }
        evil.open()
        var isServing = false
        #expect(loop.turn { evil.isConnected })
        evil.requestName(BlueZName.service) { _, _ in isServing = true }
        #expect(loop.turn { isServing })
        var timing = BlueZTiming()
        timing.activation = .milliseconds(2)
        timing.characteristics = .milliseconds(10)
        timing.hangup = .milliseconds(1)
        var ends = 0
        let radio = BlueZRadio(bus: daemon.address, on: loop, timing: timing) { event, _ in
            if case .connectEnded = event { ends += 1 }
        }
        radio.start()
        let address = BluetoothAddress(value: 0x0200_0000_0001)
        let link = LinkID(
            camera: BluetoothAddress(value: 0x6060_1FC0_0000), adapter: address)
        for step in 0..<100 {
            loop.turn(for: .milliseconds(1))
            if step % 4 == 0 { for object in Self.worldSignals() { evil.send(object) } }
            evil.send(Self.signal(&random))
            radio.startDiscovery(address)
            radio.connect(link)
            radio.trust(link)
            _ = radio.write([1, 2, 3], to: link)
            if Bool.random(using: &random) { radio.disconnect(link) }
            if Bool.random(using: &random) { radio.remove(link) }
            radio.stopDiscovery(address)
            #expect(radio.links.count <= 1, Self.replay(seed))
            #expect(radio.notifiers.count <= 1, Self.replay(seed))
        }
        // Some links were opened and ended: otherwise the fuzz would test nothing.
        #expect(ends > 0, Self.replay(seed))
        radio.close()
        evil.close()
    }

    private static func answer(to call: BusMessage, _ random: inout SplitMix) -> BusMessage {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return BusMessage(
                errorTo: call, name: "org.bluez.Error.Failed",
                text: RandomValue.words.randomElement(using: &random) ?? "")
        case 1:
            let reply = BusMessage(replyTo: call)
            reply.append { fill(&$0, Int.random(in: 0..<4, using: &random), &random) }
            return reply
        default:
            let reply = BusMessage(replyTo: call)
            reply.append { fillSound(&$0, call.member, &random) }
            return reply
        }
    }

    /// Fills in the answer that bluetoothd would give to a call.
    private static func fillSound(
        _ writer: inout MessageWriter, _ member: String?, _ random: inout SplitMix
    ) {
        switch member {
        case "GetManagedObjects": RandomValue.world.write(to: &writer)
        case "AcquireWrite":
            writer.append(descriptor: STDIN_FILENO)
            writer.append(UInt16.random(in: 60...600, using: &random))
        default: break
        }
    }

    /// Signals that add the valid objects again, in place of removed ones.
    private static func worldSignals() -> [BusMessage] {
        guard case .dictionary(let objects, _) = RandomValue.world else { return [] }
        return objects.map { object in
            let message = BusMessage(
                signal: "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/")
            message.append { writer in
                object.0.write(to: &writer)
                object.1.write(to: &writer)
            }
            return message
        }
    }

    private static func signal(_ random: inout SplitMix) -> BusMessage {
        let path = RandomValue.paths.randomElement(using: &random) ?? "/"
        let kind = Int.random(in: 1..<4, using: &random)
        let manager = "org.freedesktop.DBus.ObjectManager"
        let message =
            switch kind {
            case 1: BusMessage(signal: "InterfacesAdded", of: manager, at: "/")
            case 2: BusMessage(signal: "InterfacesRemoved", of: manager, at: "/")
            default:
                BusMessage(
                    signal: "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path)
            }
        message.append { fill(&$0, kind, &random) }
        return message
    }

    @Test("ten thousand devices in one answer are a bounded tree")
    func tenThousandDevicesOneAnswer() {
        let message = BusMessage(signal: "Any", of: "a.b", at: "/")
        message.append { writer in
            writer.array("{oa{sa{sv}}}") { objects in
                for number in 0..<10_000 {
                    objects.entry { object in
                        object.append(objectPath: "/org/bluez/hci0/dev_\(number)")
                        RandomValue.dictionary(
                            [(.string(BlueZName.device), Self.stranger(number))], of: "sa{sv}"
                        ).write(to: &object)
                    }
                }
            }
        }
        var tree = ObjectTree()
        var reader = message.reader
        #expect(tree.readManagedObjects(&reader)?.count == ObjectTree.maximumDevices)
        #expect(tree.devices.count == ObjectTree.maximumDevices)
    }

    private static func stranger(_ number: Int) -> RandomValue {
        let address = BluetoothAddress(value: UInt64(number)).description
        return .dictionary(
            [
                (.string("Address"), .variant(.string(address))),
                (.string("Adapter"), .variant(.path("/org/bluez/hci0"))),
                (.string("Name"), .variant(.string(String(repeating: "x", count: 200)))),
            ], of: "sv")
    }
}
