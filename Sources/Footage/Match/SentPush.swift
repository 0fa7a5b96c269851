/// A row of a push log: what was sent, and when.
package struct SentPush: Equatable, Sendable {
    /// Which log, from 0: each has a monotonic clock of its own.
    package var log: Int
    /// When it was sent, by the daemon's monotonic clock.
    package var monotonicMicroseconds: Int64
    /// When it was sent, microseconds since 1970; nil before time was trusted.
    package var utcMicroseconds: Int64?
    /// The position that the frame held.
    package var place: HeldPlace
    /// The place is known to one step of 1e-7 degrees, and the height to a centimetre: the log is
    /// older than the columns of integers.
    package var isRounded: Bool
    /// Its height is not in the log.
    package var lacksHeight: Bool
    /// Date and time as they were sent, seconds since 1970 if their zone were UTC; nil where the
    /// log does not say.
    package var statedSeconds: Int64?

    /// A row; what older logs lack has its default.
    package init(
        log: Int, monotonicMicroseconds: Int64, utcMicroseconds: Int64?, place: HeldPlace,
        isRounded: Bool = false, lacksHeight: Bool = false, statedSeconds: Int64? = nil
    ) {
        self.log = log
        self.monotonicMicroseconds = monotonicMicroseconds
        self.utcMicroseconds = utcMicroseconds
        self.place = place
        self.isRounded = isRounded
        self.lacksHeight = lacksHeight
        self.statedSeconds = statedSeconds
    }
}
