import LineProtocol
import TrackFormat

/// A recording as the events tell it. Times that they do not tell are nil; the track may know them.
struct EventRecording {
    var camera: String
    /// Milliseconds since 1970.
    var start: (milliseconds: Int64, basis: Clip.Basis)?
    /// Milliseconds since 1970.
    var stop: (milliseconds: Int64, basis: Clip.Basis)?
    /// Where nobody saw it end: by then it was over.
    var limit = Int64.max
    /// Where nobody saw it end: the last event of the daemon's run in which it began.
    var lastHeard = Int64.min
}

/// Finds recordings in events: `record` with `state=sent|acknowledged|started|stopped`.
///
/// A status may come a second after the recording began. Where a command of ours began it, the
/// times of the command are nearer to the truth.
///
/// | a camera's state | event | becomes |
/// | --- | --- | --- |
/// | idle, recording | sent, acknowledged | same; remembered for 5 s |
/// | idle | started | recording |
/// | idle | stopped | idle: a recording whose start lies `record_s` back, or is not known |
/// | recording | stopped | idle: a recording |
/// | recording | stopped, cause unseen | idle: a recording whose end was not seen |
/// | recording | started, counted back to the same start | recording |
/// | recording | started | recording: another one, and one before it whose end was not seen |
struct ClipFinder {
    /// A status within this time after a command counts as its effect, milliseconds.
    static let commandEffect: Int64 = 5000
    /// Two starts that are counted back and differ by no more than this belong to the same
    /// recording, milliseconds.
    static let sameRecording: UInt64 = 10_000
    /// Seconds; no card holds a longer recording, and a larger `record_s` is damage.
    static let maxRecordSeconds: Int64 = 31 * 86_400

    private struct Camera {
        /// The last command to start or stop, its time, and whether it was acknowledged.
        var command: (action: String, milliseconds: Int64, acknowledged: Bool)?
        var started: (milliseconds: Int64, basis: Clip.Basis)?
        /// The last event of the run in which the recording began, once that run is over.
        var runEnd: Int64?
    }

    private var cameras: [String: Camera] = [:]
    private var clock = EventClock()
    /// Time of the last event whose time is known.
    private var lastHeard = Int64.min
    private var recordings: [EventRecording] = []

    /// Adds the next row of the events files, oldest first.
    mutating func add(_ event: EventRecord) {
        guard let time = clock.milliseconds(of: event) else { return }
        if event.event == "track", event["state"] == "open", event["reason"] == "start" {
            for name in Array(cameras.keys) where cameras[name]?.runEnd == nil {
                cameras[name]?.runEnd = lastHeard
            }
        }
        lastHeard = max(lastHeard, time)
        guard event.event == "record", !event.camera.isEmpty, let state = event["state"] else {
            return
        }
        var camera = cameras[event.camera] ?? Camera()
        switch state {
        case "sent": camera.command = (event["action"] ?? "", time, false)
        case "acknowledged":
            // A late answer does not tell which command it answers.
            let action = event["action"] ?? camera.command?.action ?? ""
            camera.command = (action, time, true)
        case "started": begin(&camera, seen: time, event)
        case "stopped": end(&camera, seen: time, event)
        default: break
        }
        cameras[event.camera] = camera
    }

    /// All recordings. One whose end nobody saw has no `stop`.
    mutating func finish() -> [EventRecording] {
        for (name, camera) in cameras.sorted(by: { $0.key < $1.key }) {
            guard let started = camera.started else { continue }
            recordings.append(unseen(name, camera, start: started, limit: .max))
        }
        cameras = [:]
        return recordings
    }

    private mutating func begin(_ camera: inout Camera, seen: Int64, _ event: EventRecord) {
        let start = start(of: camera, seen: seen, event)
        if let started = camera.started {
            // The link or the daemon was gone meanwhile, and the camera recorded on.
            if start.basis == .counted,
                (start.milliseconds - started.milliseconds).magnitude <= Self.sameRecording
            {
                camera.runEnd = nil
                return
            }
            recordings.append(
                unseen(event.camera, camera, start: started, limit: start.milliseconds))
        }
        camera.started = start
        camera.command = nil
        camera.runEnd = nil
    }

    private mutating func end(_ camera: inout Camera, seen: Int64, _ event: EventRecord) {
        if event["cause"] == "unseen" {
            recordings.append(unseen(event.camera, camera, start: camera.started, limit: seen))
        } else {
            let stop = stop(of: camera, seen: seen)
            let counted = Self.recorded(event).map { seconds in
                (milliseconds: seen - seconds * 1000, basis: Clip.Basis.counted)
            }
            let start = camera.started ?? counted
            recordings.append(EventRecording(camera: event.camera, start: start, stop: stop))
        }
        camera.started = nil
        camera.command = nil
        camera.runEnd = nil
    }

    private func unseen(
        _ name: String, _ camera: Camera, start: (milliseconds: Int64, basis: Clip.Basis)?,
        limit: Int64
    ) -> EventRecording {
        EventRecording(
            camera: name, start: start, stop: nil, limit: limit,
            lastHeard: camera.runEnd ?? min(limit, lastHeard))
    }

    /// Seconds that the camera says it has recorded; nil where that is not known, 0 or damage.
    private static func recorded(_ event: EventRecord) -> Int64? {
        guard let seconds = event["record_s"].flatMap({ Int64($0) }),
            (1...maxRecordSeconds).contains(seconds)
        else { return nil }
        return seconds
    }

    private func start(
        of camera: Camera, seen: Int64, _ event: EventRecord
    ) -> (milliseconds: Int64, basis: Clip.Basis) {
        let recorded = Self.recorded(event) ?? 0
        // The camera was recording already when the link came up.
        if event["seen"] == "connect", recorded > 0 { return (seen - recorded * 1000, .counted) }
        guard let command = camera.command, command.action == "start",
            seen - command.milliseconds <= Self.commandEffect
        else { return recorded > 1 ? (seen - recorded * 1000, .counted) : (seen, .status) }
        return (command.milliseconds, command.acknowledged ? .acknowledged : .sent)
    }

    private func stop(of camera: Camera, seen: Int64) -> (milliseconds: Int64, basis: Clip.Basis) {
        guard let command = camera.command, command.action == "stop",
            seen - command.milliseconds <= Self.commandEffect
        else { return (seen, .status) }
        return (command.milliseconds, command.acknowledged ? .acknowledged : .sent)
    }
}

/// Finds the UTC of events from before time was trusted, by the monotonic clock of the events after
/// them.
struct EventClock {
    /// Milliseconds since 1970, less the monotonic clock.
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
