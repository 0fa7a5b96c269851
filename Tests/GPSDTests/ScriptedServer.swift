import Clock
import Glibc
import Reactor

/// Plays gpsd on the test's own loop: sends what the test says.
final class ScriptedServer {
    static let greeting =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
        + "\n"

    let port: Int
    private(set) var connections = 0
    /// Everything that clients have sent.
    private(set) var heard = ""
    /// Whether each client gets gpsd's greeting at once.
    var greets = true

    private let loop: EventLoop
    private let listener: Int32
    private var accepting: Watch?
    private var client: Int32 = -1
    private var reading: Watch?

    init(on loop: EventLoop) throws {
        self.loop = loop
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound, listen(listener, 8) == 0 else { throw SystemError.last }
        port = Int(UInt16(bigEndian: address.sin_port))
        accepting = try loop.watch(listener, for: .readable) { [unowned self] _, _ in accept() }
    }

    deinit {
        hangUp()
        accepting?.cancel()
        close(listener)
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        precondition(write(client, bytes, bytes.count) == bytes.count, "the client takes it all")
    }

    func hangUp() {
        reading?.cancel()
        reading = nil
        if client >= 0 { close(client) }
        client = -1
    }

    private func accept() {
        hangUp()
        client = Glibc.accept(listener, nil, nil)
        connections += 1
        reading = try? loop.watch(client, for: .readable) { [unowned self] _, _ in hear() }
        if greets { say(Self.greeting) }
    }

    private func hear() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(client, &chunk, chunk.count)
        if count <= 0 { return hangUp() }
        heard += String(decoding: chunk[..<count], as: UTF8.self)
    }
}

extension EventLoop {
    /// Turns the loop until a condition holds; false if it does not within `limit`.
    func turn(within limit: TimeSpan = .seconds(10), until condition: () -> Bool) -> Bool {
        let end = MonotonicClock.now() + limit
        while !condition() {
            if now >= end { return false }
            turn(until: end)
        }
        return true
    }
}
