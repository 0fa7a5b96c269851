import BlueZ
import Clock
import Reactor

/// org.bluez on a bus: the name, the calls that come in, the signals that go out.
final class ObjectServer {
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"

    /// Gets each call that is not one of the object manager's or a look at properties.
    var onCall: ((BusMessage, Instant) -> Void)?
    /// A client left the bus.
    var onClientGone: ((_ name: String, Instant) -> Void)?
    /// Whether org.bluez is ours.
    var onServing: ((Bool, Instant) -> Void)?
    /// What there is to be shown now.
    var objects: (() -> [ExportedObject])?

    private let bus: Bus

    init(bus address: String, on loop: EventLoop) {
        bus = Bus(address, on: loop)
        bus.addMatch(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
        bus.onChange = { [unowned self] change, now in
            switch change {
            case .connected: claimName()
            case .disconnected: onServing?(false, now)
            }
        }
        bus.onCall = { [unowned self] call, now in handle(call, at: now) }
        bus.onSignal = { [unowned self] signal, now in
            var reader = signal.reader
            guard signal.member == "NameOwnerChanged", let name = reader.string(),
                name.hasPrefix(":"), reader.string() != nil, reader.string() == ""
            else { return }
            onClientGone?(name, now)
        }
    }

    func open() { bus.open() }

    /// Leaves as a process that dies does: the name goes, no object is taken back.
    func close() { bus.close() }

    // MARK: Out

    func reply(to call: BusMessage, _ arguments: (inout MessageWriter) -> Void = { _ in }) {
        guard call.wantsReply else { return }
        let reply = BusMessage(replyTo: call)
        reply.append(arguments)
        bus.send(reply)
    }

    /// - Parameter error: what follows `org.bluez.Error.`.
    func refuse(_ call: BusMessage, _ error: String, _ text: String) {
        refuse(call, name: "org.bluez.Error." + error, text)
    }

    func refuse(_ call: BusMessage, name: String, _ text: String) {
        if call.wantsReply { bus.send(BusMessage(errorTo: call, name: name, text: text)) }
    }

    /// What libdbus's object tree answers for BlueZ.
    func refuseUnknownObject(_ call: BusMessage) {
        refuse(
            call, name: "org.freedesktop.DBus.Error.UnknownObject",
            "Method \"\(call.member ?? "")\" with signature \"\(call.signature)\" on interface "
                + "\"\(call.interface ?? "")\" doesn't exist")
    }

    func tellChanged(
        _ path: String, _ interface: String, _ properties: Properties, invalidated: [String] = []
    ) {
        let signal = BusMessage(signal: "PropertiesChanged", of: Self.properties, at: path)
        signal.append { writer in
            writer.append(interface)
            writer.append(properties)
            writer.append(invalidated)
        }
        bus.send(signal)
    }

    func tellAdded(_ object: ExportedObject) {
        let signal = BusMessage(signal: "InterfacesAdded", of: Self.objectManager, at: "/")
        signal.append { writer in
            writer.append(objectPath: object.path)
            writer.append(interfaces: object.interfaces)
        }
        bus.send(signal)
    }

    func tellRemoved(_ path: String, _ interfaces: [String]) {
        let signal = BusMessage(signal: "InterfacesRemoved", of: Self.objectManager, at: "/")
        signal.append { writer in
            writer.append(objectPath: path)
            writer.append(interfaces)
        }
        bus.send(signal)
    }

    /// Calls somebody's object with a device's path, and tells whether the answer is no error.
    func call(
        _ member: String, of interface: String, _ target: (owner: String, path: String),
        device: String, answer: @escaping (Bool, Instant) -> Void
    ) {
        let message = BusMessage(call: member, of: interface, at: target.path, to: target.owner)
        message.append { $0.append(objectPath: device) }
        bus.call(message, timeout: .seconds(10)) { result, now in
            if case .success = result { answer(true, now) } else { answer(false, now) }
        }
    }

    // MARK: In

    private func claimName() {
        bus.requestName(BlueZName.service) { [unowned self] isOwner, now in
            onServing?(isOwner, now)
        }
    }

    private func handle(_ call: BusMessage, at now: Instant) {
        switch (call.interface, call.member) {
        case (Self.objectManager, "GetManagedObjects"): replyObjects(to: call)
        case (Self.properties, "GetAll"): replyProperties(to: call)
        case (Self.properties, "Get"): replyProperty(to: call)
        default: onCall?(call, now)
        }
    }

    private func replyObjects(to call: BusMessage) {
        let objects = objects?() ?? []
        reply(to: call) { writer in
            writer.array("{oa{sa{sv}}}") { array in
                for object in objects {
                    array.entry { entry in
                        entry.append(objectPath: object.path)
                        entry.append(interfaces: object.interfaces)
                    }
                }
            }
        }
    }

    private func replyProperties(to call: BusMessage) {
        var reader = call.reader
        guard let found = interface(reader.string(), at: call.path) else {
            return refuseUnknownObject(call)
        }
        reply(to: call) { $0.append(found.properties) }
    }

    private func replyProperty(to call: BusMessage) {
        var reader = call.reader
        guard let found = interface(reader.string(), at: call.path) else {
            return refuseUnknownObject(call)
        }
        let name = reader.string()
        guard let property = found.properties.first(where: { $0.name == name }) else {
            return refuse(
                call, name: "org.freedesktop.DBus.Error.InvalidArgs",
                "No such property '\(name ?? "")'")
        }
        reply(to: call) { property.value.write(to: &$0) }
    }

    private func interface(_ name: String?, at path: String?) -> Interface? {
        let object = objects?().first { $0.path == path }
        return object?.interfaces.first { $0.name == name }
    }
}
