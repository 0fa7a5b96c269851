/// What is wrong with one camera's way through BlueZ. Counts are of Connects from now on.
///
/// | key | value | what happens | field note |
/// | --- | --- | --- | --- |
/// | `in_progress` | count | Connect is refused with InProgress | D1 |
/// | `stale` | yes, no | the same until Disconnect | D2 |
/// | `abort` | count | the link comes up and falls, le-connection-abort-by-local | D3 |
/// | `late_objects` | count | resolved before the objects, which are not signalled | D4 |
/// | `no_objects` | count | resolved, and the objects never come | D4, D9 |
/// | `unresolved` | count | ServicesResolved never comes | D5 |
/// | `software_abort` | count | Software caused connection abort | D6 |
/// | `vanish` | yes, no | the object goes as soon as nobody scans | D7 |
/// | `establish` | count | Connect goes well, the link dies 180 ms later (0x3E) | D8 |
/// | `stale_cache` | yes, no | StartNotify fails until RemoveDevice | D9 |
/// | `no_reply` | count | Connect is never answered, the link comes up | D14 |
/// | `deaf` | yes, no | heard, but never answers a connection request: the kernel gives up | D3 |
/// | `auto_connect` | yes, no | bluetoothd makes each link that ended anew, by itself | |
/// | `no_acquire` | yes, no | AcquireWrite is NotSupported | |
/// | `mtu` | bytes | of each link | |
/// | `hold_disconnect` | count | Disconnect is never answered | |
package struct Faults: Equatable, Sendable {
    /// Key `in_progress` of the table above.
    package var inProgress = 0
    /// Key `stale` of the table above.
    package var stale = false
    /// Key `abort` of the table above.
    package var abort = 0
    /// Key `late_objects` of the table above.
    package var lateObjects = 0
    /// Key `no_objects` of the table above.
    package var noObjects = 0
    /// Key `unresolved` of the table above.
    package var unresolved = 0
    /// Key `software_abort` of the table above.
    package var softwareAbort = 0
    /// Key `vanish` of the table above.
    package var vanish = false
    /// Key `establish` of the table above.
    package var establish = 0
    /// Key `stale_cache` of the table above.
    package var staleCache = false
    /// Key `no_reply` of the table above.
    package var noReply = 0
    /// Key `deaf` of the table above.
    package var deaf = false
    /// Key `auto_connect` of the table above.
    package var autoConnect = false
    /// Key `no_acquire` of the table above.
    package var noAcquire = false
    /// Key `mtu` of the table above.
    package var mtu = 500
    /// Key `hold_disconnect` of the table above.
    package var holdDisconnect = 0

    /// No faults.
    package init() {}

    /// Sets one by its key.
    ///
    /// - Returns: false for a key or a value that is not known.
    package mutating func set(_ key: String, to value: String) -> Bool {
        if let path = Self.counts[key] {
            guard let count = Int(value), (0...100_000).contains(count) else { return false }
            self[keyPath: path] = count
            return true
        }
        guard let path = Self.flags[key], value == "yes" || value == "no" else { return false }
        self[keyPath: path] = value == "yes"
        return true
    }

    /// Takes one of a count; whether there was one.
    mutating func use(_ count: WritableKeyPath<Faults, Int>) -> Bool {
        guard self[keyPath: count] > 0 else { return false }
        self[keyPath: count] -= 1
        return true
    }

    private static let counts: [String: any WritableKeyPath<Faults, Int> & Sendable] = [
        "in_progress": \.inProgress, "abort": \.abort, "late_objects": \.lateObjects,
        "no_objects": \.noObjects, "unresolved": \.unresolved,
        "software_abort": \.softwareAbort, "establish": \.establish, "no_reply": \.noReply,
        "mtu": \.mtu, "hold_disconnect": \.holdDisconnect,
    ]

    private static let flags: [String: any WritableKeyPath<Faults, Bool> & Sendable] = [
        "stale": \.stale, "vanish": \.vanish, "stale_cache": \.staleCache, "deaf": \.deaf,
        "auto_connect": \.autoConnect, "no_acquire": \.noAcquire,
    ]
}

/// What is wrong with one adapter.
///
/// | key | value | what happens | field note |
/// | --- | --- | --- | --- |
/// | `links` | count | further Connects fail: connection limit | |
/// | `one_connect` | yes, no | a second Connect at once is InProgress | D1 |
/// | `scan_stall` | yes, no | nothing is heard until the scan is begun again | D16 |
/// | `hold_scan` | count | StartDiscovery is never answered, and nothing scans | |
/// | `refuse_scan` | count | StartDiscovery is InProgress, and nothing scans | D8, D16 |
/// | `fatal_connect` | yes, no | bluetoothd dies where the kernel gives a Connect up | D3 |
/// | `shared_buffers` | yes, no | sixteen packets to a stalled camera stop all others | |
package struct AdapterFaults: Equatable, Sendable {
    /// Key `links` of the table above.
    package var links = 1000
    /// Key `one_connect` of the table above.
    package var oneConnect = false
    /// Key `scan_stall` of the table above.
    package var scanStall = false
    /// Key `refuse_scan` of the table above.
    package var refuseScan = 0
    /// Key `hold_scan` of the table above.
    package var holdScan = 0
    /// Key `fatal_connect` of the table above.
    package var fatalConnect = false
    /// Key `shared_buffers` of the table above.
    package var sharedBuffers = false

    /// No faults.
    package init() {}

    /// Sets one by its key.
    ///
    /// - Returns: false for a key or a value that is not known.
    package mutating func set(_ key: String, to value: String) -> Bool {
        let counts: [String: WritableKeyPath<AdapterFaults, Int>] = [
            "links": \.links, "refuse_scan": \.refuseScan, "hold_scan": \.holdScan,
        ]
        if let path = counts[key] {
            guard let count = Int(value), count >= 0 else { return false }
            self[keyPath: path] = count
            return true
        }
        guard value == "yes" || value == "no" else { return false }
        let isOn = value == "yes"
        switch key {
        case "one_connect": oneConnect = isOn
        case "scan_stall": scanStall = isOn
        case "fatal_connect": fatalConnect = isOn
        case "shared_buffers": sharedBuffers = isOn
        default: return false
        }
        return true
    }
}
