/// A stretch of time in which something was so.
struct LaneSpan: Equatable {
    /// Milliseconds since 1970.
    var begin: Int64
    var end: Int64
    /// What was so: the name of its colour.
    var kind: String
}

/// Gathers stretches of time; those that a page could not show apart become one, so that their
/// number is bounded.
struct LaneSpans {
    /// Parts of the time line that are told apart: more than any screen has points.
    static let parts: Int64 = 1500

    private let span: ClosedRange<Int64>
    /// Milliseconds that separate two stretches.
    private let minGap: Int64
    private(set) var spans: [LaneSpan] = []

    /// - Parameter span: the whole time line, milliseconds since 1970.
    init(_ span: ClosedRange<Int64>) {
        self.span = span
        minGap = (span.upperBound - span.lowerBound) / Self.parts
    }

    /// - Parameter pause: what may lie between this stretch and the one before, milliseconds.
    mutating func add(_ begin: Int64, _ end: Int64, _ kind: String, pause: Int64 = 0) {
        let begin = max(begin, span.lowerBound)
        let end = min(end, span.upperBound)
        guard begin <= end else { return }
        if let last = spans.last, last.kind == kind, begin - last.end <= max(minGap, pause) {
            spans[spans.count - 1].end = max(last.end, end)
            return
        }
        if spans.count >= 4 * Int(Self.parts) { return }
        spans.append(LaneSpan(begin: begin, end: end, kind: kind))
    }
}

/// Finds in events when each camera was linked: from `ready` to whatever came next.
struct LinkFinder {
    private var clock = EventClock()
    private var since: [String: Int64] = [:]
    private var last = Int64.min
    /// Each with its camera, in the order of their ends.
    private(set) var links: [(camera: String, begin: Int64, end: Int64)] = []
    /// Links that are kept.
    static let maxLinks = 50_000

    /// The next row of the events files, oldest first.
    mutating func add(_ event: EventRecord) {
        guard let time = clock.milliseconds(of: event) else { return }
        if event.event == "track", event["state"] == "open", event["reason"] == "start" {
            // Another run of the daemon: what was linked ended with the one before.
            for camera in since.keys.sorted() { end(camera, at: last) }
        }
        last = max(last, time)
        guard event.event == "camera", !event.camera.isEmpty, let state = event["state"] else {
            return
        }
        if state != "ready" {
            end(event.camera, at: time)
        } else if since[event.camera] == nil {
            since[event.camera] = time
        }
    }

    /// - Parameter time: of the last that is known, milliseconds since 1970.
    mutating func finish(at time: Int64) {
        for camera in since.keys.sorted() { end(camera, at: max(time, last)) }
    }

    private mutating func end(_ camera: String, at time: Int64) {
        guard let begin = since.removeValue(forKey: camera), links.count < Self.maxLinks else {
            return
        }
        links.append((camera, begin, max(begin, time)))
    }
}
