import Clock
import Fleet
import Glibc
import LineProtocol
import OsmoProtocol
import RadioPort

/// `geotag-sim replay FILE`: takes the cameras' side of a capture through decoder, session and
/// status, and says what it understood and what not.
enum Replay {
    static func main(_ words: [String]) -> Int32 {
        guard words.count == 1, let path = words.first, let file = fopen(path, "re") else {
            Terminal.complain(
                words.count == 1
                    ? "\(words[0]): cannot be read" : "usage: geotag-sim replay FILE")
            return words.count == 1 ? 66 : Terminal.usageError
        }
        defer { fclose(file) }
        var cameras: [BluetoothAddress: ReplayedCamera] = [:]
        var number = 0
        var unreadable = 0
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0 {
            number += 1
            guard let line, let text = String(validatingCString: line),
                let record = CaptureRecord(line: text.filter { $0 != "\n" })
            else {
                Terminal.say("line \(number): not a line of a capture")
                unreadable += 1
                continue
            }
            cameras[record.link.camera, default: ReplayedCamera(record.link.camera)]
                .show(record)
        }
        for camera in cameras.values.sorted(by: { $0.address < $1.address }) { camera.sum() }
        Terminal.say("lines=\(number) unreadable=\(unreadable) cameras=\(cameras.count)")
        return unreadable == 0 ? 0 : 1
    }
}

/// One camera of a capture.
struct ReplayedCamera {
    let address: BluetoothAddress
    private var decoder = FrameDecoder()
    private var session: CameraSession
    private var counts: [String: Int] = [:]
    private var discarded = 0
    private var sent = 0

    init(_ address: BluetoothAddress) {
        self.address = address
        let identity = ControllerIdentity(deviceID: 0, address: address)
        session = CameraSession(
            settings: RigSettings(identity: identity, buildDate: UnixTime(nanoseconds: 0)),
            generator: SeededGenerator(seed: 0))
    }

    mutating func show(_ record: CaptureRecord) {
        while let deadline = session.nextDeadline, deadline <= record.instant {
            tell(session.handle(.wake, at: deadline), at: deadline)
        }
        switch record.content {
        case .incoming(let bytes): receive(bytes, at: record.instant)
        case .outgoing: sent += 1
        case .linkOpen(let parameters):
            decoder.clear()
            say("link open, mtu \(parameters.mtu)", at: record.instant)
            tell(
                session.handle(
                    .linkOpen(parameters, cameraNumber: 0, popup: false), at: record.instant),
                at: record.instant)
        case .link(let event):
            say("link \(event)", at: record.instant)
            if event == "closed" {
                tell(session.handle(.linkClosed, at: record.instant), at: record.instant)
            }
        case .advertisement(let model, let rssi):
            count("advertisements")
            if counts["advertisements"] == 1 {
                say(
                    "advertises as \(model), \(rssi.map { "\($0) dBm" } ?? "no RSSI")",
                    at: record.instant)
            }
        }
    }

    private mutating func receive(_ bytes: [UInt8], at now: Instant) {
        let frames = decoder.receive(bytes, at: now.nanoseconds)
        if frames.isEmpty { discarded += 1 }
        for frame in frames {
            let name = Self.name(frame)
            count(name ?? "not understood \(frame.opcode)")
            if name == nil { say("not understood: \(frame.encoded.hexadecimal)", at: now) }
        }
        tell(session.handle(.notification(bytes), at: now), at: now)
    }

    /// What a frame of the camera's is; nil where it makes no sense to us.
    private static func name(_ frame: Frame) -> String? {
        if frame.read(CameraStatus.self) != nil { return "status" }
        if frame.read(StatusText.self) != nil { return "status text" }
        if frame.read(ConnectionRequest.self) != nil { return "connection request" }
        if frame.read(ConnectionResponse.self) != nil { return "connection response" }
        if frame.read(VersionReply.self) != nil { return "version" }
        let answers: [Opcode] = [
            .key, .restart, .gpsPush, .power, .record, .modeSwitch, .subscription,
        ]
        let isAnswer = frame.type.isResponse && answers.contains(frame.opcode)
        return isAnswer && !frame.payload.isEmpty ? "answer \(frame.opcode)" : nil
    }

    private mutating func tell(_ effects: [SessionEffect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .stateChanged:
                say("state \(session.cameraState?.rawValue ?? "closed")", at: now)
            case .notice(let kind, let fields):
                let words = fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
                say("\(kind.rawValue) \(words)", at: now)
            case .closeLink(let reason): say("would end the link: \(reason)", at: now)
            case .send, .commandDone, .consented, .recordingStopped: break
            }
        }
    }

    /// What there was in all.
    func sum() {
        let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        Terminal.say("\(address) \(kinds.joined(separator: ", "))")
        Terminal.say(
            "\(address) frames to it: \(sent), notifications without a whole frame: \(discarded)")
    }

    private mutating func count(_ kind: String) { counts[kind, default: 0] += 1 }

    private func say(_ words: String, at now: Instant) {
        Terminal.say("\(LineText.decimal(now.seconds, decimals: 3)) \(address) \(words)")
    }
}
