import Clock
import LineProtocol
import Navigation
internal import OsmoProtocol

/// Notices about cameras, adapters and clocks: for people, the log and the events file.
extension Rig {
    /// Goes through the cameras' states and makes a notice of each that changed.
    mutating func settleStates(at now: Instant) {
        statesTouched = false
        statesDeadline = .never
        for index in cameras.indices {
            let candidate = queue[cameras[index].address]
            let state = cameras[index].currentState(candidate, at: now)
            if state != cameras[index].state {
                cameras[index].state = state
                cameras[index].stateSince = now
                cameras[index].hinted = false
                noteState(index, candidate, at: now)
            }
            if state == .absent, !cameras[index].hinted {
                let due = cameras[index].stateSince + RigCamera.hintAfter
                if due <= now {
                    cameras[index].hinted = true
                    noteState(index, candidate, at: now)
                } else {
                    statesDeadline = min(statesDeadline, due)
                }
            }
            if let candidate { statesDeadline = min(statesDeadline, candidate.change(after: now)) }
        }
    }

    private mutating func noteState(_ index: Int, _ candidate: Candidate?, at now: Instant) {
        let camera = cameras[index]
        var fields = [Field("state", camera.state.rawValue)]
        if camera.state == camera.session.cameraState {
            fields += camera.session.stateFields(at: now)
        }
        if let complaint = camera.complaint(candidate, queue.adapters),
            !fields.contains(where: { $0.key == "reason" })
        {
            fields.append(Field("reason", complaint))
        }
        fields = withCause(fields, .camera, of: camera.address, at: now)
        note(.camera, camera.entry.name, fields, at: now)
    }

    /// A confirmation code as the camera shows it: four digits.
    static func digits(_ code: Int) -> String {
        let digits = String(code)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// Something happened to an adapter.
    mutating func note(_ adapter: BluetoothAddress, _ news: AdapterSet.News, at now: Instant) {
        let fields: [Field] =
            switch news {
            case .appeared: [Field("state", "present")]
            case .gone: [Field("state", "gone")]
            case .on: [Field("state", "on")]
            case .off: [Field("state", "off")]
            case .blocked: [Field("state", "blocked"), Field("hint", "rfkill unblock bluetooth")]
            case .full(let links): [Field("state", "full"), Field("links", String(links))]
            case .capped(let links, let span):
                [
                    Field("state", "capped"), Field("links", String(links)),
                    Field("seconds", String(span.nanoseconds / 1_000_000_000)),
                ]
            }
        note(.adapter, adapter.description, fields, at: now)
    }

    /// The machine's clock was read.
    mutating func see(_ reading: SystemClock, at now: Instant) {
        if let step = clock.read(reading, at: now) {
            note(
                .clock, "-", [Field("step_s", LineText.decimal(step.seconds, decimals: 3))], at: now
            )
        }
        let events = pushes.source.setSystemClock(
            reading.time, synchronised: reading.synchronised, precise: reading.isPrecise, at: now)
        carryOut(events, at: now)
    }
}
