import BlueZ
import Clock
import Glibc
import Reactor
import Testing

@Suite struct BusTests {
    let daemon: PrivateBus
    let loop: EventLoop

    init() throws {
        daemon = try PrivateBus()
        loop = try EventLoop()
    }

    private func connect() -> Bus {
        let bus = Bus(daemon.address, on: loop)
        bus.open()
        #expect(loop.turn { bus.isConnected })
        return bus
    }

    /// Owns `test.Server` and answers `Echo` with its argument, `Silence` not at all.
    private func serve() -> Bus {
        let server = connect()
        var isOwner: Bool?
        server.requestName("test.Server") { owns, _ in isOwner = owns }
        server.onCall = { [unowned server] call, _ in
            if call.member == "Silence" { return }
            let reply = BusMessage(replyTo: call)
            var reader = call.reader
            if let text = reader.string() { reply.append { $0.append(text) } }
            if let bytes = reader.bytes() { reply.append { $0.append(bytes) } }
            server.send(reply)
        }
        #expect(loop.turn { isOwner != nil })
        #expect(isOwner == true)
        return server
    }

    private func call(_ member: String) -> BusMessage {
        BusMessage(call: member, of: "test.Interface", at: "/test", to: "test.Server")
    }

    @Test("a call is answered") func callAnswered() {
        let server = serve()
        let client = connect()
        let message = call("Echo")
        message.append { writer in
            writer.append("grüße")
            writer.append([1, 2, 255] as [UInt8])
        }
        var answer: (String?, [UInt8]?)?
        client.call(message, timeout: .seconds(5)) { result, _ in
            guard case .success(let reply) = result else { return }
            var reader = reply.reader
            answer = (reader.string(), reader.bytes())
        }
        #expect(answer == nil)
        #expect(loop.turn { answer != nil })
        #expect(answer?.0 == "grüße")
        #expect(answer?.1 == [1, 2, 255])
        withExtendedLifetime(server) {}
    }

    @Test("an answer that does not come is timed out, once") func answerDoesNotComeTimed() {
        let server = serve()
        let client = connect()
        var errors: [BusError] = []
        client.call(call("Silence"), timeout: .milliseconds(30)) { result, _ in
            if case .failure(let error) = result { errors.append(error) }
        }
        #expect(loop.turn { !errors.isEmpty })
        #expect(errors == [.timedOut])
        withExtendedLifetime(server) {}
    }

    @Test("nobody to call is an error with its name") func nobodyCallErrorName() {
        let client = connect()
        var error: BusError?
        client.call(call("Echo"), timeout: .seconds(5)) { result, _ in
            if case .failure(let failure) = result { error = failure }
        }
        #expect(loop.turn { error != nil })
        guard case .failed(let name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test("one call more than may be out is refused, and not in the call itself")
    func oneCallMoreThanMay() {
        let server = serve()
        let client = connect()
        var errors: [BusError] = []
        for _ in 0...Bus.maximumCalls {
            client.call(call("Silence"), timeout: .seconds(60)) { result, _ in
                if case .failure(let error) = result { errors.append(error) }
            }
        }
        #expect(errors.isEmpty)
        #expect(loop.turn { !errors.isEmpty })
        #expect(errors == [.tooManyCalls])
        withExtendedLifetime(server) {}
    }

    @Test("calls to a bus that does not read are refused once a megabyte waits")
    func callsBusDoesNotRead() {
        let client = connect()
        daemon.pause(true)
        var refused: Int?
        var sent = 0
        while refused == nil, sent < 100 {
            sent += 1
            let number = sent
            let copy = call("Echo")
            copy.append { $0.append([UInt8](repeating: 0, count: 60_000)) }
            client.call(copy, timeout: .seconds(60)) { result, _ in
                if case .failure(.tooManyCalls) = result { refused = number }
            }
            loop.turn(until: .zero)
        }
        daemon.pause(false)
        #expect((18...30).contains(refused ?? 0), "\(String(describing: refused))")
    }

    @Test("a signal comes through a match rule") func signalComesThroughMatchRule() {
        let server = serve()
        let client = Bus(daemon.address, on: loop)
        client.addMatch("type='signal',sender='test.Server'")
        var heard: [String] = []
        client.onSignal = { message, _ in
            var reader = message.reader
            if message.member == "Hello", let text = reader.string() { heard.append(text) }
        }
        client.open()
        #expect(loop.turn { client.isConnected })
        // The rule is in force once a later call is answered.
        var isReady = false
        client.call(call("Echo"), timeout: .seconds(5)) { _, _ in isReady = true }
        #expect(loop.turn { isReady })
        for text in ["a", "b"] {
            let signal = BusMessage(signal: "Hello", of: "test.Interface", at: "/test")
            signal.append { $0.append(text) }
            server.send(signal)
        }
        #expect(loop.turn { heard.count == 2 })
        #expect(heard == ["a", "b"])
    }

    @Test("a descriptor passes through the bus") func descriptorPassesThroughBus() {
        let server = connect()
        var isOwner = false
        server.requestName("test.Server") { owns, _ in isOwner = owns }
        #expect(loop.turn { isOwner })
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        server.onCall = { [unowned server, ends] call, _ in
            let reply = BusMessage(replyTo: call)
            reply.append { $0.append(descriptor: ends[1]) }
            server.send(reply)
            close(ends[1])
        }
        let client = connect()
        var isDone = false
        client.call(call("Give"), timeout: .seconds(5)) { result, _ in
            isDone = true
            guard case .success(let reply) = result else { return }
            var reader = reply.reader
            guard let descriptor = reader.descriptor() else { return }
            #expect((try? descriptor.write([42])) == 1)
        }
        #expect(loop.turn { isDone })
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        #expect(byte == 42)
        close(ends[0])
    }

    @Test("the bus may go and come back, and calls that were out are told") func busMayGoComeBack()
        throws
    {
        let server = serve()
        let client = connect()
        var changes: [Bus.Change] = []
        client.onChange = { change, _ in changes.append(change) }
        var error: BusError?
        client.call(call("Silence"), timeout: .seconds(60)) { result, _ in
            if case .failure(let failure) = result { error = failure }
        }
        loop.turn(for: .milliseconds(20))
        daemon.stop()
        #expect(loop.turn { changes == [.disconnected] })
        #expect(error == .disconnected)
        #expect(!client.isConnected)
        try daemon.start()
        #expect(loop.turn { changes == [.disconnected, .connected] })
        withExtendedLifetime(server) {}
    }

    @Test("the client may start before the bus") func clientMayStartBeforeBus() throws {
        daemon.stop()
        let client = Bus(daemon.address, on: loop)
        client.open()
        loop.turn(for: .milliseconds(50))
        #expect(!client.isConnected)
        try daemon.start()
        #expect(loop.turn { client.isConnected })
    }

    @Test("a closed bus answers nothing more") func closedBusAnswersNothingMore() {
        let server = serve()
        let client = connect()
        var count = 0
        client.call(call("Echo"), timeout: .milliseconds(10)) { _, _ in count += 1 }
        client.close()
        client.call(call("Echo"), timeout: .milliseconds(10)) { _, _ in count += 10 }
        loop.turn(for: .milliseconds(50))
        #expect(count == 10)
        withExtendedLifetime(server) {}
    }

    @Test(
        "the environment names the bus",
        arguments: [
            (nil, "unix:path=/run/dbus/system_bus_socket"),
            ("", "unix:path=/run/dbus/system_bus_socket"), ("unix:path=/tmp/x", "unix:path=/tmp/x"),
        ])
    func environmentNamesBus(environment: String?, address: String) {
        #expect(Bus.systemAddress(environment: environment) == address)
    }
}
