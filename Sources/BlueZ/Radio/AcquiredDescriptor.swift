import Glibc
import Reactor

/// What AcquireWrite gives: each packet written to it becomes one ATT Write Command.
///
/// It gives no back-pressure of its own, since bluetoothd reads it without bound; the small send
/// buffer only keeps frames from piling up here while bluetoothd does not run. Its hang-up means
/// that the link is going, or that bluetoothd is.
final class AcquiredDescriptor {
    /// Bytes that the kernel may hold for bluetoothd, doubled by it: about ten GPS pushes.
    static let sendBuffer: Int32 = 4096

    /// ATT MTU, bytes.
    let mtu: Int
    private let descriptor: Descriptor
    private var watch: Watch?

    /// - Parameter onHangup: runs once.
    /// - Throws: where it cannot be watched.
    init(
        _ descriptor: consuming Descriptor, mtu: Int, on loop: EventLoop,
        onHangup: @escaping Timer.Handler
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.mtu = mtu
        var size = Self.sendBuffer
        setsockopt(
            self.descriptor.number, SOL_SOCKET, SO_SNDBUF, &size,
            socklen_t(MemoryLayout.size(ofValue: size)))
        watch = try loop.watch(self.descriptor.number, for: []) { [unowned self] _, now in
            watch?.cancel()
            onHangup(now)
        }
    }

    deinit { watch?.cancel() }

    /// Hands over one frame whole, or not at all.
    func write(_ frame: [UInt8]) -> Bool {
        frame.withUnsafeBytes { bytes in
            // Never longer than an ATT write: bluetoothd would drop it without a word.
            bytes.count + 3 <= mtu
                && send(
                    descriptor.number, bytes.baseAddress, bytes.count,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) == bytes.count
        }
    }
}
