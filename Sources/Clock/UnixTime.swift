/// An instant of UTC, in nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted. Inlined
/// into the other modules, as `Instant` is.
@usableFromInline package struct UnixTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970; negative before it. Reaches from 1677 to 2262.
    @usableFromInline package var nanoseconds: Int64

    /// The instant so many nanoseconds after 1970 began.
    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Whole seconds since 1970, rounded down.
    package var wholeSeconds: Int64 { nanoseconds.dividedRoundingDown(by: 1_000_000_000) }

    /// Milliseconds since 1970, rounded to the nearest: what a row of a file can tell apart.
    package var milliseconds: Int64 {
        (nanoseconds &+ 500_000).dividedRoundingDown(by: 1_000_000)
    }

    /// Seconds since 1970.
    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Whether `left` is earlier than `right`.
    @inlinable package static func < (left: UnixTime, right: UnixTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time `span` later; wraps beyond the years that the number holds.
    @inlinable package static func + (time: UnixTime, span: TimeSpan) -> UnixTime {
        UnixTime(nanoseconds: time.nanoseconds &+ span.nanoseconds)
    }

    /// How much later; negative where `later` is the earlier one.
    @inlinable package static func - (later: UnixTime, earlier: UnixTime) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds &- earlier.nanoseconds)
    }
}

extension Int64 {
    /// The quotient rounded down, so that times before 1970 fall into the right day and second.
    package func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
