import LineProtocol
import Reactor

/// Somebody who gives commands: their lines in order, one answered at a time.
final class ConsoleClient {
    /// Where the answers go.
    enum Outlet {
        /// To a descriptor of the client's own.
        case lines(TextOutput)
        /// Into the log: a FIFO carries nothing back.
        case log(FIFOReplies)
    }

    /// What the end of the input means.
    enum Ending {
        /// The client goes once everything is answered.
        case leaves
        /// It stays and hears what it asked for (stdin, which may be closed from the start).
        case stays
    }

    /// One thing that came in.
    enum Event: Equatable {
        case request(Request)
        /// A chunk without a request: there may be more at once.
        case more
        /// Nothing for now.
        case idle
        case end
    }

    /// Bytes without a line's end after which a client that is not the FIFO counts as ended: a file
    /// like /dev/zero would keep the loop busy for ever.
    static let maxEndless = 1 << 20

    let name: String
    let ending: Ending
    let outlet: Outlet
    let input: ConsoleInput
    /// The request that waits for its answer.
    var pending: (ticket: Ticket, tag: String?)?
    /// Tags of timed starts that wait for their instant: they hold up no further request.
    var timedStarts: [Ticket: String?] = [:]
    var wantsEvents = false
    /// Bytes of answers that were out at the last inspection while others waited; nil while none
    /// did.
    var stalledAt: UInt64?
    /// Stands among those that have something to do.
    var isQueued = false
    private(set) var isAtEnd = false

    /// Its own; nil where somebody else closes it.
    private let descriptor: Descriptor?
    private var reader = LineReader()
    private var lines: [LineReader.Line] = []
    private var next = 0
    /// Bytes read since a line last ended.
    private var endless = 0

    init(
        name: String, descriptor: consuming Descriptor? = nil, input: ConsoleInput,
        outlet: Outlet, ending: Ending
    ) {
        self.name = name
        self.descriptor = descriptor
        self.input = input
        self.outlet = outlet
        self.ending = ending
    }

    /// Whether the verb may be said here.
    func carries(_ verb: Verb) -> Bool {
        switch (verb.transports, outlet) {
        case (.all, _), (.connections, .lines): true
        case (.connections, _): false
        }
    }

    /// A line has begun and not ended.
    var hasPartialLine: Bool { reader.hasPartialLine }

    func dropPartialLine() { reader.dropPartialLine() }

    /// It waits for an answer, or does not take those that it has.
    var isBlocked: Bool {
        if pending != nil { return true }
        guard case .lines(let output) = outlet else { return false }
        return output.queued > 0
    }

    /// The next request, from what was read or from one more read.
    func nextEvent() -> Event {
        if let request = nextRequest() { return .request(request) }
        guard !isAtEnd else { return .end }
        switch input.read() {
        case .bytes(let bytes):
            reader.append(bytes) { lines.append($0) }
            endless = bytes.contains(UInt8(ascii: "\n")) ? 0 : endless + bytes.count
            if let request = nextRequest() { return .request(request) }
            guard case .lines = outlet, endless > Self.maxEndless else { return .more }
            input.stop()
            reader.dropPartialLine()
            isAtEnd = true
            return .end
        case .nothing: return .idle
        case .end:
            isAtEnd = true
            guard let last = reader.finish(), let request = Self.request(last) else {
                return .end
            }
            return .request(request)
        }
    }

    /// The next request of the lines that were read.
    private func nextRequest() -> Request? {
        while next < lines.count {
            let line = lines[next]
            next += 1
            if let request = Self.request(line) { return request }
        }
        lines.removeAll(keepingCapacity: true)
        next = 0
        return nil
    }

    /// Sends lines; false where the client takes no more.
    func send(_ text: String) -> Bool {
        switch outlet {
        case .lines(let output): return output.send(Array(text.utf8))
        case .log(let replies):
            for line in text.split(separator: "\n") { replies.write(String(line)) }
            return true
        }
    }

    /// Nothing more is read or written; before the descriptor is closed.
    func stop() {
        input.stop()
        if case .lines(let output) = outlet { output.stop() }
    }

    private static func request(_ line: LineReader.Line) -> Request? {
        switch line {
        case .text(let text): Request.read(text.utf8)
        case .tooLong: Request(.tooLong)
        case .controlCharacter: Request(.controlByte)
        case .invalidUTF8: Request(.invalidUTF8)
        }
    }
}
