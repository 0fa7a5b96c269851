import Glibc
package import Reactor

/// A connection to the daemon's control socket, on the loop.
package final class ControlConnection {
    /// Called for each line that comes.
    package var heard: (ReplyStream.Line) -> Void = { _ in }
    /// Called once when the daemon closes the connection.
    package var closed: () -> Void = {}

    private let descriptor: Descriptor
    private var watch: Watch?
    private var stream = ReplyStream()
    private var output: [UInt8] = []

    /// Connects; the daemon's queue is long enough that this does not wait.
    package init(to path: String, on loop: EventLoop) throws(ControlFault) {
        let number = socket(AF_UNIX, UnixSocket.stream, 0)
        guard number >= 0 else { throw .connect(path, .last) }
        descriptor = Descriptor(owning: number)
        guard UnixSocket.withAddress(path, { connect(number, $0, $1) }) == 0 else {
            throw .connect(path, .last)
        }
        do throws(SystemError) {
            watch = try loop.watch(number, for: .readable) { [unowned self] readiness, _ in
                ready(readiness)
            }
        } catch { throw .connect(path, error) }
    }

    deinit { watch?.cancel() }

    /// Sends one request.
    package func send(_ line: String) {
        output += Array((line + "\n").utf8)
        flush()
    }

    /// Hears nothing more; the descriptor goes with the owner.
    package func close() {
        watch?.cancel()
        watch = nil
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while watch != nil {
            do throws(SystemError) {
                let count = try descriptor.read(into: &buffer)
                guard count > 0, stream.append(buffer[..<count], { heard($0) }) else {
                    return lose()
                }
            } catch {
                if !error.isWouldBlock { lose() }
                return
            }
        }
    }

    private func flush() {
        while !output.isEmpty, watch != nil {
            do throws(SystemError) {
                output.removeFirst(try descriptor.write(output))
            } catch {
                // What became of the daemon is noticed when reading.
                if !error.isWouldBlock { output = [] }
                break
            }
        }
        watch?.interest = output.isEmpty ? .readable : [.readable, .writable]
    }

    private func lose() {
        close()
        closed()
    }
}
