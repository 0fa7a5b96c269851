package import OsmoProtocol
import RadioPort

/// What is asked of adapters. Requests to one that is gone are dropped: `adapterGone` was told.
extension BlueZRadio {
    /// Turns it on, which rfkill may prevent: then its `adapter` event says so.
    package func powerOn(_ address: BluetoothAddress) { setPower(true, of: address) }

    /// Turns it off.
    package func powerOff(_ address: BluetoothAddress) { setPower(false, of: address) }

    /// Looks for LE devices. Looking already, or being off, is no error.
    package func startDiscovery(_ address: BluetoothAddress) {
        guard let adapter = tree.adapter(address) else { return }
        controls[address, default: AdapterControl()].isScanning = true
        if controls[address]?.owesStop == true {
            // The StartDiscovery that is still out will do.
            controls[address]?.owesStop = false
            controls[address]?.stops -= 1
            return
        }
        controls[address]?.starts += 1
        call(
            BlueZName.adapter, "SetDiscoveryFilter", at: adapter.path,
            arguments: { writer in
                writer.array("{sv}") { filter in
                    filter.entry { entry in
                        entry.append("Transport")
                        entry.variant("s") { $0.append("le") }
                    }
                    // Without it a camera that advertises unchanged is told of once a scan.
                    filter.entry { entry in
                        entry.append("DuplicateData")
                        entry.variant("b") { $0.append(true) }
                    }
                }
            }, reply: { _, _ in })
        call(BlueZName.adapter, "StartDiscovery", at: adapter.path) { [unowned self] result, _ in
            controls[address]?.starts -= 1
            if controls[address]?.owesStop == true, controls[address]?.starts == 0 {
                controls[address]?.owesStop = false
                sendStop(address, at: adapter.path)
            }
            guard case .failure(let error) = result else { return }
            // "In progress" may be our own scan, or something else that is in the way of one.
            if ConnectOutcome(error) != .inProgress { controls[address]?.isScanning = false }
            // So that whoever asked sees whether it scans.
            adapterChanged(adapter.path)
        }
    }

    /// Ends our own looking; others' may go on. Not looking is no error.
    ///
    /// bluetoothd refuses it while StartDiscovery is unanswered, and goes on looking (Tests/Lab,
    /// `bluetoothd-killed`): it is sent once that is.
    package func stopDiscovery(_ address: BluetoothAddress) {
        guard let adapter = tree.adapter(address) else { return }
        controls[address, default: AdapterControl()].isScanning = false
        guard controls[address]?.owesStop != true else { return }
        controls[address]?.stops += 1
        if controls[address]?.starts == 0 {
            sendStop(address, at: adapter.path)
        } else {
            controls[address]?.owesStop = true
        }
    }

    private func sendStop(_ address: BluetoothAddress, at path: String) {
        call(BlueZName.adapter, "StopDiscovery", at: path) { [unowned self] _, _ in
            controls[address]?.stops -= 1
            guard controls[address]?.stops == 0 else { return }
            for link in links.values.sorted(by: { $0.path < $1.path })
            where link.id.adapter == address {
                if case .queued = link.stage { sendConnect(link) }
            }
        }
    }

    func adapterChanged(_ path: String) {
        guard let adapter = tree.adapters[path] else { return }
        if adapter.powered { controls[adapter.address]?.isBlocked = false }
        let isBlocked = adapter.blocked || controls[adapter.address]?.isBlocked == true
        post(
            .adapter(
                AdapterState(
                    address: adapter.address, name: adapter.name, powered: adapter.powered,
                    discovering: adapter.discovering, blocked: isBlocked)))
    }

    private func setPower(_ isOn: Bool, of address: BluetoothAddress) {
        guard let adapter = tree.adapter(address) else { return }
        set("Powered", of: BlueZName.adapter, at: adapter.path, to: isOn) {
            [unowned self] result, _ in
            guard isOn, case .failure(.failed(let name, let text)) = result else { return }
            if name == "org.bluez.Error.Blocked" || text.lowercased().contains("rfkill") {
                controls[address, default: AdapterControl()].isBlocked = true
            }
            adapterChanged(adapter.path)
        }
    }
}
