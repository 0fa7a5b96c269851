package import Clock
package import OsmoProtocol
package import RadioPort

/// One camera of the rig: its place on the roster, its session, and what was last reported of it.
package struct RigCamera: Sendable {
    /// Ready for less than this, a link that is lost counts as a failed attempt.
    package static let steady = TimeSpan.seconds(10)
    /// Absent for so long, the likely reason is named (field note D20).
    package static let hintAfter = TimeSpan.seconds(60)

    /// Name, number and address.
    package var entry: RosterEntry
    /// Being paired: connected by way of the pair window, not on the roster yet.
    package var pairing = false
    /// The conversation with it.
    package var session: CameraSession
    /// `disconnect` holds until `connect`, `reconnect` or a restart.
    package var held = false
    /// The link that its session talks over.
    package var link: LinkID?
    /// The adapter that holds or last held it.
    package var adapter: BluetoothAddress?
    /// As it advertises itself.
    package var advertised: CameraModel?
    /// What it is instead of a camera that speaks our protocol.
    package var unsupported: String?
    /// At discovery, dBm.
    package var rssi: Int?
    /// Since when it is ready; nil while it is not.
    package var readySince: Instant?
    /// Why its last link ended.
    package var error: String?
    /// What last went wrong with it, however well it is now.
    package var lastError: (words: String, instant: Instant)?
    /// Our own doing ended the link: no alarm, no failure.
    package var dismissed = false
    /// As last reported.
    package var state = CameraState.absent
    /// When its state last changed.
    package var stateSince: Instant
    /// Whether the reason for its absence was named.
    package var hinted = false
    /// The session's.
    package var deadline = Instant.never
    /// The epoch of the last push that it took, and how many of that epoch.
    package var epoch = 0
    /// Pushes of that epoch that its link took.
    package var epochPushes = 0
    /// Whether it takes part in the push at hand.
    var tookPush = false

    /// A camera that is not connected.
    package init(
        entry: RosterEntry, settings: RigSettings, generator: SeededGenerator, at now: Instant
    ) {
        self.entry = entry
        session = CameraSession(settings: settings, generator: generator)
        stateSince = now
    }

    /// Its Bluetooth address.
    package var address: BluetoothAddress { entry.address }

    /// Whether a link to it is wanted, by all that is known.
    package var wanted: Bool {
        guard !held, unsupported == nil else { return false }
        switch session.availability {
        case .available, .asleep: return true
        case .refused, .unconfirmed: return false
        }
    }

    /// Where it stands (contract 4.8).
    package func currentState(_ candidate: Candidate?, at now: Instant) -> CameraState {
        if unsupported != nil { return .unsupported }
        if let state = session.cameraState { return state }
        switch session.availability {
        case .refused, .unconfirmed: return .refused
        case .available, .asleep: break
        }
        guard let candidate else { return .absent }
        switch candidate.phase {
        case .connecting, .cancelling, .opening: return .connecting
        case .open: return .handshake
        case .closing: return .backoff
        case .idle: break
        }
        if held || candidate.backoff.exhausted || candidate.notBefore > now { return .backoff }
        return candidate.eligible(at: now) ? .connecting : .absent
    }

    /// Why it is there, in a few words; nil when all is well.
    package func complaint(_ candidate: Candidate?, _ adapters: AdapterSet) -> String? {
        if let unsupported { return "\(unsupported) does not speak this protocol" }
        switch session.availability {
        case .refused: return "refused on the camera; reconnect asks again"
        case .unconfirmed: return "nobody confirmed on the camera; reconnect asks again"
        case .available, .asleep: break
        }
        if held { return "disconnected by command; connect ends that" }
        switch state {
        case .ready, .asleep, .confirm, .handshake, .listed: return nil
        case .absent, .connecting, .backoff, .refused, .unsupported: break
        }
        if let pinned = entry.adapter, !adapters.usable(pinned) {
            return "waits for adapter \(pinned)"
        }
        guard adapters.members.contains(where: { adapters.usable($0) }) else {
            return "no usable adapter"
        }
        if state == .absent, hinted {
            return "not heard: off, out of range, or held by another controller?"
        }
        guard let candidate else { return error }
        if candidate.backoff.exhausted {
            let count = candidate.backoff.failures
            return "given up after \(count) failures; reconnect tries again"
        }
        return candidate.error ?? error
    }
}
