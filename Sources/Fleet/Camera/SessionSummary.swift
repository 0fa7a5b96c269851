package import Clock
package import LineProtocol
import OsmoProtocol

/// What `status`, `modes` and the rig's own notices show of the session.
extension CameraSession {
    /// Fills in what the session knows. Leaves `state` and `stateSince` alone while `cameraState` is
    /// nil, and `error` while it knows none; `name`, `number`, `address`, `adapter`, `rssi` and
    /// `optional` are the rig's.
    package func describe(_ summary: inout CameraSummary, at now: Instant) {
        if let cameraState {
            summary.state = cameraState
            summary.stateSince = stateSince
        }
        summary.model = model ?? summary.model
        summary.status = live.status
        summary.statusInstant = live.instant
        summary.text = live.text
        summary.recording = isRecording
        summary.recordSeconds = live.recordSeconds(at: now)
        if case .ready = state { summary.statusFresh = live.isFresh(at: now) }
        summary.gps = gpsState
        summary.pushed = pushed
        summary.dropped = dropped
        summary.void = voids
        summary.product = version?.product
        summary.firmware = version?.sdk
        summary.reconnects = reconnects
        summary.error = error(at: now) ?? summary.error
        summary.confirmCode = confirmCode
        summary.wakeWindow = wakeWindow(at: now)
        summary.link = link
        summary.roundTrip = roundTrip
        summary.refusedModes = refusedModes.map(\.rawValue)
    }

    /// Why it is where it is, in a few words; nil when all is well.
    package func error(at now: Instant) -> String? {
        switch availability {
        case .unconfirmed: "nobody confirmed on the camera, three times"
        case .asleep where wakeWindow(at: now) == .zero:
            "asleep for over 30 minutes: wake it by hand"
        case .available, .refused, .asleep: lastError
        }
    }

    /// Whether the end of its link now would be no surprise: it sleeps, or was told to restart.
    package func expectsLinkLoss(at now: Instant) -> Bool {
        if case .asleep = availability { return true }
        guard let restarted else { return false }
        return now - restarted <= SessionTiming.restartEffect
    }

    /// What the rig's `camera NAME state=…` notice adds: the code while it waits for a tap, the wake
    /// window while asleep, the reason when it is refused.
    package func stateFields(at now: Instant) -> [Field] {
        switch cameraState {
        case .confirm: confirmCode.map { [Field("code", "\($0)")] } ?? []
        case .asleep:
            wakeWindow(at: now).map {
                [Field("wake_window_s", "\($0.nanoseconds / 1_000_000_000)")]
            } ?? []
        case .refused: error(at: now).map { [Field("reason", $0)] } ?? []
        case .ready: identityFields
        case .handshake, .listed, .absent, .connecting, .backoff, .unsupported, nil: []
        }
    }

    /// Who it is: by these footage and roster find each other.
    private var identityFields: [Field] {
        var fields = model.map { [Field("model", $0.description)] } ?? []
        if let version {
            fields += [Field("product", version.product), Field("firmware", version.sdk)]
        }
        return fields
    }
}
