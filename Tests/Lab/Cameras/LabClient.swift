import Glibc
import Reactor

/// One connection to the lab's socket.
final class LabClient {
    enum Event {
        case line(String)
        case gone
    }

    /// A client that leaves more bytes than this unread is disconnected.
    static let maxBacklog = 4 << 20

    private let descriptor: Descriptor
    private let handler: (Event) -> Void
    private var watch: Watch?
    private var reader = LineReader()
    private var backlog: [UInt8] = []

    init(descriptor: consuming Descriptor, handler: @escaping (Event) -> Void) {
        self.descriptor = descriptor
        self.handler = handler
    }

    /// Begins to watch the connection; false where that is not possible.
    func watch(on loop: EventLoop) -> Bool {
        watch = try? loop.watch(descriptor.number, for: .readable) { [unowned self] ready, _ in
            if ready.contains(.writable) { flush() }
            if ready != .writable { read() }
        }
        return watch != nil
    }

    func send(_ line: String) {
        guard backlog.count <= Self.maxBacklog else { return }
        backlog.append(contentsOf: (line + "\n").utf8)
        flush()
    }

    private func flush() {
        do throws(SystemError) {
            while !backlog.isEmpty {
                backlog.removeFirst(try descriptor.write(backlog))
            }
        } catch {
            // A client that is gone is noticed when reading.
            if !error.isWouldBlock { backlog = [] }
        }
        watch?.interest = backlog.isEmpty ? .readable : [.readable, .writable]
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var count = 0
        do throws(SystemError) {
            count = try descriptor.read(into: &buffer)
        } catch {
            if error.isWouldBlock { return }
        }
        guard count > 0 else {
            watch?.cancel()
            handler(.gone)
            return
        }
        var lines: [String] = []
        reader.append(buffer[..<count]) { line in
            if case .text(let text) = line { lines.append(text) }
        }
        for line in lines { handler(.line(line)) }
    }
}
