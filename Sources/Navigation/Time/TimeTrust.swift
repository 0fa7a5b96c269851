import Clock

/// Whether GPS time may name files and date rows (contract 8.7, field notes A4, A9.5).
///
/// | state | a fix | becomes |
/// | --- | --- | --- |
/// | earning | disagrees with the one before, or with a rule | earning, counted anew |
/// | earning | the third that agrees | trusted |
/// | trusted | within 1.1 s of what the monotonic clock expects | trusted |
/// | trusted | late, after a silence that explains it | trusted; after three such it was a step |
/// | trusted | anything else | earning |
struct TimeTrust: Equatable, Sendable {
    /// How the trust changed.
    enum Change: Equatable, Sendable {
        case earned(since: Instant, stepped: Bool)
        case revoked
        case doubted(TimeDoubt)
    }

    /// Good fixes in a row that trust needs.
    static let needed = 3
    /// How far the steps of the receiver's time and of the monotonic clock may differ from fix to
    /// fix.
    private static let agreement = TimeSpan.milliseconds(500)
    /// A greater difference is a step: one second, which a leap second may be, and the jitter of
    /// arrivals.
    private static let step = TimeSpan.milliseconds(1100)
    private static let day = TimeSpan.seconds(86_400)

    /// No date is believed before this one.
    let buildDate: UnixTime
    private(set) var trusted = false
    /// Time less arrival of the last trusted fix, nanoseconds; kept after a revocation to tell a
    /// step from a stall.
    private(set) var reference: Int64?
    /// The good fixes since the last bad one.
    private var chain: [Sample] = []
    /// Fixes in a row whose difference lay between `agreement` and `step`.
    private var shifted = 0
    private var said: TimeDoubt?
    /// Synchronised system clock minus monotonic clock, nanoseconds.
    private var systemOffset: Int64?

    private struct Sample: Equatable {
        var time: UnixTime
        var arrival: Instant
        var offset: Int64 { time.nanoseconds &- arrival.nanoseconds }
    }

    init(buildDate: UnixTime) { self.buildDate = buildDate }

    /// The system clock read `time` at `instant`; believed as a judge only where `synchronised`.
    mutating func setSystemClock(
        _ time: UnixTime, synchronised: Bool, at instant: Instant
    ) -> Change? {
        systemOffset = synchronised ? time.nanoseconds &- instant.nanoseconds : nil
        guard trusted, let reference, contradictsSystemClock(reference) else { return nil }
        return revoke()
    }

    /// A usable fix that was the first of its epoch.
    mutating func update(time: UnixTime?, arrival: Instant) -> [Change] {
        guard let time else { return doubt(.missing) }
        let sample = Sample(time: time, arrival: arrival)
        if !trusted { return earn(sample) }
        let deviation = sample.offset &- (reference ?? sample.offset)
        let agrees = deviation.magnitude <= TimeTrust.agreement.nanoseconds.magnitude
        let isStep = deviation.magnitude > TimeTrust.step.nanoseconds.magnitude
        shifted = agrees || isStep ? 0 : shifted + 1
        // A second that the receiver counts twice leaves a lasting difference: from then on it is
        // measured against that.
        if agrees || shifted >= TimeTrust.needed { reference = sample.offset }
        if !isStep {
            chain.removeAll(keepingCapacity: true)
            chain.append(sample)
            return []
        }
        guard explainedByStall(sample, deviation: deviation) else {
            return [revoke()] + earn(sample)
        }
        // The first of the chain is the fix before the silence.
        if chain.count > TimeTrust.needed { chain.remove(at: 1) }
        chain.append(sample)
        guard chain.count > TimeTrust.needed, chainHolds else { return [] }
        let late = chain.dropFirst()
        return [revoke()] + late.flatMap { earn($0) }
    }

    /// Whether a late fix comes from a stall: its time went on, and the silence before it was at
    /// least as long, so that its bytes waited somewhere.
    private func explainedByStall(_ sample: Sample, deviation: Int64) -> Bool {
        guard let last = chain.last, sample.time > last.time, deviation < 0 else { return false }
        if chain.count > 1 { return true }
        let silence = sample.arrival - last.arrival
        return silence.nanoseconds >= -deviation - TimeTrust.agreement.nanoseconds
    }

    private mutating func revoke() -> Change {
        trusted = false
        said = nil
        shifted = 0
        chain.removeAll()
        return .revoked
    }

    private mutating func earn(_ sample: Sample) -> [Change] {
        if sample.time < buildDate { return doubt(.beforeBuild) }
        if contradictsSystemClock(sample.offset) { return doubt(.systemClock) }
        if let last = chain.last {
            let drift = (sample.offset &- last.offset).magnitude
            if sample.time <= last.time || drift >= TimeTrust.agreement.nanoseconds.magnitude {
                chain.removeAll()
            }
        }
        if chain.count == TimeTrust.needed { chain.removeFirst() }
        chain.append(sample)
        guard chainHolds else { return [] }
        let stepped = reference.map {
            (sample.offset &- $0).magnitude > TimeTrust.step.nanoseconds.magnitude
        }
        trusted = true
        said = nil
        reference = sample.offset
        let since = chain[0].arrival
        chain = [sample]
        return [.earned(since: since, stepped: stepped ?? false)]
    }

    /// Whether three fixes in a row agree that did not arrive all at once: those of a backlog agree
    /// with each other even where they are late.
    private var chainHolds: Bool {
        let tail = chain.suffix(TimeTrust.needed)
        guard tail.count == TimeTrust.needed, let first = tail.first, let last = tail.last
        else { return false }
        return (last.arrival - first.arrival) * 2 >= last.time - first.time
    }

    private func contradictsSystemClock(_ offset: Int64) -> Bool {
        guard let systemOffset else { return false }
        return (offset &- systemOffset).magnitude > TimeTrust.day.nanoseconds.magnitude
    }

    private mutating func doubt(_ reason: TimeDoubt) -> [Change] {
        guard !trusted else { return [] }
        chain.removeAll()
        guard said != reason else { return [] }
        said = reason
        return [.doubted(reason)]
    }
}
