package import OsmoProtocol
import RadioPort

/// What is asked of adapters. Requests to one that is gone are dropped: `adapterGone` says so.
extension BlueZRadio {
    /// Turns it on, which rfkill may prevent: then its `adapter` event says so.
    package func powerOn(_ address: BluetoothAddress) { setPower(true, of: address) }

    /// Turns it off.
    package func powerOff(_ address: BluetoothAddress) { setPower(false, of: address) }

    /// Scans for LE devices. Scanning already, or being off, is no error.
    package func startDiscovery(_ address: BluetoothAddress) {
        guard let adapter = tree.adapter(address) else { return }
        let control = control(of: adapter)
        control.isScanning = true
        if control.owesStop {
            // The StartDiscovery that is still out will do.
            control.owesStop = false
            control.stops -= 1
            return
        }
        control.starts += 1
        setFilter(of: adapter)
        call(BlueZName.adapter, "StartDiscovery", at: adapter.path) { [unowned self] result, _ in
            guard controls[adapter.path] === control else { return }
            control.starts -= 1
            if control.owesStop, control.starts == 0 {
                control.owesStop = false
                sendStop(adapter, control)
            }
            guard case .failure(let error) = result else { return }
            // "In progress" may be our own scan, or something else that is in the way of one.
            if ConnectOutcome(error) != .inProgress { control.isScanning = false }
            // So that whoever asked sees whether it scans.
            adapterChanged(adapter.path)
        }
    }

    private func setFilter(of adapter: AdapterObject) {
        call(
            BlueZName.adapter, "SetDiscoveryFilter", at: adapter.path,
            arguments: { writer in
                writer.array("{sv}") { filter in
                    filter.entry { entry in
                        entry.append("Transport")
                        entry.variant("s") { $0.append("le") }
                    }
                    // Without it a camera that advertises unchanged is reported once a scan.
                    filter.entry { entry in
                        entry.append("DuplicateData")
                        entry.variant("b") { $0.append(true) }
                    }
                }
            }, reply: { _, _ in })
    }

    /// Ends our own scan; others' may go on. Not scanning is no error.
    ///
    /// bluetoothd refuses it while StartDiscovery is unanswered, and goes on scanning (Tests/Lab,
    /// `bluetoothd-killed`): it is sent once that is.
    package func stopDiscovery(_ address: BluetoothAddress) {
        guard let adapter = tree.adapter(address) else { return }
        let control = control(of: adapter)
        control.isScanning = false
        guard !control.owesStop else { return }
        control.stops += 1
        if control.starts == 0 { sendStop(adapter, control) } else { control.owesStop = true }
    }

    private func sendStop(_ adapter: AdapterObject, _ control: AdapterControl) {
        call(BlueZName.adapter, "StopDiscovery", at: adapter.path) { [unowned self] _, _ in
            guard controls[adapter.path] === control else { return }
            control.stops -= 1
            guard control.stops == 0 else { return }
            for link in links.values.sorted(by: { $0.path < $1.path })
            where link.id.adapter == adapter.address {
                if case .queued = link.stage { sendConnect(link) }
            }
        }
    }

    private func control(of adapter: AdapterObject) -> AdapterControl {
        if let control = controls[adapter.path] { return control }
        let control = AdapterControl()
        controls[adapter.path] = control
        return control
    }

    func adapterChanged(_ path: String) {
        guard let adapter = tree.adapters[path] else { return }
        if adapter.powered { controls[path]?.isBlocked = false }
        let isBlocked = adapter.blocked || controls[path]?.isBlocked == true
        post(
            .adapter(
                AdapterState(
                    address: adapter.address, name: adapter.name, powered: adapter.powered,
                    discovering: adapter.discovering, blocked: isBlocked)))
    }

    private func setPower(_ isOn: Bool, of address: BluetoothAddress) {
        guard let adapter = tree.adapter(address) else { return }
        let control = control(of: adapter)
        set("Powered", of: BlueZName.adapter, at: adapter.path, to: isOn) {
            [unowned self] result, _ in
            guard controls[adapter.path] === control, isOn,
                case .failure(.failed(let name, let text)) = result
            else { return }
            if name == "org.bluez.Error.Blocked" || text.lowercased().contains("rfkill") {
                control.isBlocked = true
            }
            adapterChanged(adapter.path)
        }
    }
}
