/// The clips of one camera between power-on and power-off. Their clock goes on from clip to clip,
/// so that one line over UTC holds for all of them.
package struct PowerUp: Equatable, Sendable {
    /// Numbers of the clips, in the order of their clocks.
    package private(set) var clips: [Int] = []
    /// The one line through the matches of all the clips.
    package private(set) var match: PushMatch

    /// How far two clips' lines may be apart, microseconds, besides what their drift explains.
    private static let agreement = 300_000.0

    /// - Parameter matches: the matches of one camera's clips, with the clips' numbers.
    package static func groups(
        _ matches: [(clip: Int, match: PushMatch)], frame: Double
    ) -> [PowerUp] {
        var groups: [PowerUp] = []
        for (clip, match) in matches.sorted(by: { $0.match.fit.utc < $1.match.fit.utc }) {
            if let last = groups.indices.last, groups[last].goesOn(in: match),
                let joined = groups[last].joined(with: match, frame: frame)
            {
                groups[last].clips.append(clip)
                groups[last].match = joined
            } else {
                groups.append(PowerUp(clips: [clip], match: match))
            }
        }
        return groups
    }

    private func goesOn(in other: PushMatch) -> Bool {
        let (mine, yours) = (match.fit, other.fit)
        let passed = yours.utc - mine.utc
        let predicted = mine.clock + passed * (1 + mine.drift)
        let doubt = Self.agreement + abs(passed) * ClockFit.maxDrift
        return yours.clock > mine.clock && abs(predicted - yours.clock) <= doubt
    }

    private func joined(with other: PushMatch, frame: Double) -> PushMatch? {
        guard let fit = ClockFit(match.points + other.points),
            fit.span < ClockFit.believableSpan || abs(fit.drift) <= ClockFit.maxDrift,
            // Two power-ups with a short pause between would not lie on one line.
            fit.scatter <= max(match.fit.scatter, other.fit.scatter) * 2 + 2000
        else { return nil }
        var joined = match
        joined.fit = fit
        joined.points += other.points
        joined.hits += other.hits
        joined.seen.formUnion(other.seen)
        joined.storedMinutes = match.storedMinutes ?? other.storedMinutes
        joined.statedMinutes = match.statedMinutes ?? other.statedMinutes
        return joined.withInterval(frame: frame)
    }
}

extension PushMatch {
    /// The match with the drifts that the frames allow, where least squares alone cannot be
    /// believed.
    func withInterval(frame: Double) -> PushMatch {
        var match = self
        match.driftIntervalPPM = nil
        guard fit.span >= ClockFit.believableSpan,
            DriftInterval.isNeeded(frame: frame, span: fit.span),
            let interval = DriftInterval(points, around: fit.drift)
        else { return match }
        match.driftIntervalPPM = interval.range.lowerBound * 1e6...interval.range.upperBound * 1e6
        return match
    }
}
