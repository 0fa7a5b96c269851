package import Clock
import Fleet
import Glibc
package import OsmoProtocol
package import RadioPort
package import Reactor

/// Writes a capture (`--capture`, `[state] capture`) off the loop, bounded in memory and on disk.
///
/// What does not fit is left out, and said: a capture never delays a push.
package final class CaptureWriter {
    /// Bytes of the file; at 1 kB a camera and second, ten cameras fill it in two hours.
    package static let maxFileSize = 64 << 20
    /// Bytes that may wait for the disk.
    static let maxWaiting = 1 << 20
    /// Between two writes.
    static let interval = TimeSpan.milliseconds(250)

    private let path: String
    private let file: CaptureFile
    private let thread: HelperThread<SystemError?>
    private let say: (String) -> Void
    private var waiting: [UInt8] = []
    private var written = 0
    private var isOver = false
    private var timer: Timer?

    /// - Parameters:
    ///   - path: made anew; an existing file is never written over.
    ///   - say: gets one line when the capture ends by itself.
    /// - Throws: where the file cannot be made.
    package init(
        path: String, on loop: EventLoop, say: @escaping (String) -> Void
    ) throws(SystemError) {
        self.path = path
        self.say = say
        file = try CaptureFile(path: path)
        thread = try HelperThread(on: loop)
        timer = Timer(on: loop) { [unowned self] now in
            flush()
            timer?.set(at: now + Self.interval)
        }
        timer?.set(at: loop.now + Self.interval)
    }

    /// Takes what the radio says: all of our links, and advertisements of cameras of ours.
    package func record(
        _ event: RadioEvent, at now: Instant, utc: UnixTime?, isOurs: (BluetoothAddress) -> Bool
    ) {
        guard let (link, content) = Self.content(of: event) else { return }
        if case .advertisement = content, !isOurs(link.camera) { return }
        append(CaptureRecord(instant: now, utc: utc, link: link, content: content))
    }

    /// Takes a frame of ours.
    package func record(_ frame: [UInt8], to link: LinkID, at now: Instant, utc: UnixTime?) {
        append(CaptureRecord(instant: now, utc: utc, link: link, content: .outgoing(frame)))
    }

    /// Writes what waits, and ends.
    package func close() {
        timer?.cancel()
        _ = file.write(waiting)
        waiting = []
        isOver = true
    }

    private func append(_ record: CaptureRecord) {
        guard !isOver else { return }
        let line = Array((record.line + "\n").utf8)
        guard waiting.count + line.count <= Self.maxWaiting else {
            return end("the disk does not keep up")
        }
        guard written + line.count <= Self.maxFileSize else {
            return end("\(Self.maxFileSize >> 20) MiB are full")
        }
        written += line.count
        waiting += line
    }

    private func flush() {
        guard !waiting.isEmpty, thread.pending == 0 else { return }
        let batch = waiting
        waiting = []
        thread.run(
            { [file] in file.write(batch) },
            then: { [weak self] error, _ in if let error { self?.end("\(error)") } })
    }

    private func end(_ reason: String) {
        guard !isOver else { return }
        isOver = true
        say("\(path): the capture ends: \(reason)")
    }

    private static func content(
        of event: RadioEvent
    ) -> (LinkID, CaptureRecord.Content)? {
        switch event {
        case .sighting(let sighting):
            let model: String
            switch sighting.advertisement {
            case .supported(let known): model = known.description
            case .unsupported(let name): model = name
            case .notACamera: return nil
            }
            return (sighting.link, .advertisement(model: model, rssi: sighting.rssi))
        case .connectEnded(let link, let outcome): return (link, .link("connect \(outcome)"))
        case .linkOpen(let link, let parameters): return (link, .linkOpen(parameters))
        case .setupFailed(let link, let failure): return (link, .link("setup failed: \(failure)"))
        case .linkClosed(let link): return (link, .link("closed"))
        case .notification(let link, let bytes): return (link, .incoming(bytes))
        case .frameDropped(let link, _): return (link, .link("frame dropped"))
        case .wakeEnded(let link, let outcome): return (link, .link("wake \(outcome)"))
        case .available, .adapter, .adapterGone, .adapterIgnored: return nil
        }
    }
}

/// The file of a capture, written from one thread at a time.
private final class CaptureFile: Sendable {
    private let descriptor: Int32

    init(path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw .last }
    }

    deinit { Glibc.close(descriptor) }

    /// All of it, or why not.
    func write(_ bytes: [UInt8]) -> SystemError? {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EINTR { return .last }
            done += max(0, count)
        }
        return nil
    }
}
