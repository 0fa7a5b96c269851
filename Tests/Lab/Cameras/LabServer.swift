import Clock
import Glibc
import OsmoProtocol
import Reactor
import Simulation

/// The lab's socket: accepts clients and knows which one is the radio.
final class LabServer {
    private let path: String
    private let listener: Descriptor
    private let simulator: LabSimulator
    private let loop: EventLoop
    private var watch: Watch?
    private var clients: [Int: LabClient] = [:]
    private var nextClient = 0
    /// The newest client that has declared itself the radio.
    private var radio: Int?

    /// Replaces whatever stands at `path`.
    init(path: String, simulator: LabSimulator, on loop: EventLoop) throws(SystemError) {
        self.path = path
        self.simulator = simulator
        self.loop = loop
        listener = try Self.listen(at: path)
        watch = try loop.watch(listener.number, for: .readable) { [unowned self] _, _ in accept() }
        simulator.sendToRadio = { [unowned self] line in
            if let radio { clients[radio]?.send(line) }
        }
    }

    func close() {
        watch?.cancel()
        clients = [:]
        unlink(path)
    }

    private static func listen(at path: String) throws(SystemError) -> Descriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard bytes.count <= room else { throw SystemError(code: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let number = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw .last }
        let descriptor = Descriptor(owning: number)
        unlink(path)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(number, 16) == 0 else { throw .last }
        return descriptor
    }

    private func accept() {
        let number = Glibc.accept(listener.number, nil, nil)
        guard number >= 0 else { return }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        let key = nextClient
        nextClient += 1
        let client = LabClient(descriptor: Descriptor(owning: number)) { [unowned self] event in
            heard(event, from: key)
        }
        clients[key] = client
        guard client.watch(on: loop) else {
            clients[key] = nil
            return
        }
        for line in simulator.greeting { client.send(line) }
    }

    private func heard(_ event: LabClient.Event, from key: Int) {
        switch event {
        case .line(let line): obey(line, from: key, at: loop.now)
        case .gone:
            clients[key] = nil
            guard radio == key else { return }
            // Without a radio there are no links.
            radio = nil
            for index in simulator.cameras.indices {
                simulator.give(.linkDown, to: index, at: loop.now)
            }
        }
    }

    private func obey(_ line: String, from key: Int, at now: Instant) {
        let words = line.split(separator: " ").map { String($0) }
        guard let verb = words.first else { return }
        if verb == "radio" {
            radio = key
            for line in simulator.advertising { clients[key]?.send(line) }
            return
        }
        if let event = LabEvent(verb, words.count > 2 ? words[2] : nil) {
            guard words.count == (event.hasArgument ? 3 : 2), let index = index(words[1]) else {
                return answer(key, error: line)
            }
            radio = key
            if let note = event.note { simulator.record(note, of: index, at: now) }
            simulator.give(event.input, to: index, at: now)
            return
        }
        command(verb, words, line, from: key, at: now)
    }

    private func command(
        _ verb: String, _ words: [String], _ line: String, from key: Int, at now: Instant
    ) {
        guard let chosen = choose(words.count > 1 ? words[1] : "all") else {
            return answer(key, error: line)
        }
        for index in chosen {
            switch (verb, words.count) {
            case ("status", 1), ("status", 2): break
            case ("press", 3):
                guard let hand = Hand(rawValue: words[2]) else { return answer(key, error: line) }
                simulator.give(.hand(hand), to: index, at: now)
            case ("confirm", 2): simulator.give(.hand(.confirm), to: index, at: now)
            case ("refuse", 2): simulator.give(.hand(.refuse), to: index, at: now)
            case ("clear", 2): simulator.clear(index)
            case ("set", 4):
                guard simulator.set(words[2], to: words[3], of: index, at: now) else {
                    return answer(key, error: line)
                }
            default: return answer(key, error: line)
            }
            clients[key]?.send(simulator.cameras[index].report(index: index, at: now))
        }
    }

    private func answer(_ key: Int, error line: String) {
        let shown = line.filter { $0 != "\"" && $0 != "\\" }
        clients[key]?.send("{\"error\":\"not understood: \(shown)\"}")
    }

    private func index(_ word: String) -> Int? {
        Int(word).flatMap { simulator.cameras.indices.contains($0) ? $0 : nil }
    }

    private func choose(_ word: String) -> [Int]? {
        word == "all" ? Array(simulator.cameras.indices) : index(word).map { [$0] }
    }
}

/// An event that the radio reports of one camera.
private struct LabEvent {
    let input: CameraInput
    let hasArgument: Bool
    /// The text for the log; nil for a write, since the camera itself notes what it understands of
    /// it.
    let note: String?

    /// nil for an unknown word or an argument that makes no sense.
    init?(_ verb: String, _ argument: String?) {
        hasArgument = verb == "mtu" || verb == "write"
        switch verb {
        case "connected": input = .linkUp
        case "disconnected": input = .linkDown
        case "subscribed": input = .subscribed
        case "unsubscribed": input = .unsubscribed
        case "wake": input = .wakeHeard
        case "mtu":
            guard let mtu = argument.flatMap({ Int($0) }) else { return nil }
            input = .mtu(mtu)
        case "write":
            guard let bytes = argument.flatMap({ [UInt8](hexadecimal: $0) }) else { return nil }
            input = .write(bytes)
        default: return nil
        }
        note =
            verb == "write"
            ? nil
            : ([verb] + (argument.map { ["bytes=\($0)"] } ?? []))
                .joined(separator: " ")
    }
}
