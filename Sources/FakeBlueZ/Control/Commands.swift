import Clock
import OsmoProtocol
import Reactor
import Simulation

/// Control lines: what shall happen in the fake's air. NAME is a camera's name or address, or
/// `all`; ADDRESS an adapter's, or `hciN` where two have the same, or `all`.
///
/// | line | then |
/// | --- | --- |
/// | `press NAME record` | somebody presses its record button (`power` likewise) |
/// | `confirm NAME`, `refuse NAME` | somebody answers its question |
/// | `away NAME`, `back NAME` | out of range, and in range again |
/// | `drop NAME` | its link ends; it advertises again |
/// | `stall NAME on\|in\|off` | nothing gets through to it or from it; `in`: nothing to it |
/// | `blink NAME` | its object goes and is back with its next advertisement |
/// | `set NAME KEY=VALUE` | `SimulatedCamera.set` |
/// | `fault NAME KEY=VALUE` | `Faults`, or for an adapter `AdapterFaults` |
/// | `adapter ADDRESS off\|on\|block\|unblock\|remove\|add` | power, rfkill, unplugging |
/// | `agent NAME` | bluetoothd asks whether it may pair with the camera or stranger |
/// | `restart [SECONDS]`, `crash [SECONDS]` | bluetoothd dies, and is back after so long |
/// | `report` | one line of JSON a camera |
extension FakeBluetoothd {
    /// Does what a control line says.
    ///
    /// - Returns: what is wrong with it; nil when it was done.
    package func command(_ line: String) -> String? {
        let words = line.split(separator: " ").map { String($0) }
        guard let verb = words.first else { return nil }
        let now = loop.now
        switch (verb, words.count) {
        case ("press", 3):
            guard let hand = Hand(rawValue: words[2]) else { return "no such button" }
            return each(words[1]) { $0.receive(.hand(hand), at: now) }
        case ("confirm", 2): return each(words[1]) { $0.receive(.hand(.confirm), at: now) }
        case ("refuse", 2): return each(words[1]) { $0.receive(.hand(.refuse), at: now) }
        case ("away", 2): return each(words[1]) { leave($0, at: now) }
        case ("back", 2):
            return each(words[1]) { camera in
                camera.isAway = false
                advertisingChanged(of: camera)
            }
        case ("drop", 2): return each(words[1]) { $0.holder?.loseLink(at: now) }
        case ("stall", 3): return stall(words[1], words[2], at: now)
        case ("blink", 2): return each(words[1]) { blink($0, at: now) }
        case ("set", 3): return set(words[1], words[2], at: now)
        case ("fault", 3): return fault(words[1], words[2])
        case ("adapter", 3): return adapter(words[1], words[2], at: now)
        case ("agent", 2): return askAgent(words[1])
        case ("restart", 1...2), ("crash", 1...2):
            let standard = verb == "restart" ? settings.timing.restart : settings.timing.restart * 3
            guard let time = words.count == 2 ? Self.span(words[1]) : standard else {
                return "no such time"
            }
            restart(after: time, at: now)
            return nil
        case ("report", 1):
            for (index, camera) in cameras.enumerated() {
                tell(
                    camera.name, "report " + camera.simulation.report(index: index, at: now),
                    at: now)
            }
            return nil
        default: return "no such command"
        }
    }

    private func each(_ target: String, _ body: (FakeCamera) -> Void) -> String? {
        let address = BluetoothAddress(target)
        let chosen = cameras.filter {
            target == "all" || $0.name == target || $0.address == address
        }
        guard !chosen.isEmpty else { return "no such camera" }
        chosen.forEach(body)
        return nil
    }

    private func eachAdapter(_ target: String, _ body: (FakeAdapter) -> Void) -> String? {
        let address = BluetoothAddress(target)
        let chosen = adapters.filter {
            target == "all" || $0.address == address || $0.path.hasSuffix("/" + target)
        }
        guard !chosen.isEmpty else { return "no such adapter" }
        chosen.forEach(body)
        return nil
    }

    private func leave(_ camera: FakeCamera, at now: Instant) {
        camera.isAway = true
        camera.holder?.loseLink(at: now)
    }

    private func stall(_ target: String, _ value: String, at now: Instant) -> String? {
        guard ["on", "in", "off"].contains(value) else { return "on, in or off" }
        return each(target) { camera in
            camera.isStalled = value != "off"
            camera.isStalledOneWay = value == "in"
            guard !camera.isStalled else { return }
            camera.release(at: now)
            camera.holder?.adapter.releaseBuffers(at: now)
        }
    }

    private func blink(_ camera: FakeCamera, at now: Instant) {
        for adapter in adapters { adapter.devices[camera.address]?.remove(at: now) }
    }

    private func set(_ target: String, _ setting: String, at now: Instant) -> String? {
        guard let (key, value) = Self.pair(setting) else { return "KEY=VALUE is wanted" }
        var isKnown = true
        let error = each(target) { isKnown = $0.set(key, to: value, at: now) && isKnown }
        return error ?? (isKnown ? nil : "no such setting")
    }

    private func fault(_ target: String, _ setting: String) -> String? {
        guard let (key, value) = Self.pair(setting) else { return "KEY=VALUE is wanted" }
        var isKnown = false
        // `all` means whatever knows the key.
        let error = each(target) { isKnown = $0.faults.set(key, to: value) || isKnown }
        let other = eachAdapter(target) { isKnown = $0.faults.set(key, to: value) || isKnown }
        if error != nil, other != nil { return "no such camera or adapter" }
        return isKnown ? nil : "no such fault"
    }

    private func adapter(_ target: String, _ action: String, at now: Instant) -> String? {
        var isKnown = true
        let error = eachAdapter(target) { adapter in
            switch action {
            case "off": adapter.setPower(false, at: now)
            case "on": adapter.setPower(true, at: now)
            case "block": adapter.setBlocked(true, at: now)
            case "unblock": adapter.setBlocked(false, at: now)
            case "remove": adapter.unplug(at: now)
            case "add": plug(adapter)
            default: isKnown = false
            }
        }
        return error ?? (isKnown ? nil : "no such action")
    }

    private static func pair(_ word: String) -> (String, String)? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// Seconds, with decimals.
    private static func span(_ text: String) -> TimeSpan? {
        guard let seconds = Double(text), (0...3600).contains(seconds) else { return nil }
        return .seconds(seconds)
    }
}
