/// By how much the velocity that a receiver states is older than its place.
///
/// Many receivers smooth their velocity. Then the way of a second differs from the mean of the
/// stated velocities, and the difference is the change of velocity in a second times the lag.
struct VelocityLag: Equatable, Sendable {
    /// Seconds; no receiver was seen to have a longer lag.
    private static let maxLag = 0.4
    /// Seconds after which two thirds of what was learned are forgotten: the lag belongs to the
    /// receiver and hardly changes.
    private static let memory = 60.0
    /// After so much change of velocity, (m/s²)² s, the measured lag counts half.
    private static let scepticism = 3.0

    private var agreement = 0.0
    private var change = 0.0

    /// The lag as it is believed now, 0 to 0.4 seconds.
    var seconds: Double {
        min(max(agreement / (change + VelocityLag.scepticism), 0), VelocityLag.maxLag)
    }

    /// Learns from about a second of way.
    ///
    /// - Parameters:
    ///   - samples: from its beginning to its end, all with a velocity.
    ///   - elapsed: since the last learning, seconds.
    mutating func learn(_ samples: ArraySlice<MotionSample>, elapsed: Double) {
        guard let first = samples.first, let last = samples.last, let begin = first.velocity,
            let end = last.velocity, !samples.contains(where: \.isDerived)
        else { return }
        let span = last.seconds(since: first)
        guard span > 0 else { return }
        var stated = GroundVector.zero
        for (one, next) in zip(samples, samples.dropFirst()) {
            guard let before = one.velocity, let after = next.velocity else { return }
            stated = stated + (before + after) * (next.seconds(since: one) / 2)
        }
        let missing = (first.place.displacement(to: last.place) - stated) * (1 / span)
        let acceleration = (end - begin) * (1 / span)
        let kept = Trigonometry.exponential(-elapsed / VelocityLag.memory)
        agreement = agreement * kept + missing.dot(acceleration) * elapsed
        change = change * kept + acceleration.dot(acceleration) * elapsed
    }
}
