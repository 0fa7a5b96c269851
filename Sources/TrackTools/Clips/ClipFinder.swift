/// Finds recordings in events: `record` with `state=sent|acknowledged|started|stopped`.
///
/// A status may come a second after the shutter; where a command of ours caused it, its own instants
/// are nearer.
///
/// | a camera's state | event | becomes |
/// | --- | --- | --- |
/// | idle, recording | sent, acknowledged | same; remembered for 5 s |
/// | idle | started | recording |
/// | recording | stopped | idle: a clip |
/// | recording | started, counted back to the same start | recording |
/// | recording | started | recording: a clip whose end was not seen |
struct ClipFinder {
    /// A command explains what the camera's status says within this, milliseconds.
    static let commandEffect: Int64 = 5000
    /// Two counts back to a recording's start agree within this, milliseconds.
    static let sameRecording: UInt64 = 10_000

    private struct Camera {
        /// A command on its way: to start or to stop, its instant and whether it was acknowledged.
        var command: (action: String, milliseconds: Int64, acknowledged: Bool)?
        var started: (milliseconds: Int64, basis: Clip.Basis)?
    }

    private var cameras: [String: Camera] = [:]
    private var clock = EventClock()
    /// Of the last event whose time is known.
    private var lastHeard = Int64.min
    private(set) var clips: [Clip] = []

    mutating func add(_ event: EventRecord) {
        guard let time = clock.milliseconds(of: event) else { return }
        lastHeard = max(lastHeard, time)
        guard event.event == "record", !event.camera.isEmpty, let state = event["state"] else {
            return
        }
        var camera = cameras[event.camera] ?? Camera()
        switch state {
        case "sent": camera.command = (event["action"] ?? "", time, false)
        case "acknowledged":
            // A late answer does not say what it answers.
            let action = event["action"] ?? camera.command?.action ?? ""
            camera.command = (action, time, true)
        case "started":
            let start = start(of: camera, seen: time, event)
            if let started = camera.started {
                // The link, or this program, was gone meanwhile; the camera went on.
                if start.basis == .counted,
                    (start.milliseconds - started.milliseconds).magnitude <= Self.sameRecording
                {
                    break
                }
                clips.append(
                    Clip(
                        camera: event.camera, start: started.milliseconds,
                        startBasis: started.basis, stop: max(started.milliseconds, time),
                        stopBasis: .unseen))
            }
            camera.started = start
            camera.command = nil
        case "stopped":
            if let started = camera.started {
                let stop = stop(of: camera, seen: time, event)
                clips.append(
                    Clip(
                        camera: event.camera, start: started.milliseconds,
                        startBasis: started.basis, stop: max(started.milliseconds, stop.0),
                        stopBasis: stop.1))
            }
            camera.started = nil
            camera.command = nil
        default: break
        }
        cameras[event.camera] = camera
    }

    /// The clips in the order of their starts; one that never ended goes to `end` or the last event.
    mutating func finish(end: Int64?) -> [Clip] {
        for (name, camera) in cameras {
            guard let started = camera.started else { continue }
            let stop = max(started.milliseconds, end ?? .min, lastHeard)
            clips.append(
                Clip(
                    camera: name, start: started.milliseconds, startBasis: started.basis,
                    stop: stop, stopBasis: .unseen))
        }
        cameras = [:]
        return clips.sorted { ($0.start, $0.camera) < ($1.start, $1.camera) }
    }

    private func start(
        of camera: Camera, seen: Int64, _ event: EventRecord
    ) -> (milliseconds: Int64, basis: Clip.Basis) {
        let recorded = event["record_s"].flatMap { Int64($0) } ?? 0
        // It was running when the link came up.
        if event["seen"] == "connect", recorded > 0 { return (seen - recorded * 1000, .counted) }
        guard let command = camera.command, command.action == "start",
            seen - command.milliseconds <= Self.commandEffect
        else { return recorded > 1 ? (seen - recorded * 1000, .counted) : (seen, .status) }
        return (command.milliseconds, command.acknowledged ? .acknowledged : .sent)
    }

    private func stop(
        of camera: Camera, seen: Int64, _ event: EventRecord
    ) -> (Int64, Clip.Basis) {
        if event["cause"] == "unseen" { return (seen, .unseen) }
        guard let command = camera.command, command.action == "stop",
            seen - command.milliseconds <= Self.commandEffect
        else { return (seen, .status) }
        return (command.milliseconds, command.acknowledged ? .acknowledged : .sent)
    }
}

/// The UTC of events that came before time was trusted, by the monotonic clock of those after.
struct EventClock {
    /// Milliseconds since 1970 less those of the monotonic clock.
    private var offset: Int64?

    mutating func milliseconds(of event: EventRecord) -> Int64? {
        let monotonic = event.monotonicMicroseconds / 1000
        if let milliseconds = event.milliseconds {
            offset = milliseconds - monotonic
            return milliseconds
        }
        return offset.map { monotonic + $0 }
    }
}
