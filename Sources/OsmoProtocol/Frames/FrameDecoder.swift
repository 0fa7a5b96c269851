/// Finds the frames in a camera's notifications (protocol 2.6).
///
/// In all captures one notification is one frame, but nothing promises that: a frame may be split,
/// frames may be joined, notifications of DJI's other protocol (DUML) may come between them, and
/// bytes may be damaged.
///
/// | pending | a notification brings | then |
/// | --- | --- | --- |
/// | nothing | a first byte 55 | the notification is dropped (DUML) |
/// | an incomplete frame, over 1 s old | anything | the old bytes are dropped |
/// | an incomplete frame | a sound header at its first byte | the old bytes are dropped |
/// | whatever | bytes | frames are cut off; at a failed check one byte goes and the search goes on |
package struct FrameDecoder: Sendable {
    /// How long an incomplete frame waits for its rest, nanoseconds.
    package static let patience: Int64 = 1_000_000_000

    private var pending: [UInt8] = []
    /// When the first pending byte came.
    private var since: Int64 = 0

    /// Bytes dropped so far because they belong to no frame; notifications of DUML are not counted.
    package private(set) var droppedBytes = 0
    /// Notifications of DJI's other protocol (DUML) so far, which are dropped whole.
    package private(set) var foreignNotifications = 0

    /// A decoder with nothing pending. Each link needs its own.
    package init() {}

    /// Bytes that wait for the rest of their frame; always fewer than `Frame.maximumLength`.
    package var pendingCount: Int { pending.count }

    /// Forgets an incomplete frame: on a disconnect, and on a new subscription.
    package mutating func clear() {
        droppedBytes += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Reads one notification.
    ///
    /// - Parameters:
    ///   - notification: its bytes.
    ///   - nanoseconds: when it came, on a clock that never runs backwards.
    /// - Returns: the frames that it completes, in order; enciphered ones among them.
    package mutating func receive(
        _ notification: [UInt8], at nanoseconds: Int64
    ) -> [Frame] {
        if !pending.isEmpty {
            let stale = nanoseconds - since > FrameDecoder.patience
            if stale || FrameDecoder.startsFrame(notification, at: 0) { clear() }
        }
        if pending.isEmpty {
            if notification.first == FrameDecoder.dumlStart {
                foreignNotifications += 1
                return []
            }
            since = nanoseconds
            return scan(notification, arrived: 0, at: nanoseconds)
        }
        let arrived = pending.count
        let bytes = pending + notification
        return scan(bytes, arrived: arrived, at: nanoseconds)
    }

    /// The first byte of a DUML frame.
    private static let dumlStart: UInt8 = 0x55

    /// Cuts frames off `bytes` and keeps the rest as pending. The bytes from `arrived` on came just
    /// now.
    private mutating func scan(_ bytes: [UInt8], arrived: Int, at nanoseconds: Int64) -> [Frame] {
        var frames: [Frame] = []
        var start = 0
        search: while start < bytes.count {
            guard bytes[start] == Frame.startOfFrame else {
                start += 1
                droppedBytes += 1
                continue
            }
            guard bytes.count - start >= Frame.headerLength else { break search }
            let length = Frame.declaredLength(bytes, at: start)
            guard FrameDecoder.startsFrame(bytes, at: start) else {
                start += 1
                droppedBytes += 1
                continue
            }
            guard bytes.count - start >= length else { break search }
            guard Frame.bodyIsSound(bytes, at: start, length: length) else {
                start += 1
                droppedBytes += 1
                continue
            }
            frames.append(Frame(sound: bytes, at: start, length: length))
            start += length
        }
        if start >= arrived { since = nanoseconds }
        pending.removeAll(keepingCapacity: true)
        if start < bytes.count { pending.append(contentsOf: bytes[start...]) }
        return frames
    }

    /// Whether a whole and sound header of a frame of version 0 stands at `start`.
    private static func startsFrame(_ bytes: [UInt8], at start: Int) -> Bool {
        bytes.count - start >= Frame.headerLength && bytes[start] == Frame.startOfFrame
            && Frame.declaredVersion(bytes, at: start) == 0
            && Frame.declaredLength(bytes, at: start) >= Frame.overhead
            && Frame.headerIsSound(bytes, at: start)
    }
}
