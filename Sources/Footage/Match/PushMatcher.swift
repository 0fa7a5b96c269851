/// Why pushes do not place a clip.
package enum PushRefusal: Error, Equatable, Sendable {
    /// Fewer matches than `PushMatcher.minMatches`: how many.
    case few(Int)
    /// The clock would have to drift by so much, parts in a million.
    case drift(Double)
    /// Another time matches as well.
    case ambiguous
    /// No log has a UTC for these pushes.
    case noTime

    /// The reason, for people: half a sentence without its full stop.
    package var words: String {
        switch self {
        case .few(0): "none of its positions is in the push log"
        case .few(let count): "only \(count) of its positions are in the push log once"
        case .drift(let ppm):
            "its clock would be off by \(Int(ppm.rounded())) ppm: not these pushes"
        case .ambiguous: "its positions match the push log at two times"
        case .noTime: "the push log has no time there"
        }
    }
}

/// What pushes say of one clip.
package struct PushMatch: Equatable, Sendable {
    /// The camera's clock laid along UTC.
    package var fit: ClockFit
    var points: [MatchedPush]
    /// The rows of logs that were found.
    var hits: [PushIndex.Hit]

    /// The drifts that the frames allow where their phase to the pushes hardly moves, parts in a
    /// million; nil where least squares can be believed.
    package var driftIntervalPPM: ClosedRange<Double>?
    /// Date and time that the camera stored less UTC, minutes, to the quarter of an hour.
    package var storedMinutes: Int?
    /// Pushed time less UTC, minutes, to the quarter of an hour.
    package var statedMinutes: Int?

    /// The part of each log in which these pushes lie: by the log's number, from the first push to
    /// the last.
    package var stretches: [Int: ClosedRange<Int64>] { Self.stretches(of: hits) }

    static func stretches(of hits: [PushIndex.Hit]) -> [Int: ClosedRange<Int64>] {
        var stretches: [Int: ClosedRange<Int64>] = [:]
        for hit in hits {
            let known = stretches[hit.log] ?? hit.monotonic...hit.monotonic
            stretches[hit.log] =
                min(known.lowerBound, hit.monotonic)...max(known.upperBound, hit.monotonic)
        }
        return stretches
    }

    /// Whether a push of a log was found in the clip.
    package func has(log: Int, monotonic: Int64) -> Bool {
        seen.contains(Seen(log: log, monotonic: monotonic))
    }

    struct Seen: Hashable, Sendable {
        var log: Int
        var monotonic: Int64
    }

    var seen: Set<Seen> = []
}

/// Finds when clips were filmed, by the pushes that they hold.
package enum PushMatcher {
    /// Matches that a clip needs before its time is believed.
    package static let minMatches = 20
    /// Matches of the right time agree within this, microseconds, besides the drift over the clip.
    private static let agreement = 500_000.0

    /// A position of a clip and a push that it may be.
    private struct Candidate {
        var run: Int
        var hit: PushIndex.Hit
        var sent: Double
        var difference: Double
    }

    /// Finds when one clip was filmed.
    package static func match(
        _ clip: FilmedClip, in index: PushIndex
    ) throws(PushRefusal) -> PushMatch {
        var candidates = candidates(clip, index) { clock, hit in
            clock.line(around: hit.monotonic...hit.monotonic)?.utc(hit.monotonic)
        }
        if candidates.isEmpty { throw .few(0) }
        var chosen = try densest(candidates, clip)
        // The part of each log is known now, so that its clock can be laid along UTC over all of
        // that part.
        let stretches = PushMatch.stretches(of: chosen.map(\.hit))
        var lines: [Int: LogLine] = [:]
        for (log, stretch) in stretches { lines[log] = index.clocks[log].line(around: stretch) }
        candidates = chosen
        for position in candidates.indices {
            let hit = candidates[position].hit
            guard let line = lines[hit.log] else { throw .noTime }
            candidates[position].sent = line.utc(hit.monotonic)
            candidates[position].difference =
                Double(clip.runs[candidates[position].run].first) - candidates[position].sent
        }
        chosen = try refined(candidates, clip)
        return try match(clip, chosen)
    }

    private static func match(
        _ clip: FilmedClip, _ chosen: [Candidate]
    ) throws(PushRefusal) -> PushMatch {
        guard chosen.count >= minMatches else { throw .few(chosen.count) }
        let points = chosen.map { point($0, clip) }
        guard let fit = ClockFit(points) else { throw .few(1) }
        if fit.span >= ClockFit.believableSpan, abs(fit.drift) > ClockFit.maxDrift {
            throw .drift(fit.drift * 1e6)
        }
        var match = PushMatch(fit: fit, points: points, hits: chosen.map(\.hit))
        match.seen = Set(
            chosen.map { PushMatch.Seen(log: $0.hit.log, monotonic: $0.hit.monotonic) })
        match.storedMinutes = StoredZone.minutes(clip.flips, fit)
        match.statedMinutes = StoredZone.minutes(chosen.compactMap(\.hit.stated))
        return match.withInterval(frame: clip.frameInterval)
    }

    private static func point(_ candidate: Candidate, _ clip: FilmedClip) -> MatchedPush {
        let run = clip.runs[candidate.run]
        return MatchedPush(
            sent: candidate.sent, before: Double(run.before ?? run.first), first: Double(run.first))
    }

    private static func candidates(
        _ clip: FilmedClip, _ index: PushIndex,
        _ utc: (LogClock, PushIndex.Hit) -> Double?
    ) -> [Candidate] {
        var candidates: [Candidate] = []
        for (number, run) in clip.runs.enumerated() where run.before != nil {
            for hit in index.hits(run.place) {
                guard let sent = utc(index.clocks[hit.log], hit) else { continue }
                candidates.append(
                    Candidate(
                        run: number, hit: hit, sent: sent, difference: Double(run.first) - sent))
            }
        }
        return candidates
    }

    /// The candidates that agree best on when the camera was turned on.
    private static func densest(
        _ candidates: [Candidate], _ clip: FilmedClip
    ) throws(PushRefusal) -> [Candidate] {
        let sorted = candidates.sorted { $0.difference < $1.difference }
        let width = agreement + Double(clip.lastClock - clip.firstClock) * ClockFit.maxDrift * 2
        var best = 0..<0
        var start = 0
        for end in sorted.indices {
            while sorted[end].difference - sorted[start].difference > width { start += 1 }
            if end + 1 - start > best.count { best = start..<end + 1 }
        }
        // Counts how many candidates agree on the best other time: if they are too many, the match
        // is ambiguous.
        var other = 0
        start = 0
        let (low, high) = (
            sorted[best.lowerBound].difference, sorted[best.upperBound - 1].difference
        )
        for end in sorted.indices {
            while sorted[end].difference - sorted[start].difference > width { start += 1 }
            guard sorted[end].difference < low || sorted[start].difference > high else { continue }
            other = max(other, end + 1 - start)
        }
        let runs = Set(sorted[best].map(\.run)).count
        guard runs >= minMatches else { throw .few(runs) }
        if other * 2 > best.count { throw .ambiguous }
        return Array(sorted[best])
    }

    /// The candidates without those that lie off the common line, and only one push for each
    /// position.
    private static func refined(
        _ candidates: [Candidate], _ clip: FilmedClip
    ) throws(PushRefusal) -> [Candidate] {
        var chosen = candidates
        var bound = agreement
        for round in 0..<5 {
            guard let fit = ClockFit(chosen.map { point($0, clip) }) else { throw .few(1) }
            func rest(_ candidate: Candidate) -> Double {
                let point = point(candidate, clip)
                return point.middle - fit.middleClock(at: point.sent)
            }
            var nearest: [Int: Candidate] = [:]
            for candidate in candidates where abs(rest(candidate)) <= bound {
                let known = nearest[candidate.run]
                if known.map({ abs(rest(candidate)) < abs(rest($0)) }) ?? true {
                    nearest[candidate.run] = candidate
                }
            }
            chosen = nearest.values.sorted { $0.run < $1.run }
            if chosen.count < 2 { throw .few(chosen.count) }
            let limit = max(60_000, clip.frameInterval) + clip.frameInterval / 2
            bound = round < 1 ? agreement / 2 : limit
        }
        return chosen
    }
}
