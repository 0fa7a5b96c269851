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

    /// An instant so many nanoseconds after the clock's start.
    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's start; also virtual time's.
    @inlinable package static var zero: Instant { Instant(nanoseconds: 0) }
    /// Later than everything that will happen.
    @inlinable package static var never: Instant { Instant(nanoseconds: .max) }

    /// Seconds since the clock's start, for logs and files.
    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Whether `left` is earlier than `right`.
    @inlinable package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Whether `left` is not later than `right`.
    @inlinable package static func <= (left: Instant, right: Instant) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }

    /// Whether `left` is later than `right`.
    @inlinable package static func > (left: Instant, right: Instant) -> Bool {
        left.nanoseconds > right.nanoseconds
    }

    /// Whether `left` is not earlier than `right`.
    @inlinable package static func >= (left: Instant, right: Instant) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }

    /// The instant `span` later; `never` where the number cannot hold it.
    @inlinable package static func + (instant: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return overflow ? .never : Instant(nanoseconds: sum)
    }

    /// The instant `span` earlier. Wraps on overflow: neither operand may be near its limits.
    @inlinable package static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- span.nanoseconds)
    }

    /// How much later; negative where `later` is the earlier one.
    @inlinable package static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds &- earlier.nanoseconds)
    }

    /// Moves `instant` on by `span`, and no further than `never`.
    @inlinable package static func += (instant: inout Instant, span: TimeSpan) {
        instant = instant + span
    }
}

/// A length of time in whole nanoseconds; negative when it runs backwards.
///
/// The standard library's `Duration` costs 7 ns an operation, and there are many a tick.
@usableFromInline package struct TimeSpan: Hashable, Comparable, Sendable {
    /// The length; negative spans run backwards.
    @usableFromInline package var nanoseconds: Int64

    /// A span of so many nanoseconds, negative ones too.
    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// No time at all.
    @inlinable package static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

    /// A span of whole seconds. Traps beyond ±292 years.
    @inlinable package static func seconds(_ count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(count) * 1_000_000_000)
    }

    /// Rounded to the nanosecond; `count` finite and within ±292 years.
    @inlinable package static func seconds(_ count: Double) -> TimeSpan {
        TimeSpan(nanoseconds: Int64((count * 1e9).rounded()))
    }

    /// A span of whole milliseconds. Traps beyond ±292 years.
    @inlinable package static func milliseconds(_ count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(count) * 1_000_000)
    }

    /// A span of whole microseconds. Traps beyond ±292 years.
    @inlinable package static func microseconds(_ count: Int) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(count) * 1_000)
    }

    /// The length in seconds, with its fraction.
    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }
    /// The length in milliseconds, with its fraction.
    @inlinable package var milliseconds: Double { Double(nanoseconds) / 1e6 }

    /// Whether `left` is shorter; a negative span is shorter than none.
    @inlinable package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Whether `left` is not longer.
    @inlinable package static func <= (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }

    /// Whether `left` is longer.
    @inlinable package static func > (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds > right.nanoseconds
    }

    /// Whether `left` is not shorter.
    @inlinable package static func >= (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }

    /// The sum; wraps beyond ±292 years.
    @inlinable package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }

    /// The difference; wraps beyond ±292 years.
    @inlinable package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    /// `factor` times the span; wraps beyond ±292 years.
    @inlinable package static func * (span: TimeSpan, factor: Int) -> TimeSpan {
        TimeSpan(nanoseconds: span.nanoseconds &* Int64(factor))
    }

    /// `factor` times the span, rounded to the nanosecond. Traps where the result is not finite or
    /// is beyond ±292 years.
    @inlinable package static func * (span: TimeSpan, factor: Double) -> TimeSpan {
        TimeSpan(nanoseconds: Int64((Double(span.nanoseconds) * factor).rounded()))
    }

    /// The same length in the other direction.
    @inlinable package static prefix func - (span: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: -span.nanoseconds)
    }
}
