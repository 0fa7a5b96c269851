/// A point on the machine's monotonic clock (CLOCK_MONOTONIC), in nanoseconds.
///
/// Every timer and every age is measured on this clock: a Raspberry Pi's wall clock is wrong until
/// the network or the receiver has set it, and then it jumps.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start, never negative on a running machine.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's start; also virtual time's.
    package static let zero = Instant(nanoseconds: 0)
    /// Later than everything that will happen.
    package static let never = Instant(nanoseconds: .max)

    /// Seconds since the clock's start, for logs and files.
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (instant: Instant, span: Span) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return overflow ? .never : Instant(nanoseconds: sum)
    }

    package static func - (instant: Instant, span: Span) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- span.nanoseconds)
    }

    package static func - (later: Instant, earlier: Instant) -> Span {
        Span(nanoseconds: later.nanoseconds &- earlier.nanoseconds)
    }

    package static func += (instant: inout Instant, span: Span) { instant = instant + span }
}

/// A length of time in whole nanoseconds; negative when it runs backwards.
///
/// The standard library's `Duration` costs 7 ns an operation, and there are many a tick.
package struct Span: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Span(nanoseconds: 0)

    package static func seconds(_ count: Int) -> Span {
        Span(nanoseconds: Int64(count) * 1_000_000_000)
    }

    /// Rounded to the nanosecond; `count` finite and within ±292 years.
    package static func seconds(_ count: Double) -> Span {
        Span(nanoseconds: Int64((count * 1e9).rounded()))
    }

    package static func milliseconds(_ count: Int) -> Span {
        Span(nanoseconds: Int64(count) * 1_000_000)
    }

    package static func microseconds(_ count: Int) -> Span {
        Span(nanoseconds: Int64(count) * 1_000)
    }

    package var seconds: Double { Double(nanoseconds) / 1e9 }
    package var milliseconds: Double { Double(nanoseconds) / 1e6 }

    package static func < (left: Span, right: Span) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (left: Span, right: Span) -> Span {
        Span(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }

    package static func - (left: Span, right: Span) -> Span {
        Span(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    package static func * (span: Span, factor: Int) -> Span {
        Span(nanoseconds: span.nanoseconds &* Int64(factor))
    }

    package static func * (span: Span, factor: Double) -> Span {
        Span(nanoseconds: Int64((Double(span.nanoseconds) * factor).rounded()))
    }

    package static prefix func - (span: Span) -> Span { Span(nanoseconds: -span.nanoseconds) }
}
