import Clock
import OsmoProtocol
import Reactor
import Simulation

/// The cameras, in real time: it gives them what the radio reports, and sends what they do as
/// lines.
final class LabSimulator {
    private(set) var cameras: [SimulatedCamera]
    /// Sends a line to the radio.
    var sendToRadio: (String) -> Void = { _ in }

    private let log: LabLog?
    private let loop: EventLoop
    private var timer: Timer?

    init(cameras: [SimulatedCamera], log: LabLog?, on loop: EventLoop) {
        self.cameras = cameras
        self.log = log
        self.loop = loop
        for index in cameras.indices { self.cameras[index].narrates = true }
        timer = Timer(on: loop) { [unowned self] now in wake(at: now) }
    }

    /// The lines that each new client gets first.
    var greeting: [String] {
        var lines: [String] = []
        for (index, camera) in cameras.enumerated() {
            lines.append(
                "camera \(index) \(camera.address) \(camera.model.word) \(camera.name) "
                    + camera.manufacturerData.hexadecimal)
        }
        return lines + advertising + ["end"]
    }

    /// How each camera is on the air.
    var advertising: [String] {
        cameras.enumerated().map { "advertise \($0.offset) \($0.element.advertising.rawValue)" }
    }

    func give(_ input: CameraInput, to index: Int, at now: Instant) {
        carryOut(cameras[index].handle(input, at: now), of: index, at: now)
        setTimer()
    }

    /// - Returns: false where the key or the value is not known.
    func set(_ key: String, to value: String, of index: Int, at now: Instant) -> Bool {
        guard let outputs = cameras[index].set(key, to: value, at: now) else { return false }
        carryOut(outputs, of: index, at: now)
        setTimer()
        return true
    }

    func clear(_ index: Int) { cameras[index].clearCounters() }

    func record(_ line: String, of index: Int, at now: Instant) {
        log?.write("\(stamp(now)) \(index) \(line)")
    }

    private func wake(at now: Instant) {
        for index in cameras.indices {
            guard let due = cameras[index].nextDeadline, due <= now else { continue }
            carryOut(cameras[index].handle(.timer, at: now), of: index, at: now)
        }
        setTimer()
    }

    private func setTimer() {
        timer?.set(at: cameras.compactMap(\.nextDeadline).min())
    }

    private func carryOut(_ outputs: [CameraOutput], of index: Int, at now: Instant) {
        for output in outputs {
            switch output {
            case .notify(let bytes): sendToRadio("notify \(index) \(bytes.hexadecimal)")
            case .advertise(let how): sendToRadio("advertise \(index) \(how.rawValue)")
            case .dropLink: sendToRadio("drop \(index)")
            case .noted(let note): record(note.line, of: index, at: now)
            }
        }
    }

    /// Seconds with six decimals.
    private func stamp(_ now: Instant) -> String {
        let digits = String(now.nanoseconds / 1000 % 1_000_000)
        return "\(now.nanoseconds / 1_000_000_000)."
            + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
