import BlueZ
import Clock
import Glibc
import OsmoProtocol
import Reactor
import Simulation

/// The two characteristics: notifications out, writes in.
extension FakeDevice {
    private var servicePath: String { path + "/service0028" }
    private var notifyPath: String { servicePath + "/char0029" }
    private var writePath: String { servicePath + "/char002c" }

    var gattObjects: [ExportedObject] {
        let mtu = Property.uint16(UInt16(clamping: camera?.faults.mtu ?? 23))
        let service: Properties = [
            ("UUID", .string(GATTProfile.service)), ("Device", .path(path)),
            ("Primary", .bool(true)), ("Includes", .strings([])),
        ]
        let notify: Properties = [
            ("UUID", .string(GATTProfile.notifyCharacteristic)), ("Service", .path(servicePath)),
            ("Value", .bytes([])), ("Notifying", .bool(subscriber != nil)),
            ("Flags", .strings(["read", "notify"])), ("MTU", mtu),
        ]
        let write: Properties = [
            ("UUID", .string(GATTProfile.writeCharacteristic)), ("Service", .path(servicePath)),
            ("Value", .bytes([])), ("WriteAcquired", .bool(acquired != nil)),
            ("Flags", .strings(["read", "write-without-response", "write"])), ("MTU", mtu),
        ]
        return [
            Self.object(servicePath, BlueZName.gattService, service),
            Self.object(notifyPath, BlueZName.characteristic, notify),
            Self.object(writePath, BlueZName.characteristic, write),
        ]
    }

    private static func object(
        _ path: String, _ interface: String, _ properties: Properties
    ) -> ExportedObject {
        ExportedObject(
            path: path, interfaces: [Interface(name: interface, properties: properties)])
    }

    /// A call to one of them; false where the path is none of this device's.
    func handleGATT(_ call: BusMessage, at now: Instant) -> Bool {
        guard isGATTExported, let target = call.path, target == notifyPath || target == writePath
        else { return false }
        guard isResolved else {
            server.refuse(call, "Failed", "Not connected")
            return true
        }
        switch (target == notifyPath, call.member) {
        case (true, "StartNotify"): startNotify(call)
        case (true, "StopNotify"): stopNotify(call, at: now)
        case (true, "AcquireNotify"):
            if subscriber == nil {
                server.refuse(call, "NotSupported", "Operation is not supported")
            } else {
                server.refuse(call, "InProgress", "Operation already in progress")
            }
        case (false, "WriteValue"): writeValue(call, at: now)
        case (false, "AcquireWrite"): acquireWrite(call)
        default: server.refuse(call, "NotSupported", "Operation is not supported")
        }
        return true
    }

    // MARK: Notifications

    /// The camera notifies: a signal to whoever subscribed.
    func notify(_ bytes: [UInt8]) {
        guard subscriber != nil else { return }
        server.tellChanged(notifyPath, BlueZName.characteristic, [("Value", .bytes(bytes))])
    }

    private func startNotify(_ call: BusMessage) {
        if camera?.faults.staleCache == true {
            return server.refuse(call, "Failed", "Operation failed with ATT error: 0x0e")
        }
        guard subscriber == nil else { return server.reply(to: call) }
        subscriber = call.sender
        // The camera is subscribed to once the descriptor is written, over the air.
        step = after(timing.startNotify) { [unowned self] now in
            server.reply(to: call)
            server.tellChanged(notifyPath, BlueZName.characteristic, [("Notifying", .bool(true))])
            camera?.receive(.subscribed, at: now)
            camera?.tell("subscribed", at: now)
        }
    }

    private func stopNotify(_ call: BusMessage, at now: Instant) {
        guard call.sender == subscriber else {
            return server.refuse(call, "Failed", "No notify session started")
        }
        unsubscribe(at: now)
        server.reply(to: call)
    }

    func unsubscribe(at now: Instant) {
        guard subscriber != nil else { return }
        subscriber = nil
        camera?.receive(.unsubscribed, at: now)
        server.tellChanged(notifyPath, BlueZName.characteristic, [("Notifying", .bool(false))])
    }

    // MARK: Writes

    private func writeValue(_ call: BusMessage, at now: Instant) {
        guard acquired == nil else {
            return server.refuse(call, "NotPermitted", "Write acquired")
        }
        var reader = call.reader
        guard let bytes = reader.bytes() else {
            return server.refuse(call, "InvalidArguments", "Invalid arguments in method call")
        }
        // The answer to a command only means that it is queued.
        server.reply(to: call)
        deliver(bytes, at: now)
    }

    private func acquireWrite(_ call: BusMessage) {
        guard let camera, !camera.faults.noAcquire else {
            return server.refuse(call, "NotSupported", "Operation is not supported")
        }
        guard acquired == nil else {
            return server.refuse(call, "NotPermitted", "Write acquired")
        }
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            return server.refuse(call, "Failed", SystemError.last.description)
        }
        let theirs = Descriptor(owning: ends[1])
        acquired = AcquiredEnd(
            Descriptor(owning: ends[0]), on: loop,
            receive: { [unowned self] bytes, now in deliver(bytes, at: now) },
            onEnd: { [unowned self] _ in
                acquired = nil
                tellAcquired()
            })
        let number = theirs.number
        server.reply(to: call) { writer in
            writer.append(descriptor: number)
            writer.append(UInt16(clamping: camera.faults.mtu))
        }
        tellAcquired()
    }

    private func tellAcquired() {
        server.tellChanged(
            writePath, BlueZName.characteristic, [("WriteAcquired", .bool(acquired != nil))])
    }

    private func deliver(_ bytes: [UInt8], at now: Instant) {
        // bluetoothd drops what is too long without a word.
        guard let camera, bytes.count + 3 <= camera.faults.mtu else { return }
        camera.write(bytes, isBlocked: adapter.isOutOfBuffers, at: now)
    }
}

/// bluetoothd's end of an acquired descriptor: read without bound, as bluetoothd does.
final class AcquiredEnd {
    private let descriptor: Descriptor
    private var watch: Watch?
    private let receive: ([UInt8], Instant) -> Void
    private let onEnd: (Instant) -> Void

    init(
        _ descriptor: consuming Descriptor, on loop: EventLoop,
        receive: @escaping ([UInt8], Instant) -> Void, onEnd: @escaping (Instant) -> Void
    ) {
        self.descriptor = descriptor
        self.receive = receive
        self.onEnd = onEnd
        watch = try? loop.watch(self.descriptor.number, for: .readable) {
            [unowned self] _, now in read(at: now)
        }
    }

    deinit { watch?.cancel() }

    /// Nothing is received after this, also not of what is being read.
    func end() {
        watch?.cancel()
        watch = nil
    }

    private func read(at now: Instant) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while watch != nil {
            do throws(SystemError) {
                let count = try readPacket(&buffer)
                if count == 0 { return onEnd(now) }
                receive(Array(buffer.prefix(count)), now)
            } catch {
                if !error.isWouldBlock { onEnd(now) }
                return
            }
        }
    }

    private func readPacket(_ buffer: inout [UInt8]) throws(SystemError) -> Int {
        let number = descriptor.number
        let count = buffer.withUnsafeMutableBytes {
            recv(number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        guard count >= 0 else { throw .last }
        return count
    }
}
