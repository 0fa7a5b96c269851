import Clock
import Glibc
import LineProtocol
import Reactor

/// Asks gpsd over its own socket for its receivers, and counts their reports for some seconds.
struct GPSDProbe {
    /// How long reports are counted.
    static let span = TimeSpan.milliseconds(3200)
    /// Bytes that are read at most.
    static let maxBytes = 1 << 20

    private(set) var facts = DoctorFacts.GPSD()
    private var hasAnswered = false
    private var times: [String] = []

    /// Reads one line of gpsd's.
    mutating func take(_ line: some StringProtocol) {
        guard let object = JSONValue(line) else { return }
        switch object["class"]?.word {
        case "VERSION":
            hasAnswered = true
            facts.release = object["release"]?.word ?? "?"
            facts.protocolMajor = object["proto_major"]?.word.flatMap { Int($0) }
        case "DEVICES":
            guard case .list(let devices)? = object["devices"] else { return }
            facts.devices = devices.compactMap { $0["path"]?.word }
        case "TPV":
            facts.mode = object["mode"]?.word.flatMap { Int($0) } ?? facts.mode
            if object["speed"]?.word != nil { facts.hasSpeed = true }
            if object["track"]?.word != nil { facts.hasCourse = true }
            if let time = object["time"]?.word, time != times.last { times.append(time) }
        default: break
        }
    }

    /// What was found; nil where the first line was not gpsd's greeting.
    func result(over span: TimeSpan) -> DoctorFacts.GPSD? {
        guard hasAnswered else { return nil }
        var facts = facts
        facts.rateHertz = times.isEmpty ? nil : Double(times.count) / span.seconds
        return facts
    }

    /// Connects, listens, and closes again.
    static func run(host: String, port: String) -> DoctorFacts.GPSD? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var entry = list
        while let address = entry?.pointee {
            let number = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            if number >= 0 {
                let descriptor = Descriptor(owning: number)
                var patience = timeval(tv_sec: 1, tv_usec: 0)
                let size = socklen_t(MemoryLayout<timeval>.size)
                setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
                setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
                if connect(number, address.ai_addr, address.ai_addrlen) == 0 {
                    let facts = listen(number)
                    withExtendedLifetime(descriptor) {}
                    return facts
                }
            }
            entry = address.ai_next
        }
        return nil
    }

    private static func listen(_ number: Int32) -> DoctorFacts.GPSD? {
        let request = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        guard send(number, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return nil
        }
        var probe = GPSDProbe()
        var pending: [UInt8] = []
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 4096)
        let begin = MonotonicClock.now()
        while MonotonicClock.now() - begin < span, total < maxBytes {
            let count = recv(number, &buffer, buffer.count, 0)
            if count == 0 { break }
            guard count > 0 else { continue }
            total += count
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: 0x0A) {
                probe.take(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
        return probe.result(over: span)
    }
}
