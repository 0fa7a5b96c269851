package import RadioPort
import Reactor

/// What is asked of single cameras.
extension BlueZRadio {
    /// Connects, and goes on by itself to `linkOpen`. Ends with exactly one `connectEnded`.
    ///
    /// Device1.Connect is sent once a StopDiscovery that is out on the adapter is answered: with a
    /// scan going on it takes ten seconds instead of half of one. A device that BlueZ holds
    /// connected already goes straight to its setup, unless nothing can come of that link.
    package func connect(_ id: LinkID) {
        guard case .present = service, let adapter = tree.adapter(id.adapter) else { return }
        if let link = links[id] {
            guard case .late = link.stage else { return post(.connectEnded(id, .inProgress)) }
            links[id] = nil
        }
        guard adapter.powered else { return post(.connectEnded(id, .notReady)) }
        guard let device = tree.device(id.camera, adapter: adapter.path) else {
            return post(.connectEnded(id, .unknownDevice))
        }
        let link = Link(id, path: device.path, stage: .queued)
        links[id] = link
        if device.connected {
            adopt(link, device: device)
        } else {
            begin(link)
        }
    }

    /// Ends a link, its setup or a pending Connect, also one that is not ours.
    package func disconnect(_ id: LinkID) {
        guard let adapter = tree.adapter(id.adapter),
            let path = links[id]?.path ?? tree.device(id.camera, adapter: adapter.path)?.path
        else { return }
        let link = links[id]
        switch link?.stage {
        case .queued, .found, .replacing:
            links[id] = nil
            return post(.connectEnded(id, .aborted))
        case nil, .connecting, .late, .resolving, .subscribing, .acquiring, .open, .failed: break
        }
        call(BlueZName.device, "Disconnect", at: path, timeout: timing.disconnect) {
            [unowned self] result, now in
            guard let link, links[id] === link else { return }
            disconnected(link, result, at: now)
        }
    }

    /// Has BlueZ keep the device for good.
    package func trust(_ id: LinkID) {
        guard let adapter = tree.adapter(id.adapter),
            let device = tree.device(id.camera, adapter: adapter.path), !device.trusted
        else { return }
        set("Trusted", of: BlueZName.device, at: device.path, to: true) { _, _ in }
    }

    /// Has BlueZ forget the device and its services; a link to it ends.
    package func remove(_ id: LinkID) {
        guard let adapter = tree.adapter(id.adapter),
            let device = tree.device(id.camera, adapter: adapter.path)
        else { return }
        call(
            BlueZName.adapter, "RemoveDevice", at: adapter.path,
            arguments: { $0.append(objectPath: device.path) }, reply: { _, _ in })
    }

    /// Hands one frame to an open link, whole or not at all; nothing waits here.
    ///
    /// - Returns: whether it was taken. Not where the link is not open, its buffer is full, its
    ///   last WriteValue is unanswered or the frame is longer than an ATT write can be.
    package func write(_ frame: [UInt8], to id: LinkID) -> Bool {
        guard let link = links[id], case .open(let path) = link.stage else { return false }
        switch path {
        case .descriptor(let descriptor): return descriptor.write(frame)
        case .call(var writing):
            guard !writing.isInFlight, frame.count + 3 <= writing.mtu else { return false }
            writing.isInFlight = true
            link.stage = .open(.call(writing))
            sendValue(frame, over: link, by: writing)
            return true
        }
    }

    private func sendValue(_ frame: [UInt8], over link: Link, by writing: Link.WriteCall) {
        call(
            BlueZName.characteristic, "WriteValue", at: writing.path, timeout: timing.write,
            arguments: { writer in
                writer.append(frame)
                writer.array("{sv}") { options in
                    options.entry { entry in
                        entry.append("type")
                        entry.variant("s") { $0.append(writing.type) }
                    }
                }
            },
            reply: { [unowned self] result, _ in
                guard links[link.id] === link, case .open(.call(var writing)) = link.stage else {
                    return
                }
                writing.isInFlight = false
                switch result {
                case .success: writing.failures = 0
                case .failure(let error):
                    writing.failures += 1
                    post(.frameDropped(link.id, frame: frame))
                    guard writing.failures < Self.maxWriteFailures else {
                        return fail(link, .write(Self.words(of: error)))
                    }
                }
                link.stage = .open(.call(writing))
            })
    }

    /// Goes on with a link that stands already, once its services are known. If they do not get
    /// known it is of an earlier bluetoothd, or the kernel made it while there was none: nothing
    /// comes of it any more, though Connect answers ok (Tests/Lab, `bluetoothd-killed`).
    private func adopt(_ link: Link, device: DeviceObject) {
        guard !device.servicesResolved else { return connected(link) }
        link.stage = .found
        wait(link, timing.found) { [unowned self] in replace($0) }
    }

    /// Ends the link that stands and connects anew.
    private func replace(_ link: Link) {
        link.stage = .replacing
        call(BlueZName.device, "Disconnect", at: link.path, timeout: timing.disconnect) {
            [unowned self] _, _ in
            guard links[link.id] === link, case .replacing = link.stage else { return }
            begin(link)
        }
    }

    /// Connects as soon as no StopDiscovery is out.
    func begin(_ link: Link) {
        link.stage = .queued
        let adapter = tree.adapter(link.id.adapter)
        let stops = adapter.flatMap { controls[$0.path]?.stops } ?? 0
        if stops == 0 { sendConnect(link) }
    }

    func sendConnect(_ link: Link) {
        link.stage = .connecting
        call(BlueZName.device, "Connect", at: link.path, timeout: timing.connect) {
            [unowned self] result, _ in
            guard links[link.id] === link else { return }
            connectAnswered(link, result)
        }
    }
}
