import Clock
import OsmoProtocol
import RadioPort
import Reactor

/// bluetoothd's coming and going, and what it says.
extension BlueZRadio {
    func busChanged(_ change: Bus.Change, at now: Instant) {
        switch change {
        case .connected: serve(at: now)
        case .disconnected:
            activation?.cancel()
            dropAll()
            setAvailable(false)
        }
    }

    /// Begins to serve this bus, where no other daemon does.
    func serve(at now: Instant) {
        guard let claim else { return load(at: now) }
        dropAll()
        let life = life
        bus.call(BusMessage(bus: "GetId"), timeout: timing.call) { [unowned self] result, now in
            guard life == self.life else { return }
            guard case .success(let reply) = result else {
                // A bus without a name of its own keeps nobody away.
                return load(at: now)
            }
            var reader = reply.reader
            switch claim.hold(reader.string() ?? "") {
            case .ours:
                isTaken = false
                hasServed = true
                load(at: now)
            case .taken(let process): reportTaken(by: process, at: now)
            }
        }
    }

    private func reportTaken(by process: Int32?, at now: Instant) {
        setAvailable(false)
        activation?.set(at: now + timing.claim)
        guard !isTaken else { return }
        isTaken = true
        onTaken?(process, !hasServed && now - started <= timing.claimAtStart)
    }

    /// Asks for all objects, which starts bluetoothd where the bus can.
    func load(at now: Instant) {
        dropAll()
        service = .loading
        let message = BusMessage(
            call: "GetManagedObjects", of: DBusName.objectManager, at: "/", to: BlueZName.service)
        let life = life
        bus.call(message, timeout: timing.load) { [unowned self] result, now in
            if life == self.life { loaded(result, at: now) }
        }
    }

    private func loaded(_ result: Result<BusMessage, BusError>, at now: Instant) {
        guard case .success(let reply) = result, let owner = reply.sender else {
            service = .absent
            setAvailable(false)
            activation?.set(at: now + timing.activation)
            return
        }
        var reader = reply.reader
        guard let changes = tree.readManagedObjects(&reader) else {
            service = .absent
            setAvailable(false)
            activation?.set(at: now + timing.activation)
            return
        }
        activation?.cancel()
        service = .present(owner: owner)
        setAvailable(true)
        // Adapters before the devices on them, whatever the order in the answer.
        for change in changes { if case .adapter = change { apply(change, at: now) } }
        for change in changes {
            if case .adapter = change { continue }
            apply(change, at: now)
        }
    }

    /// Asks for all objects again, for those whose signals BlueZ did not send (field note D4).
    func reload() {
        call(DBusName.objectManager, "GetManagedObjects", at: "/") { [unowned self] result, now in
            guard case .success(let reply) = result else { return }
            var reader = reply.reader
            for change in tree.readManagedObjects(&reader) ?? [] { apply(change, at: now) }
        }
    }

    func handle(_ signal: BusMessage, at now: Instant) {
        if signal.member == "NameOwnerChanged" {
            if signal.sender == DBusName.bus { handleOwnerChange(signal, at: now) }
            return
        }
        // Anybody on the bus can send us a signal.
        guard case .present(let owner) = service, signal.sender == owner else { return }
        var reader = signal.reader
        var changes: [ObjectTree.Change] = []
        switch (signal.interface, signal.member) {
        case (DBusName.properties, "PropertiesChanged"):
            changes = tree.readPropertiesChanged(&reader, path: signal.path ?? "")
        case (DBusName.objectManager, "InterfacesAdded"):
            changes = tree.readInterfacesAdded(&reader)
        case (DBusName.objectManager, "InterfacesRemoved"):
            changes = tree.readInterfacesRemoved(&reader)
        default: break
        }
        for change in changes { apply(change, at: now) }
    }

    private func handleOwnerChange(_ signal: BusMessage, at now: Instant) {
        var reader = signal.reader
        guard reader.string() == BlueZName.service, reader.string() != nil,
            let owner = reader.string()
        else { return }
        if owner.isEmpty {
            dropAll()
            setAvailable(false)
            activation?.set(at: now + timing.firstActivation)
            return
        }
        // It may have answered our question before the bus told of it.
        if case .present(let known) = service, known == owner { return }
        if case .present = service { setAvailable(false) }
        serve(at: now)
    }

    private func apply(_ change: ObjectTree.Change, at now: Instant) {
        switch change {
        case .adapter(let path):
            adapterChanged(path)
            registerAgent()
        case .adapterGone(let adapter):
            controls[adapter.path] = nil
            sighted = sighted.filter { $0.key.adapter != adapter.address }
            post(.adapterGone(adapter.address))
        case .adapterIgnored(let adapter, let served):
            post(.adapterIgnored(adapter.address, name: adapter.name, inUse: served.name))
        case .device(let path, let isHeard): deviceChanged(path, isHeard: isHeard, at: now)
        case .deviceGone(let device):
            for link in links.values where link.path == device.path { close(link) }
        case .characteristic(let path):
            for link in links.values where link.path == path { advance(link) }
        case .value(let path, let value):
            if let link = notifiers[path], link.isOpen { post(.notification(link.id, value)) }
        }
    }

    private func deviceChanged(_ path: String, isHeard: Bool, at now: Instant) {
        guard let device = tree.devices[path], let adapter = tree.adapters[device.adapter],
            tree.isServed(adapter)
        else { return }
        let id = LinkID(camera: device.address, adapter: adapter.address)
        if let link = links[id] { connectionChanged(link, device: device) }
        let isLeft = sighted[id]?.connected == true && !device.connected && links[id] == nil
        guard device.isCamera, isHeard || isLeft || device.connected && links[id] == nil else {
            return
        }
        // That it is connected is said but once, maybe just after it was reported.
        if let last = sighted[id], now - last.instant < timing.sighting,
            last.connected == device.connected
        {
            return
        }
        if sighted.count >= ObjectTree.maximumDevices { sighted = [:] }
        sighted[id] = (now, device.connected)
        post(
            .sighting(
                Sighting(
                    link: id, advertisement: device.advertisement, name: device.name,
                    rssi: device.rssi, connected: device.connected)))
    }
}
