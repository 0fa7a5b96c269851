import Clock
import OsmoProtocol
import RadioPort
import Reactor

/// A link's way from Connect's answer to open, and its end.
extension BlueZRadio {
    func connectAnswered(_ link: Link, _ result: Result<BusMessage, BusError>) {
        guard case .connecting = link.stage else { return }
        guard case .failure(let error) = result else { return connected(link) }
        let outcome = ConnectOutcome(error)
        if outcome == .ok { return connected(link) }
        if outcome == .noReply {
            link.stage = .late
        } else {
            links[link.id] = nil
        }
        let isOff = tree.adapter(link.id.adapter)?.powered == false
        post(.connectEnded(link.id, isOff && outcome != .noReply ? .notReady : outcome))
    }

    /// Connect is over and went well.
    func connected(_ link: Link) {
        link.isUp = true
        link.stage = .resolving
        post(.connectEnded(link.id, .ok))
        if let device = tree.devices[link.path] { connectionChanged(link, device: device) }
    }

    /// Connected or ServicesResolved may have changed.
    func connectionChanged(_ link: Link, device: DeviceObject) {
        switch link.stage {
        case .queued, .replacing: return
        case .found:
            if device.servicesResolved {
                link.grace = nil
                connected(link)
            } else if !device.connected {
                link.grace = nil
                begin(link)
            }
            return
        case .connecting:
            // The answer may come after the link has gone again, or never (field note D14): then
            // services that are resolved say that it went well.
            if device.connected { link.wasConnected = true }
            if device.connected, device.servicesResolved { connected(link) }
            return
        case .late:
            guard device.connected else { return }
            link.isUp = true
            link.stage = .resolving
        case .resolving, .subscribing, .acquiring, .open, .failed: break
        }
        if device.connected {
            link.wasConnected = true
            advance(link)
        } else if link.wasConnected {
            close(link)
        }
    }

    /// Goes on to the notifications once everything is there.
    func advance(_ link: Link) {
        guard case .resolving = link.stage, let device = tree.devices[link.path],
            device.connected, device.servicesResolved
        else { return }
        if let found = tree.characteristics(ofDevice: link.path) {
            link.grace = nil
            subscribe(link, notify: found.notify, write: found.write)
        } else if link.grace == nil {
            checkCharacteristics(for: link, times: Self.characteristicChecks)
        }
    }

    /// How often all objects are asked for before a link is given up.
    private static let characteristicChecks = 4

    /// Resolved, but the objects have yet to come, and BlueZ may not say so (field note D4).
    private func checkCharacteristics(for link: Link, times: Int) {
        guard times > 0 else { return fail(link, .noCharacteristics) }
        reload()
        wait(link, timing.characteristics * (1 / Double(Self.characteristicChecks))) {
            [unowned self] in
            checkCharacteristics(for: $0, times: times - 1)
        }
    }

    private func subscribe(
        _ link: Link, notify: CharacteristicObject, write: CharacteristicObject
    ) {
        link.stage = .subscribing
        link.notifyPath = notify.path
        // Before the call: the first notification may overtake its answer.
        notifiers[notify.path] = link
        call(BlueZName.characteristic, "StartNotify", at: notify.path) {
            [unowned self] result, _ in
            guard links[link.id] === link, case .subscribing = link.stage else { return }
            switch result {
            case .success: acquire(link, write: write)
            case .failure(let error) where ConnectOutcome(error) == .unknownDevice:
                // The objects that we know are not those that BlueZ has (field note D9).
                tree.forgetServices(ofDevice: link.path)
                fail(link, .noCharacteristics)
            case .failure(let error): fail(link, .notify(Self.words(of: error)))
            }
        }
    }

    private func acquire(_ link: Link, write: CharacteristicObject) {
        link.stage = .acquiring
        guard write.flags.contains("write-without-response") else {
            return openByCall(link, write: write)
        }
        call(
            BlueZName.characteristic, "AcquireWrite", at: write.path,
            arguments: { $0.array("{sv}") { _ in } },
            reply: { [unowned self] result, _ in
                guard links[link.id] === link, case .acquiring = link.stage else { return }
                guard case .success(let reply) = result else {
                    return openByCall(link, write: write)
                }
                var reader = reply.reader
                guard let descriptor = reader.descriptor(), let mtu = reader.uint16() else {
                    return fail(link, .write("AcquireWrite gave no descriptor"))
                }
                open(link, descriptor, mtu: Int(mtu))
            })
    }

    private func open(_ link: Link, _ descriptor: consuming Descriptor, mtu: Int) {
        guard mtu >= GATTProfile.minimumMTU else { return fail(link, .mtu(mtu)) }
        do throws(SystemError) {
            let acquired = try AcquiredDescriptor(descriptor, mtu: mtu, on: loop) {
                [unowned self, unowned link] _ in hungUp(link)
            }
            link.stage = .open(.descriptor(acquired))
            post(.linkOpen(link.id, LinkParameters(mtu: mtu, path: .descriptor)))
        } catch {
            fail(link, .write(error.description))
        }
    }

    private func openByCall(_ link: Link, write: CharacteristicObject) {
        let types = [("write-without-response", "command"), ("write", "request")]
        guard let type = types.first(where: { write.flags.contains($0.0) })?.1 else {
            return fail(link, .write("the characteristic takes no writes"))
        }
        // BlueZ before 5.62 does not say; it asks cameras for this one.
        let mtu = tree.characteristics[write.path]?.mtu ?? 517
        guard mtu >= GATTProfile.minimumMTU else { return fail(link, .mtu(mtu)) }
        link.stage = .open(.call(Link.WriteCall(path: write.path, type: type, mtu: mtu)))
        post(.linkOpen(link.id, LinkParameters(mtu: mtu, path: .call)))
    }

    // MARK: The end

    /// The acquired descriptor is dead: mostly the first sign of a link that went.
    private func hungUp(_ link: Link) {
        guard links[link.id] === link else { return }
        wait(link, timing.hangup) { [unowned self] in
            fail($0, .write("bluetoothd closed the write descriptor"))
        }
    }

    func disconnected(_ link: Link, _ result: Result<BusMessage, BusError>, at now: Instant) {
        // A pending Connect is answered by itself.
        if case .connecting = link.stage { return }
        guard case .success = result, tree.devices[link.path]?.connected == true else {
            return close(link)
        }
        wait(link, timing.disconnected) { [unowned self] in close($0) }
    }

    func fail(_ link: Link, _ error: SetupFailure) {
        link.grace = nil
        link.stage = .failed
        post(.setupFailed(link.id, error))
    }

    /// Forgets a link, whatever its stage, and tells what is owed.
    func close(_ link: Link) {
        guard links[link.id] === link else { return }
        links[link.id] = nil
        if let path = link.notifyPath { notifiers[path] = nil }
        link.grace = nil
        switch link.stage {
        case .queued, .found, .replacing, .connecting:
            post(.connectEnded(link.id, .unknownDevice))
        case .late, .resolving, .subscribing, .acquiring, .open, .failed:
            if link.isUp { post(.linkClosed(link.id)) }
        }
    }

    /// The timer ends with the link. A new wait replaces the one before it.
    func wait(_ link: Link, _ time: TimeSpan, then body: @escaping (Link) -> Void) {
        link.grace = Timer(on: loop) { [unowned link] _ in
            link.grace = nil
            body(link)
        }
        link.grace?.set(at: loop.now + time)
    }

    /// BlueZ's own words for an error.
    static func words(of error: BusError) -> String {
        switch error {
        case .failed(let name, let text): text.isEmpty ? name : text
        case .timedOut: "no answer"
        case .disconnected: "the bus is gone"
        case .tooManyCalls: "too many calls are out"
        case .unexpectedReply: "the answer makes no sense"
        }
    }
}
