import Foundation
import OsmoProtocol
import Testing

/// An entry of Fixtures/vectors.json.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String
    let hex: String
    let chunks: [String]?
    let commandSet: UInt8?
    let commandID: UInt8?
    let commandType: UInt8?
    let sequence: UInt16?
    let fields: [String: Value]
    let expected: Expectation?

    struct Expectation: Decodable, Sendable {
        let datagramError: String?
        let streamFrames: [String]
        let leftInBuffer: Int?

        private enum CodingKeys: String, CodingKey {
            case datagramError = "datagram_error"
            case streamFrames = "stream_frames"
            case leftInBuffer = "left_in_buffer"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, kind, hex, chunks, fields, expected
        case commandSet = "cmd_set"
        case commandID = "cmd_id"
        case commandType = "cmd_type"
        case sequence = "seq"
    }

    enum Value: Decodable, Sendable, Equatable {
        case number(Double)
        case text(String)
        case flag(Bool)
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    var bytes: [UInt8] { [UInt8](hexadecimal: hex)! }
    var testDescription: String { name }

    func number(_ key: String) -> Double? {
        if case .number(let value)? = fields[key] { value } else { nil }
    }

    func text(_ key: String) -> String? {
        if case .text(let value)? = fields[key] { value } else { nil }
    }

    static let all: [Vector] = {
        let url = Bundle.module.url(
            forResource: "vectors", withExtension: "json", subdirectory: "Fixtures")!
        return try! JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
    }()

    // Swift 6.0 cannot compile closures among the arguments of a test.
    static let advertisements = of(kind: "advert").filter { $0.name.hasPrefix("adv") }
    static let wakePayloads = of(kind: "advert").filter { $0.name.hasPrefix("wake") }

    static func of(kind: String) -> [Vector] { all.filter { $0.kind == kind } }
}

@Suite struct VectorTests {
    @Test("the fixture is whole") func fixtureWhole() {
        let counts = Dictionary(grouping: Vector.all, by: \.kind).mapValues(\.count)
        #expect(
            counts == ["frame": 131, "malformed": 27, "stream": 7, "advert": 10, "gps_time": 9])
    }

    @Test(
        "a valid frame is read and written back byte for byte", arguments: Vector.of(kind: "frame"))
    func validFrameReadWrittenBack(vector: Vector) throws {
        let frame = try Frame(datagram: vector.bytes)
        #expect(frame.opcode == Opcode(set: vector.commandSet!, id: vector.commandID!))
        #expect(frame.type.rawValue == vector.commandType)
        #expect(frame.sequence == vector.sequence)
        #expect(frame.length == vector.bytes.count)
        #expect(frame.encoded == vector.bytes)

        var decoder = FrameDecoder()
        #expect(decoder.receive(vector.bytes, at: 0) == [frame])
        #expect(decoder.pendingCount == 0)
    }

    @Test("a malformed datagram fails at the stated check", arguments: Vector.of(kind: "malformed"))
    func malformedDatagramFailsStatedCheck(vector: Vector) {
        let expected = vector.expected!
        do {
            let frame = try Frame(datagram: vector.bytes)
            Issue.record("read as \(frame)")
        } catch {
            #expect(String(describing: error) == expected.datagramError)
        }
        var decoder = FrameDecoder()
        let frames = decoder.receive(vector.bytes, at: 0)
        #expect(frames.map(\.encoded.hexadecimal) == expected.streamFrames)
    }

    @Test("a stream gives its frames", arguments: Vector.of(kind: "stream"))
    func streamGivesFrames(vector: Vector) {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        for (index, chunk) in vector.chunks!.enumerated() {
            frames += decoder.receive([UInt8](hexadecimal: chunk)!, at: Int64(index) * 1_000_000)
        }
        #expect(frames.map(\.encoded.hexadecimal) == vector.expected!.streamFrames)
        #expect(decoder.pendingCount == vector.expected!.leftInBuffer)
    }

    @Test(
        "an advertisement is told by its flag",
        arguments: Vector.advertisements)
    func advertisementToldFlag(vector: Vector) {
        let advertisement = CameraAdvertisement(manufacturerData: vector.bytes)
        let address = CameraAdvertisement.address(in: Array(vector.bytes.dropFirst(2)))
        if vector.fields["r_sdk"] == .flag(true), case .supported(let model) = advertisement {
            #expect(address == BluetoothAddress(vector.text("mac")!))
            #expect(
                CameraAdvertisement.manufacturerData(model: model, address: address!)
                    == vector.bytes)
            #expect(vector.number("model_byte") == Double(vector.bytes[2]))
        } else {
            #expect(vector.fields["r_sdk"] == .flag(false))
            #expect(address == nil)
        }
    }

    @Test(
        "a wake payload calls one camera",
        arguments: Vector.wakePayloads)
    func wakePayloadCallsOneCamera(vector: Vector) {
        let camera = BluetoothAddress(vector.text("target_mac")!)!
        #expect(WakeAdvertisement.payload(for: camera) == vector.bytes)
        #expect(WakeAdvertisement.target(of: vector.bytes) == camera)
        #expect(vector.number("company_id_le") == Double(WakeAdvertisement.companyID))
        #expect(
            WakeAdvertisement.companyData(for: camera)
                == [UInt8](hexadecimal: vector.text("company_data")!))
    }
}
