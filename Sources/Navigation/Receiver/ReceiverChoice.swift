import Clock

/// Chooses one of gpsd's receivers: the one with the best mode, and of equals the one with the
/// least estimated error. A better one has to stay better for five seconds, unless the present one
/// has no fix.
struct ReceiverChoice: Equatable, Sendable {
    /// How long a better receiver has to stay better (decision 3, field notes A8).
    static let patience = TimeSpan.seconds(5)

    private(set) var device: String?
    private var challenger: Challenger?

    private struct Challenger: Equatable {
        var device: String
        var since: Instant
    }

    /// When a better receiver has waited long enough; nil without one.
    var deadline: Instant? { challenger.map { $0.since + ReceiverChoice.patience } }

    /// Chooses anew; true where another receiver is used from now on.
    mutating func choose(among receivers: [Receiver], at now: Instant) -> Bool {
        // The usual case, at each report: only one there, and nothing to choose.
        if receivers.count == 1, challenger == nil, receivers[0].device == device { return false }
        let present = receivers.first { $0.device == device }
        let others = receivers.filter { $0.device != device }
        let best = others.max {
            ReceiverChoice.rank($0, at: now) < ReceiverChoice.rank($1, at: now)
        }
        guard let best else {
            challenger = nil
            let left = device != nil && present == nil
            if left { device = nil }
            return left
        }
        guard let present else { return listen(to: best) }
        guard ReceiverChoice.rank(present, at: now) < ReceiverChoice.rank(best, at: now) else {
            challenger = nil
            return false
        }
        if !present.isFresh(at: now) { return listen(to: best) }
        let since = challenger?.device == best.device ? challenger?.since ?? now : now
        challenger = Challenger(device: best.device, since: since)
        return now - since >= ReceiverChoice.patience && listen(to: best)
    }

    private mutating func listen(to receiver: Receiver) -> Bool {
        device = receiver.device
        challenger = nil
        return true
    }

    private static func rank(_ receiver: Receiver, at now: Instant) -> (Int, Double) {
        guard receiver.isFresh(at: now), let fix = receiver.fix else { return (0, 0) }
        let mode = fix.mode == .threeD ? 2 : 1
        return (mode, -(fix.horizontalAccuracyMetres ?? .greatestFiniteMagnitude))
    }
}
