import Clock

/// Keeps a log from flooding: of lines under one key only so many get through in a minute, the
/// others are counted, and the count is told once the minute is over.
struct LogFold {
    static let window = TimeSpan.seconds(60)
    /// Keys that are remembered at once.
    static let maxKeys = 512
    /// Lines of all keys in one second.
    static let maxLines = 200

    private struct Entry {
        var began: Instant
        var written = 1
        var folded = 0
        /// The last line that did not get through.
        var line: Line?
    }

    private var entries: [String: Entry] = [:]
    private var second = Instant.zero
    private var linesInSecond = 0

    /// A line as it would be written.
    struct Line: Equatable {
        var severity: Int
        var text: String
    }

    /// Whether a line gets through now.
    ///
    /// - Parameter burst: lines of this key in a window, at least 1.
    mutating func admits(_ line: Line, key: String, burst: Int, at now: Instant) -> Bool {
        if entries[key].map({ now - $0.began >= Self.window && $0.folded == 0 }) ?? false {
            entries[key] = nil
        }
        guard var entry = entries[key] else {
            makeRoom(at: now)
            let admitted = admitLine(at: now)
            entries[key] = Entry(began: now, written: admitted ? 1 : 0, folded: admitted ? 0 : 1)
            if !admitted { entries[key]?.line = line }
            return admitted
        }
        if entry.written < burst, entry.folded == 0, admitLine(at: now) {
            entry.written += 1
            entries[key] = entry
            return true
        }
        entry.folded += 1
        entry.line = line
        entries[key] = entry
        return false
    }

    /// When the next count is due.
    var nextDeadline: Instant? {
        entries.values.lazy.filter { $0.folded > 0 }.map { $0.began + Self.window }.min()
    }

    /// The counts that are due: the last line of each key, and how many did not get through.
    mutating func removeDue(at now: Instant) -> [(line: Line, folded: Int)] {
        var due: [(Instant, Line, Int)] = []
        for (key, entry) in entries where entry.folded > 0 && now - entry.began >= Self.window {
            if let line = entry.line { due.append((entry.began, line, entry.folded)) }
            // The line that tells the count is the new window's first.
            entries[key] = Entry(began: now)
        }
        return due.sorted { ($0.0, $0.1.text) < ($1.0, $1.1.text) }.map { ($0.1, $0.2) }
    }

    private mutating func admitLine(at now: Instant) -> Bool {
        if now - second >= .seconds(1) {
            second = now
            linesInSecond = 0
        }
        linesInSecond += 1
        return linesInSecond <= Self.maxLines
    }

    /// Where that many things go on at once, lines are better doubled than missed.
    private mutating func makeRoom(at now: Instant) {
        guard entries.count >= Self.maxKeys else { return }
        entries = entries.filter { now - $0.value.began < Self.window || $0.value.folded > 0 }
        if entries.count >= Self.maxKeys { entries.removeAll(keepingCapacity: true) }
    }
}
