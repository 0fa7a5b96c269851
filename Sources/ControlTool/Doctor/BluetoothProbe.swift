import BlueZ
import Clock
import LineProtocol
import Reactor

/// Asks the system bus for bluetoothd and its adapters.
final class BluetoothProbe {
    /// How long the bus and bluetoothd may take.
    static let patience = TimeSpan.seconds(2)

    private(set) var hasBus = false
    private(set) var hasBluetoothd = false
    private(set) var adapters: [DoctorFacts.Adapter] = []
    private let bus: Bus
    private let loop: EventLoop
    private var isOver = false

    init(_ address: String) throws(SystemError) {
        loop = try EventLoop()
        bus = Bus(address, on: loop)
    }

    /// Connects, asks, and closes again.
    func run() {
        let timer = Timer(on: loop) { [unowned self] _ in isOver = true }
        timer.set(at: loop.now + Self.patience)
        bus.onChange = { [unowned self] change, _ in
            guard change == .connected else { return }
            hasBus = true
            ask()
        }
        bus.open()
        while !isOver { loop.turn(until: .never) }
        bus.close()
    }

    private func ask() {
        let message = BusMessage(
            call: "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: "/",
            to: BlueZName.service)
        bus.call(message, timeout: Self.patience) { [unowned self] result, _ in
            isOver = true
            guard case .success(let reply) = result else { return }
            hasBluetoothd = true
            var reader = reply.reader
            reader.dictionary { entry in
                guard let path = entry.objectPath() else { return }
                entry.dictionary { interface in
                    guard interface.string() == BlueZName.adapter else { return }
                    note(path, &interface)
                }
            }
            adapters.sort { $0.name < $1.name }
        }
    }

    private func note(_ path: String, _ properties: inout MessageReader) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var adapter = DoctorFacts.Adapter(name: name, address: "?")
        properties.properties { name, value in
            switch name {
            case "Address": adapter.address = value.string() ?? adapter.address
            case "Powered": adapter.isPowered = value.bool() ?? true
            case "Roles": adapter.roles = value.strings()
            default: break
            }
        }
        adapters.append(adapter)
    }
}
