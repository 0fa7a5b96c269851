import Clock
import LineProtocol
import Navigation
import OsmoProtocol
import RadioPort
import Simulation

@testable import Fleet

/// A rig with rules on the bench, driven by speeds.
extension RigBench {
    /// Cameras that stream, at rest, with rules of which most tests need a few.
    static func auto(
        _ cameras: Int = 2, _ change: (inout AutoSettings) -> Void
    ) -> RigBench {
        let bench = RigBench.of(cameras) { settings in
            settings.auto.recordAbove = 15
            settings.auto.stopBelow = 5
            settings.auto.stopAfter = .seconds(30)
            change(&settings.auto)
        }
        bench.speed = 0
        bench.pass(.seconds(20))
        return bench
    }

    /// Goes on at a speed, km/h.
    func drive(_ speed: Double, for seconds: Int) {
        self.speed = speed / 3.6
        pass(.seconds(seconds))
    }

    /// Which cameras record.
    var recording: [Bool] {
        rig.status(at: now).cameras.map { $0.recording == true }
    }

    /// Record frames that went out, `start` and `stop`, with the camera's number.
    func orders(since instant: Instant = .zero) -> [String] {
        var orders: [String] = []
        for entry in requests where entry.at >= instant {
            guard case .write(let link, let bytes) = entry.request,
                let frame = try? Frame(datagram: bytes),
                let control = frame.read(RecordControl.self)
            else { continue }
            let number = rig.cameras.first { $0.address == link.camera }?.entry.number ?? 0
            orders.append((control.starts ? "start " : "stop ") + String(number))
        }
        return orders
    }

    /// The events of a kind, as they are written.
    func told(_ kind: Notice.Kind) -> [String] {
        notices.filter { $0.kind == kind }.map { notice in
            ([notice.name] + notice.fields.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        }
    }
}
