import Clock
import TrackFormat

/// The date that `keep = N days` counts back from.
///
/// Three fixes are enough to trust a receiver's time, and a receiver with a wrong date gives as
/// many as one likes; a file that is deleted is gone. So GPS time alone deletes nothing: it is
/// held to what the system clock says where something synchronises that, and otherwise to what the
/// folder proves, the newest set of an earlier run and the time that has passed since this run
/// began (decision 50).
struct SupportedDate: Sendable {
    /// Seconds. Between two sets of files a longer pause is no pause but a wrong date: receivers
    /// that lose count of the weeks are 1024 weeks off.
    static let maxPause: Int64 = 5 * 366 * 86_400

    /// Seconds since 1970, not later than the truth at that instant.
    private var proof: (second: Int64, instant: Instant)?

    /// Takes the folder as this run found it.
    ///
    /// - Parameter files: oldest first.
    mutating func begin(_ files: [TrackFileName], at now: Instant) {
        guard var newest = files.first?.second else { return }
        for file in files where file.second - newest <= Self.maxPause { newest = file.second }
        proof = (newest, now)
    }

    /// Takes a file that this run begins: it proves something only where nothing was there.
    mutating func begin(_ file: TrackFileName, at now: Instant) {
        if proof == nil { proof = (file.second, now) }
    }

    /// The date to count back from; nil where nothing supports any.
    ///
    /// - Parameter synchronised: the system clock; nil where nothing synchronises it.
    func date(gps: UnixTime, synchronised: UnixTime?, at now: Instant) -> UnixTime? {
        if let synchronised { return min(gps, synchronised) }
        guard let proof else { return nil }
        let passed = max(.zero, now - proof.instant).nanoseconds / 1_000_000_000
        guard gps.wholeSeconds > proof.second + passed else { return gps }
        return gps + .seconds(Int(clamping: proof.second + passed - gps.wholeSeconds))
    }
}
