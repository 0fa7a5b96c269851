/// An instant of UTC, in nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted. Inlined
/// into the other modules, as `Instant` is.
@usableFromInline package struct UnixTime: Hashable, Comparable, Sendable {
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Whole seconds since 1970, rounded down.
    package var wholeSeconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Seconds since 1970.
    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }

    @inlinable package static func < (left: UnixTime, right: UnixTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    @inlinable package static func + (time: UnixTime, span: Span) -> UnixTime {
        UnixTime(nanoseconds: time.nanoseconds &+ span.nanoseconds)
    }

    @inlinable package static func - (later: UnixTime, earlier: UnixTime) -> Span {
        Span(nanoseconds: later.nanoseconds &- earlier.nanoseconds)
    }
}
