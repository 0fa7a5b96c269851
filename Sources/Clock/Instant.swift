/// A point on the machine's monotonic clock (CLOCK_MONOTONIC), in nanoseconds.
///
/// Every timer and every age is measured on this clock: a Raspberry Pi's wall clock is wrong until
/// the network or the receiver has set it, and then it jumps.
///
/// Inlined into the other modules, its conformances too: there are some hundred comparisons a tick,
/// and in the simulation millions of ticks.
@usableFromInline package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start, never negative on a running machine.
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's start; also virtual time's.
    @inlinable package static var zero: Instant { Instant(nanoseconds: 0) }
    /// Later than everything that will happen.
    @inlinable package static var never: Instant { Instant(nanoseconds: .max) }

    /// Seconds since the clock's start, for logs and files.
    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }

    @inlinable package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    @inlinable package static func <= (left: Instant, right: Instant) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }

    @inlinable package static func > (left: Instant, right: Instant) -> Bool {
        left.nanoseconds > right.nanoseconds
    }

    @inlinable package static func >= (left: Instant, right: Instant) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }

    @inlinable package static func + (instant: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return overflow ? .never : Instant(nanoseconds: sum)
    }

    @inlinable package static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- span.nanoseconds)
    }

    @inlinable package static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds &- earlier.nanoseconds)
    }

    @inlinable package static func += (instant: inout Instant, span: TimeSpan) {
        instant = instant + span
    }
}

/// A length of time in whole nanoseconds; negative when it runs backwards.
///
/// The standard library's `Duration` costs 7 ns an operation, and there are many a tick.
@usableFromInline package struct TimeSpan: Hashable, Comparable, Sendable {
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable package static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

    @inlinable package static func seconds(_ count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(count) * 1_000_000_000)
    }

    /// Rounded to the nanosecond; `count` finite and within ±292 years.
    @inlinable package static func seconds(_ count: Double) -> TimeSpan {
        TimeSpan(nanoseconds: Int64((count * 1e9).rounded()))
    }

    @inlinable package static func milliseconds(_ count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(count) * 1_000_000)
    }

    @inlinable package static func microseconds(_ count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(count) * 1_000)
    }

    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }
    @inlinable package var milliseconds: Double { Double(nanoseconds) / 1e6 }

    @inlinable package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    @inlinable package static func <= (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }

    @inlinable package static func > (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds > right.nanoseconds
    }

    @inlinable package static func >= (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }

    @inlinable package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }

    @inlinable package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    @inlinable package static func * (span: TimeSpan, factor: Int) -> TimeSpan {
        TimeSpan(nanoseconds: span.nanoseconds &* Int64(factor))
    }

    @inlinable package static func * (span: TimeSpan, factor: Double) -> TimeSpan {
        TimeSpan(nanoseconds: Int64((Double(span.nanoseconds) * factor).rounded()))
    }

    @inlinable package static prefix func - (span: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: -span.nanoseconds)
    }
}
