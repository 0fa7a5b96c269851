import Clock
import Daemon
import Glibc
import LineProtocol
import OsmoProtocol
import Reactor

/// The console behind its control socket: each line that is written must be answered once, in
/// order, with its tag, and by lines that can be read.
///
/// The input's first byte says in what pieces the rest is written, its second how long the host
/// takes for an answer.
final class CommandSubject: FuzzSubject {
    private let loop: EventLoop
    private let console: Console
    private let host: FuzzHost
    private let path: String

    /// - Parameter folder: where the socket lies; its maker removes it.
    init(folder: String) {
        Signals.ignorePipe()
        path = folder + "/control.sock"
        guard let loop = try? EventLoop() else { preconditionFailure("no loop to be had") }
        self.loop = loop
        host = FuzzHost()
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let log = Log(to: nowhere, style: .stamped, level: .error, on: loop)
        console = Console(host: host, log: log, on: loop)
        host.console = console
        var control = Configuration.simulation.control
        control.socket = path
        do throws(ConsoleFault) { try console.open(control) } catch { demand(false, error.text) }
    }

    /// Each verb in the form of `help`, with each of its words, for all cameras and for some.
    var seeds: [[UInt8]] {
        let frame = Frame(type: .query, sequence: 7, opcode: .version, payload: [])
        let words = [
            "NAME": ["front", "video", "0x05"], "NEW": ["new"], "TARGET": ["front,2", "all"],
            "SECONDS": ["60"], "TEXT": ["k\u{FC}rz  er"], "VERB": ["mark"],
            "HEX": [frame.encoded.hexadecimal], "0xNN": ["0x41"],
        ]
        let lines = Verb.all.flatMap { verb in
            verb.usage.split(separator: " ").reduce([""]) { begun, part in
                let isOptional = part.hasPrefix("[")
                let plain = part.filter { $0 != "[" && $0 != "]" }
                let choices = plain.split(separator: "|").flatMap { word in
                    words[String(word)] ?? [String(word)]
                }
                let longer = begun.flatMap { line in choices.map { line + $0 + " " } }
                return isOptional ? begun + longer : longer
            }
        }
        let whole = lines.map { "#t-1 " + $0 }.joined(separator: "\n")
        return (lines + [whole, "events on\n" + whole]).map { Array("\0\0\($0)\n".utf8) }
            + [Array("\u{3}\u{2}\(whole)\n".utf8), [0, 0] + [UInt8](repeating: 0x78, count: 1024)]
    }

    func take(_ input: [UInt8]) {
        guard input.count >= 2 else { return }
        host.begin(delay: Int(input[1] % 4))
        // Ends the last line; `events off` makes sure that the console ends the connection
        // afterwards.
        let text = input.dropFirst(2) + Array("\nevents off\n".utf8)
        let received = updateSession(Pieces(text, longest: input[0]))
        check(received, against: text.split(separator: UInt8(ascii: "\n")).compactMap(Asked.init))
        demand(console.clientCount == 0, "a client stays")
    }

    /// Writes the pieces over a new connection and reads until its end.
    private func updateSession(_ pieces: Pieces) -> [UInt8] {
        let number = socket(AF_UNIX, UnixSocket.stream, 0)
        defer { close(number) }
        let isConnected = UnixSocket.withAddress(path) { connect(number, $0, $1) } == 0
        demand(isConnected, "nobody listens")
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        var pieces = pieces
        var rest: [UInt8] = []
        var isWritten = false
        let end = MonotonicClock.now() + .seconds(20)
        while true {
            if rest.isEmpty { rest = pieces.next() ?? [] }
            if !rest.isEmpty {
                let count = send(number, rest, rest.count, Int32(MSG_NOSIGNAL))
                if count > 0 { rest.removeFirst(count) }
            } else if !isWritten {
                isWritten = true
                shutdown(number, Int32(SHUT_WR))
            }
            loop.turn(until: MonotonicClock.now())
            host.turned()
            let count = read(number, &buffer, buffer.count)
            if count == 0 { return received }
            if count > 0 { received += buffer[..<count] }
            demand(MonotonicClock.now() < end, "no end to the answers")
        }
    }

    private func check(_ received: [UInt8], against asked: [Asked]) {
        guard let text = String(validating: received, as: UTF8.self) else {
            return demand(false, "an answer is not UTF-8")
        }
        var answered = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            demand(!line.isEmpty, "an empty line is no answer")
            demand(
                !line.unicodeScalars.contains { LineText.isControl($0) }, "a control character")
            if line.hasPrefix("! ") { continue }
            demand(answered < asked.count, "more answers than requests: \(line)")
            var rest = line
            if let tag = asked[answered].tag {
                demand(line.hasPrefix("#\(tag) "), "the tag is lost: \(line)")
                rest = line.dropFirst(tag.count + 2)
            }
            if Self.isEnd(rest) { answered += 1 }
        }
        demand(answered == asked.count, "\(answered) answers to \(asked.count) requests")
    }

    /// Whether a line is `OK` or `ERR CODE message`.
    private static func isEnd(_ line: Substring) -> Bool {
        if line == "OK" { return true }
        guard line.hasPrefix("ERR ") else { return false }
        let words = line.split(separator: " ", maxSplits: 2)
        demand(words.count == 3, "an ERR without a message: \(line)")
        demand(ErrorCode(rawValue: String(words[1])) != nil, "no code: \(line)")
        return true
    }
}

/// A line that must be answered, recognised without the daemon's own parser.
private struct Asked {
    /// The tag that each line of the answer begins with.
    var tag: String?

    /// nil for a line without words.
    init?(_ line: ArraySlice<UInt8>) {
        let line = Array(line)
        guard line.count < Request.maxLineLength else { return }
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        guard text.contains(where: { $0 != UInt8(ascii: " ") }) else { return nil }
        guard let readable = String(validating: text, as: UTF8.self),
            !readable.unicodeScalars.contains(where: {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            })
        else { return }
        let word = text.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        guard word.first == UInt8(ascii: "#"), (2...17).contains(word.count) else { return }
        let isTag = word.dropFirst().allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isASCII
                && (character.isLetter || character.isNumber || character == "_"
                    || character == "-")
        }
        if isTag { tag = String(decoding: word.dropFirst(), as: UTF8.self) }
    }
}
