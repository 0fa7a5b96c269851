import BlueZ
import Clock
import OsmoProtocol
import Reactor
import Simulation

/// Connect, services, Disconnect: as bluetoothd 5.66 does them.
extension FakeDevice {
    func handle(_ call: BusMessage, at now: Instant) {
        switch call.member {
        case "Connect": connect(call, at: now)
        case "Disconnect": disconnect(call, at: now)
        default: server.refuseUnknownObject(call)
        }
    }

    private func connect(_ call: BusMessage, at now: Instant) {
        guard adapter.isPowered else {
            return server.refuse(call, "Failed", "Input/output error")
        }
        guard let camera else {
            return server.refuse(call, "Failed", "le-connection-abort-by-local")
        }
        camera.tell("asked adapter=\(adapter.address)", at: now)
        if isConnected { return server.reply(to: call) }
        var isBusy = camera.faults.stale || camera.faults.use(\.inProgress)
        if case .none = state {} else { isBusy = true }
        if adapter.faults.oneConnect {
            isBusy = isBusy || adapter.devices.values.contains { $0.isConnecting }
        }
        guard !isBusy else {
            return server.refuse(call, "InProgress", "Operation already in progress")
        }
        if camera.faults.use(\.softwareAbort) {
            return server.refuse(call, "Failed", "Software caused connection abort")
        }
        guard adapter.links < adapter.faults.links else {
            return server.refuse(call, "Failed", "le-connection-concurrent-connection-limit")
        }
        state = .connecting(call)
        giveUp = after(timing.connectAbsent) { [unowned self] _ in
            endConnect("Failed", "le-connection-abort-by-local")
        }
        approach()
    }

    var isConnecting: Bool {
        if case .connecting = state { true } else { false }
    }

    /// The camera may have come into range: a Connect that waits goes on.
    func approach() {
        guard isConnecting, let camera, camera.isHeard, step == nil else { return }
        guard !camera.faults.deaf else {
            giveUp = after(timing.connectUnanswered) { [unowned self] now in
                endConnect("Failed", "le-connection-abort-by-local")
                if adapter.faults.fatalConnect { adapter.onDeath?(now) }
            }
            return
        }
        let time = adapter.scanners.isEmpty ? timing.connect : timing.connectWhileScanning
        step = after(time) { [unowned self] now in
            step = nil
            if camera.isHeard { established(camera, at: now) }
        }
    }

    private func established(_ camera: FakeCamera, at now: Instant) {
        guard case .connecting(let call) = state else { return }
        giveUp = nil
        state = .linked
        wasConnected = true
        camera.holder = self
        camera.receive(.linkUp, at: now)
        camera.receive(.mtu(camera.faults.mtu), at: now)
        camera.tell("connected adapter=\(adapter.address)", at: now)
        if camera.faults.use(\.abort) {
            // The link is there for a moment, and the answer comes after its end.
            tellConnected()
            step = after(timing.connectedLag) { [unowned self] now in
                loseLink(at: now)
                if let call {
                    server.refuse(call, "Failed", "le-connection-abort-by-local")
                }
            }
            return
        }
        if let call, !camera.faults.use(\.noReply) { server.reply(to: call) }
        let dies = camera.faults.use(\.establish)
        step = after(timing.connectedLag) { [unowned self] _ in
            tellConnected()
            step = after(dies ? .milliseconds(180) : timing.services) { [unowned self] now in
                if dies { loseLink(at: now) } else { resolve(at: now) }
            }
        }
    }

    private func tellConnected() {
        state = .connected
        server.tellChanged(path, BlueZName.device, [("Connected", .bool(true))])
    }

    private func resolve(at now: Instant) {
        guard let camera else { return }
        if camera.faults.use(\.unresolved) { return }
        if camera.faults.use(\.noObjects) {
            isGATTExported = false
        } else if camera.faults.use(\.lateObjects) {
            step = after(timing.services * 2) { [unowned self] _ in isGATTExported = true }
        } else if !isGATTExported {
            isGATTExported = true
            for object in gattObjects { server.tellAdded(object) }
        }
        state = .resolved
        server.tellChanged(path, BlueZName.device, [("ServicesResolved", .bool(true))])
        tellBattery(true)
    }

    private func disconnect(_ call: BusMessage, at now: Instant) {
        if camera?.faults.use(\.holdDisconnect) == true { return }
        let wasStale = camera?.faults.stale == true
        camera?.faults.stale = false
        switch state {
        case .none:
            guard wasStale else {
                return server.refuse(call, "NotConnected", "Not Connected")
            }
            server.reply(to: call)
        case .connecting:
            endConnect("Failed", "br-connection-canceled")
            server.reply(to: call)
        case .linked, .connected, .resolved:
            disconnects.append(call)
            step = after(timing.disconnect) { [unowned self] now in loseLink(at: now) }
        }
    }

    /// A Connect that is at work fails; nothing where there is none.
    func endConnect(_ error: String, _ text: String) {
        guard case .connecting(let call) = state else { return }
        state = .none
        step = nil
        giveUp = nil
        if let call { server.refuse(call, error, text) }
        forgetLater(at: loop.now)
    }

    /// The link is down, whoever ended it.
    func loseLink(at now: Instant) {
        guard isLinked else { return }
        let wasConnected = isConnected
        let wasResolved = isResolved
        state = .none
        step = nil
        acquired?.end()
        acquired = nil
        subscriber = nil
        camera?.linkDown(at: now)
        camera?.tell("disconnected", at: now)
        if wasResolved { tellBattery(false) }
        if wasConnected {
            server.tellChanged(
                path, BlueZName.device,
                [("Connected", .bool(false)), ("ServicesResolved", .bool(false))])
        }
        for call in disconnects { server.reply(to: call) }
        disconnects = []
        forgetLater(at: now)
        adapter.releaseBuffers(at: now)
        guard camera?.faults.autoConnect == true, adapter.isPowered else { return }
        step = after(timing.autoConnect) { [unowned self] now in
            step = nil
            guard case .none = state, isExported, let camera, camera.isHeard else { return }
            state = .connecting(nil)
            established(camera, at: now)
        }
    }

    func after(_ time: TimeSpan, _ body: @escaping Timer.Handler) -> Timer {
        let timer = Timer(on: loop, handler: body)
        timer.set(at: loop.now + time)
        return timer
    }
}
