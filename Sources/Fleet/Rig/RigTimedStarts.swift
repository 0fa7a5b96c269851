internal import Clock
internal import LineProtocol
import Navigation
internal import OsmoProtocol

/// `record start at=UTC`: cameras of several rigs start together, by GPS time.
extension Rig {
    /// Whether a start may wait for `utc`; if not, the command is answered.
    ///
    /// - Returns: the instant by the monotonic clock; nil where it is refused.
    mutating func dueInstant(of utc: UnixTime, _ ticket: Ticket, at now: Instant) -> Instant? {
        guard let present = pushes.source.utc(at: now) else {
            end(ticket, .notReady, "GPS time is not trusted yet")
            return nil
        }
        let ahead = utc - present
        guard TimedStarts.ahead.contains(ahead) else {
            end(
                ticket, .badArgument,
                "at= is 0.2 to 60 seconds ahead; GPS time is \(LineText.instant(present))")
            return nil
        }
        guard !timedStarts.isFull else {
            end(ticket, .busy, "\(TimedStarts.bound) starts wait already")
            return nil
        }
        return now + ahead
    }

    /// Presses where an instant has come. What became wrong meanwhile is answered, never made up
    /// for.
    mutating func advanceTimedStarts(at now: Instant) {
        for start in timedStarts.removeDue(at: now) {
            guard let present = pushes.source.utc(at: now),
                abs((present - start.utc).nanoseconds) <= TimedStarts.tolerance.nanoseconds
            else {
                answer(
                    start.cameras.map { (start.ticket, $0) }, .notReady,
                    "GPS time stepped meanwhile, or the instant was missed")
                continue
            }
            for camera in start.cameras {
                guard let index = index(of: camera) else { continue }
                order(.record(.start), index, start.ticket, at: now)
            }
        }
    }

    /// `record stop` reached these cameras before their instant came.
    mutating func cancelTimedStarts(of cameras: [BluetoothAddress]) {
        answer(timedStarts.cancel { cameras.contains($0) }, .refused, "cancelled by record stop")
    }

    /// The daemon ends before any instant came.
    mutating func cancelTimedStarts() {
        answer(timedStarts.cancel { _ in true }, .notReady, "geotagd is ending")
    }

    private mutating func answer(
        _ owed: [(ticket: Ticket, camera: BluetoothAddress)], _ code: ErrorCode, _ words: String
    ) {
        for (ticket, camera) in owed {
            effects += dispatch.finish(ticket, camera, error: code, words: words, fields: [])
        }
    }
}
