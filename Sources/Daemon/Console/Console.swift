import Clock
package import LineProtocol
package import Reactor

/// Commands in, answers out: stdin, the FIFO and the control socket through one parser and one
/// dispatcher (contract 2.3).
///
/// Clients are served in turn, a line each, for at most `shift` at a time and then not for as long:
/// however many write however much, a push is never late for them.
package final class Console {
    /// How long clients are served before everything else has its turn.
    static let shift = TimeSpan.milliseconds(2)
    /// Between two shifts.
    static let pause = TimeSpan.milliseconds(2)
    /// Between two looks whether FIFO and socket still stand where they belong, and whether clients
    /// took anything of what waits for them.
    static let inspection = TimeSpan.seconds(10)

    /// How long the end of the run waits for clients that have not taken their answers.
    static let farewell = TimeSpan.milliseconds(100)

    let loop: EventLoop
    let log: Log
    private unowned let host: any ConsoleHost
    private var clients: [ObjectIdentifier: ConsoleClient] = [:]
    /// Those that have something to do, in turn.
    private var queue: [ConsoleClient] = []
    private var waiting: [Ticket: ConsoleClient] = [:]
    private var lastTicket: UInt64 = 0
    private var work: Timer?
    private var inspect: Timer?
    var fifo: CommandFIFO?
    var socket: ControlSocket?

    /// - Parameter host: outlives the console.
    package init(host: any ConsoleHost, log: Log, on loop: EventLoop) {
        self.host = host
        self.log = log
        self.loop = loop
        work = Timer(on: loop) { [unowned self] _ in serve() }
        inspect = Timer(on: loop) { [unowned self] now in
            fifo?.inspect()
            socket?.inspect()
            dropStalled()
            inspect?.set(at: now + Self.inspection)
        }
        inspect?.set(at: loop.now + Self.inspection)
    }

    /// A data line of the answer to a ticket. Nobody who waits for it any more is no error.
    package func reply(_ ticket: Ticket, _ line: ReplyLine) {
        guard let client = waiting[ticket] else { return }
        send(line.text + "\n", ticket, to: client)
    }

    /// The end of the answer to a ticket.
    package func replyEnd(_ ticket: Ticket, _ end: ReplyEnd) {
        guard let client = waiting.removeValue(forKey: ticket) else { return }
        send(end.text + "\n", ticket, to: client)
        if client.pending?.ticket == ticket { client.pending = nil }
        client.timedStarts[ticket] = nil
        enqueue(client)
    }

    /// Tells those who asked for events.
    package func notice(_ notice: Notice) {
        guard notice.isEvent else { return }
        var text: String?
        for client in clients.values where client.wantsEvents {
            let line = text ?? "! " + notice.text + "\n"
            text = line
            if !client.send(line) { lose(client) }
        }
    }

    /// Clients that are connected or may still write, stdin and FIFO among them.
    package var clientCount: Int { clients.count }

    /// Ends it: nothing more is read, FIFO and socket go. Answers that wait have a moment to leave.
    package func close() {
        let deadline = MonotonicClock.now() + Self.farewell
        for client in clients.values {
            if case .lines(let output) = client.outlet { output.drain(until: deadline) }
        }
        work?.cancel()
        inspect?.cancel()
        fifo?.close()
        fifo = nil
        socket?.close()
        socket = nil
        for client in clients.values { client.stop() }
        clients = [:]
        waiting = [:]
        queue = []
    }
}

/// Clients come, are served, and go.
extension Console {
    func add(_ client: ConsoleClient) {
        clients[ObjectIdentifier(client)] = client
        client.input.becameReady = { [unowned self, unowned client] in enqueue(client) }
        if case .lines(let output) = client.outlet {
            output.drained = { [unowned self, unowned client] in enqueue(client) }
            output.broke = { [unowned self, unowned client] in outputBroke(client) }
        }
        client.input.start(on: loop)
    }

    func remove(_ client: ConsoleClient) {
        client.stop()
        client.wantsEvents = false
        guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
        if let pending = client.pending { waiting[pending.ticket] = nil }
        for ticket in client.timedStarts.keys { waiting[ticket] = nil }
        queue.removeAll { $0 === client }
        socket?.clientLeft(client)
    }

    private func enqueue(_ client: ConsoleClient) {
        guard !client.isQueued, clients[ObjectIdentifier(client)] != nil else { return }
        client.isQueued = true
        queue.append(client)
        if work?.deadline == nil { work?.set(at: loop.now) }
    }

    private func serve() {
        let deadline = MonotonicClock.now() + Self.shift
        while !queue.isEmpty {
            let client = queue.removeFirst()
            client.isQueued = false
            guard !client.isBlocked else { continue }
            switch client.nextEvent() {
            case .request(let request):
                handle(request, of: client)
                enqueue(client)
            case .more: enqueue(client)
            case .idle: fifo?.idle(client)
            case .end: end(client)
            }
            if MonotonicClock.now() >= deadline { break }
        }
        if !queue.isEmpty { work?.set(at: loop.now + Self.shift + Self.pause) }
    }

    private func send(_ text: String, _ ticket: Ticket, to client: ConsoleClient) {
        let pending = client.pending.flatMap { $0.ticket == ticket ? $0.tag : nil }
        let tag = client.timedStarts[ticket] ?? pending
        let tagged = tag.map { "#\($0) " + text } ?? text
        if !client.send(tagged) { lose(client) }
    }

    /// There is nothing more to read. Who only closed the writing side still hears events.
    private func end(_ client: ConsoleClient) {
        guard client.ending == .leaves, case .lines(let output) = client.outlet else { return }
        if output.isBroken || !client.wantsEvents && client.timedStarts.isEmpty { remove(client) }
    }

    /// A line was refused. Who went is still read to the end: what was asked for is done. Who does
    /// not read is dropped, but for stdin, which misses the line.
    private func lose(_ client: ConsoleClient) {
        guard case .lines(let output) = client.outlet, !output.isBroken else { return }
        log.write(.warning, .control, "unread", [Field("client", client.name)])
        if client.ending == .leaves { remove(client) }
    }

    private func outputBroke(_ client: ConsoleClient) {
        client.wantsEvents = false
        if client.isAtEnd { end(client) } else { enqueue(client) }
    }

    /// Drops those who took nothing of what waits for them since the last look.
    func dropStalled() {
        for client in Array(clients.values) {
            guard case .lines(let output) = client.outlet else { continue }
            if output.queued > 0, client.stalledAt == output.total { lose(client) }
            client.stalledAt = output.queued > 0 ? output.total : nil
        }
    }
}

/// What is asked for.
extension Console {
    private func handle(_ request: Request, of client: ConsoleClient) {
        lastTicket += 1
        let ticket = Ticket(number: lastTicket)
        client.pending = (ticket, request.tag)
        waiting[ticket] = client
        if case .success(let action) = request.action, !client.carries(action.verb) {
            let words = "a FIFO carries no \(action.verb.name); use the control socket"
            return replyEnd(ticket, .error(.unsupported, words))
        }
        switch request.action {
        case .success(.fleet(let command, let target)):
            if case .timedStart = command {
                client.pending = nil
                client.timedStarts[ticket] = .some(request.tag)
            }
            host.submit(ticket, command, target, at: loop.now)
        case .success(.daemon(let command)): perform(command, ticket, of: client)
        case .failure(let fault): replyEnd(ticket, .error(fault.code, fault.message))
        }
    }

    private func perform(_ command: DaemonCommand, _ ticket: Ticket, of client: ConsoleClient) {
        switch command {
        case .help(let verb): answer(ticket, HelpText.lines(verb))
        case .status(json: true): answer(ticket, [status.json.line])
        case .status(json: false): answer(ticket, status.lines.map(\.text))
        case .cameras: answer(ticket, status.cameraLines.map(\.text))
        case .gps: answer(ticket, [status.gpsLine.text])
        case .auto(.status): answer(ticket, [status.autoLine.text])
        case .camera(let target):
            answer(ticket) { () throws(UnknownTarget) in try status.cameraLines(of: target) }
        case .modes(let target):
            answer(ticket) { () throws(UnknownTarget) in try status.modeLines(of: target) }
        case .events(let on):
            client.wantsEvents = on
            replyEnd(ticket, .ok)
        case .logLevel(let level):
            log.level = level
            replyEnd(ticket, .ok)
        case .auto, .track, .mark, .reload, .quit: host.perform(ticket, command, at: loop.now)
        }
    }

    private var status: DaemonStatus { host.status(at: loop.now) }

    private func answer(
        _ ticket: Ticket, _ lines: () throws(UnknownTarget) -> [ReplyLine]
    ) {
        do throws(UnknownTarget) { answer(ticket, try lines().map(\.text)) } catch {
            replyEnd(ticket, .error(.noCamera, error.words))
        }
    }

    /// Data lines and OK, in one piece.
    private func answer(_ ticket: Ticket, _ lines: [String]) {
        guard let client = waiting[ticket], let pending = client.pending else { return }
        let head = pending.tag.map { "#\($0) " } ?? ""
        let text = lines.map { head + $0 + "\n" }.joined()
        if !text.isEmpty, !client.send(text) { lose(client) }
        replyEnd(ticket, .ok)
    }
}

extension Notice {
    /// Told to those who asked for events; the others are the log's and the file's alone.
    fileprivate var isEvent: Bool {
        switch kind {
        case .camera, .alarm, .mode, .battery, .card, .temperature, .gps, .track, .adapter, .mark,
            .bluetooth, .auto:
            true
        case .record: value("state") == "started" || value("state") == "stopped"
        case .photo: value("state") == "sent"
        case .clock, .push, .daemon: false
        }
    }
}
