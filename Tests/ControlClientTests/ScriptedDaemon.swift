import Glibc
import Reactor

/// A control socket of which the test says what it answers.
final class ScriptedDaemon {
    let path: String
    /// What it was asked, line by line.
    private(set) var requests: [String] = []
    /// What it answers to a request; nil to say nothing.
    var answer: (String) -> String? = { _ in "OK\n" }

    private let loop: EventLoop
    private var listener: Int32 = -1
    private var clients: [Int32] = []
    private var watches: [Watch] = []

    init(on loop: EventLoop) {
        self.loop = loop
        var template = Array("/tmp/geotag-client-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no folder")
        let folder = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        path = String(decoding: folder, as: UTF8.self) + "/control.sock"
        listen()
    }

    deinit {
        stop()
        rmdir(String(path.dropLast("/control.sock".count)))
    }

    func listen() {
        listener = socket(AF_UNIX, UnixSocket.stream, 0)
        let isBound = UnixSocket.withAddress(path) { bind(listener, $0, $1) } == 0
        precondition(isBound && Glibc.listen(listener, 8) == 0, "no socket")
        watches.append(watch(listener) { [unowned self] in accept() })
    }

    func send(_ text: String) {
        for client in clients { _ = Glibc.send(client, text, text.utf8.count, 0x4000) }
    }

    /// Closes all connections, and the socket.
    func stop() {
        watches = []
        for number in clients + [listener] where number >= 0 { close(number) }
        clients = []
        listener = -1
        unlink(path)
    }

    private func accept() {
        let number = Glibc.accept(listener, nil, nil)
        guard number >= 0 else { return }
        clients.append(number)
        watches.append(watch(number) { [unowned self] in read(number) })
    }

    private func read(_ number: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return }
        for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
            requests.append(String(line))
            guard let text = answer(String(line)) else { continue }
            _ = Glibc.send(number, text, text.utf8.count, 0x4000)
        }
    }

    private func watch(_ number: Int32, _ body: @escaping () -> Void) -> Watch {
        guard let watch = try? loop.watch(number, for: .readable, handler: { _, _ in body() })
        else { preconditionFailure("no watch") }
        return watch
    }
}
