import Clock
import LineProtocol
import OsmoProtocol
import RadioPort
import Simulation

@testable import Fleet

extension RigBench {
    /// Gives a command and lets time pass.
    @discardableResult
    func command(
        _ command: FleetCommand, _ targets: String..., for span: TimeSpan = .seconds(6)
    ) -> (lines: [ReplyLine], end: ReplyEnd?) {
        tickets += 1
        let ticket = Ticket(number: tickets)
        feed(.command(ticket, command, targets.isEmpty ? .all : .these(targets)))
        pass(span)
        return (replies.filter { $0.ticket == ticket }.map(\.line), ends[ticket])
    }

    var states: [CameraState] { rig.status(at: now).cameras.map(\.state) }

    func summary(_ number: Int) -> CameraSummary? {
        rig.status(at: now).cameras.first { $0.address == QueueBench.camera(number) }
    }

    /// Pushes with a position that went to that camera since `instant`.
    func pushes(_ number: Int, since instant: Instant) -> Int {
        pushes.count {
            $0.at >= instant && $0.push.position != nil
                && $0.push.links.contains { $0.camera == QueueBench.camera(number) }
        }
    }

    /// For how many seconds an adapter has scanned since the start.
    func lookedSeconds(_ adapter: BluetoothAddress) -> Double {
        rig.queue.discovery.scannedDuration(adapter, at: now).seconds
    }

    var violations: Int {
        air.values.reduce(0) { $0 + $1.camera.violations.values.reduce(0, +) }
    }
}

extension RadioRequest {
    /// The camera that the request is about; nil where it is about none.
    var camera: BluetoothAddress? {
        switch self {
        case .powerOn, .powerOff, .startDiscovery, .stopDiscovery: nil
        case .connect(let link), .disconnect(let link), .trust(let link), .remove(let link),
            .write(let link, _), .wake(let link):
            link.camera
        }
    }
}

extension SimulatedCamera {
    /// The camera's owner allows from now on.
    mutating func forgetRefusal() { _ = set("consent", to: "known", at: .zero) }
}

extension ReplyLine {
    func value(_ key: String) -> String? { fields.first { $0.key == key }?.value }
}
