import BlueZ
import OsmoProtocol

/// An argument of any shape that D-Bus allows, for fuzzing.
indirect enum RandomValue: Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case uint32(UInt32)
    case string(String)
    case path(String)
    case variant(RandomValue)
    case structure([RandomValue])
    /// Elements of the type of the first one.
    case array([RandomValue], of: String)
    case dictionary([(RandomValue, RandomValue)], of: String)

    /// Words that BlueZ's clients look for, so that random messages have effects.
    static let words = [
        "org.bluez.Adapter1", "org.bluez.Device1", "org.bluez.GattService1",
        "org.bluez.GattCharacteristic1", "org.bluez.Battery1", "Address", "Adapter", "Powered",
        "Connected", "ServicesResolved", "ManufacturerData", "RSSI", "Name", "UUID", "Service",
        "Device", "Flags", "MTU", "Value", "Trusted", "PowerState", "off-blocked",
        GATTProfile.service, GATTProfile.notifyCharacteristic, GATTProfile.writeCharacteristic,
        "02:00:00:00:00:01", "60:60:1F:C0:00:00", "not an address", "",
        String(repeating: "long", count: 500),
    ]
    static let paths = [
        "/", "/org/bluez/hci0", "/org/bluez/hci1", "/org/bluez/hci0/dev_60_60_1F_C0_00_00",
        "/org/bluez/hci0/dev_60_60_1F_C0_00_00/service0028",
        "/org/bluez/hci0/dev_60_60_1F_C0_00_00/service0028/char0029",
        "/org/bluez/hci0/dev_60_60_1F_C0_00_00/service0028/char002c",
    ]

    /// - Parameter depth: how many containers may still be nested.
    static func any(_ random: inout some RandomNumberGenerator, depth: Int) -> RandomValue {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 7), using: &random) {
        case 0: return .byte(.random(in: .min ... .max, using: &random))
        case 1: return .bool(.random(using: &random))
        case 2: return .int16(.random(in: .min ... .max, using: &random))
        case 3: return .uint16(Bool.random(using: &random) ? 0x08AA : 500)
        case 4: return .uint32(.random(in: .min ... .max, using: &random))
        case 5: return .string(words.randomElement(using: &random) ?? "")
        case 6: return .path(paths.randomElement(using: &random) ?? "/")
        case 7: return .variant(any(&random, depth: depth - 1))
        case 8:
            let count = Int.random(in: 1...3, using: &random)
            return .structure((0..<count).map { _ in any(&random, depth: depth - 1) })
        case 9:
            let first = any(&random, depth: depth - 1)
            return .array(
                Array(repeating: first, count: .random(in: 0...4, using: &random)),
                of: first.signature)
        default:
            let entries = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (
                    RandomValue.string(words.randomElement(using: &random) ?? ""),
                    RandomValue.variant(any(&random, depth: depth - 1))
                )
            }
            return .dictionary(entries, of: "sv")
        }
    }

    var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .uint32: "u"
        case .string: "s"
        case .path: "o"
        case .variant: "v"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .array(_, let element): "a" + element
        case .dictionary(_, let entry): "a{\(entry)}"
        }
    }

    func write(to writer: inout MessageWriter) {
        switch self {
        case .byte(let value): writer.append(value)
        case .bool(let value): writer.append(value)
        case .int16(let value): writer.append(value)
        case .uint16(let value): writer.append(value)
        case .uint32(let value): writer.append(value)
        case .string(let value): writer.append(value)
        case .path(let value): writer.append(objectPath: value)
        case .variant(let value): writer.variant(value.signature) { value.write(to: &$0) }
        case .structure(let members):
            writer.structure { inner in for member in members { member.write(to: &inner) } }
        case .array(let elements, let signature):
            writer.array(signature) { inner in for element in elements { element.write(to: &inner) }
            }
        case .dictionary(let entries, let signature):
            writer.array("{\(signature)}") { inner in
                for entry in entries {
                    inner.entry { pair in
                        entry.0.write(to: &pair)
                        entry.1.write(to: &pair)
                    }
                }
            }
        }
    }
}

extension RandomValue {
    /// Interfaces with their properties (`a{sa{sv}}`): of the right shape, with wrong content.
    static func interfaces(_ random: inout some RandomNumberGenerator) -> RandomValue {
        let entries = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            (
                RandomValue.string(words.prefix(5).randomElement(using: &random) ?? ""),
                properties(&random)
            )
        }
        return .dictionary(entries, of: "sa{sv}")
    }

    /// Properties (`a{sv}`): half of them of the type that they should have.
    static func properties(_ random: inout some RandomNumberGenerator) -> RandomValue {
        let entries = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let name = words.randomElement(using: &random) ?? ""
            let value =
                Bool.random(using: &random) ? sound(name, &random) : any(&random, depth: 3)
            return (RandomValue.string(name), RandomValue.variant(value))
        }
        return .dictionary(entries, of: "sv")
    }

    /// One adapter and one camera, connected and resolved, as bluetoothd would show them.
    static let world: RandomValue = {
        func entry(_ name: String, _ value: RandomValue) -> (RandomValue, RandomValue) {
            (.string(name), .variant(value))
        }
        func object(
            _ path: String, _ interface: String, _ properties: [(RandomValue, RandomValue)]
        ) -> (RandomValue, RandomValue) {
            let all = RandomValue.dictionary(properties, of: "sv")
            return (.path(path), .dictionary([(.string(interface), all)], of: "sa{sv}"))
        }
        func characteristic(_ path: String, _ uuid: String) -> (RandomValue, RandomValue) {
            object(
                path, "org.bluez.GattCharacteristic1",
                [
                    entry("UUID", .string(uuid)), entry("Service", .path(paths[4])),
                    entry("MTU", .uint16(500)),
                    entry("Flags", .array([.string("write-without-response")], of: "s")),
                ])
        }
        return .dictionary(
            [
                object(
                    paths[1], "org.bluez.Adapter1",
                    [entry("Address", .string("02:00:00:00:00:01")), entry("Powered", .bool(true))]),
                object(
                    paths[3], "org.bluez.Device1",
                    [
                        entry("Address", .string("60:60:1F:C0:00:00")),
                        entry("Adapter", .path(paths[1])), entry("Connected", .bool(true)),
                        entry("ServicesResolved", .bool(true)),
                    ]),
                object(
                    paths[4], "org.bluez.GattService1",
                    [entry("UUID", .string(GATTProfile.service)), entry("Device", .path(paths[3]))]),
                characteristic(paths[5], GATTProfile.notifyCharacteristic),
                characteristic(paths[6], GATTProfile.writeCharacteristic),
            ], of: "oa{sa{sv}}")
    }()

    /// A value that the property could really have.
    private static func sound(
        _ name: String, _ random: inout some RandomNumberGenerator
    ) -> RandomValue {
        switch name {
        case "Adapter", "Device", "Service": .path(paths.randomElement(using: &random) ?? "/")
        case "Address": .string(words[25 + Int.random(in: 0...2, using: &random)])
        case "Powered", "Connected", "ServicesResolved", "Trusted": .bool(.random(using: &random))
        case "RSSI": .int16(-60)
        case "MTU": .uint16(.random(in: 0...600, using: &random))
        case "Flags": .array([.string("write-without-response"), .string("notify")], of: "s")
        case "Value": .array([.byte(1), .byte(2)], of: "y")
        default: .string(words.randomElement(using: &random) ?? "")
        }
    }
}

/// A seeded source of numbers (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
