import Navigation

/// Where the rig was between two rows of the track.
enum RowBridge {
    /// Milliseconds: nobody knows the way through a longer pause, so nothing is written of it
    /// (decision 91).
    static let maxPause: Int64 = 2500

    /// The row of an instant between two rows, or one of them; nil where they are too far apart.
    ///
    /// - Parameters:
    ///   - before: the last row that is not later.
    ///   - after: the next one.
    ///   - milliseconds: since 1970.
    static func record(
        from before: TrackRecord?, to after: TrackRecord, at milliseconds: Int64
    ) -> TrackRecord? {
        if milliseconds == after.milliseconds { return after }
        guard let before, before.milliseconds <= milliseconds, milliseconds < after.milliseconds,
            after.milliseconds - before.milliseconds <= maxPause
        else { return nil }
        if milliseconds == before.milliseconds { return before }
        var record = before.interpolated(to: after, milliseconds: milliseconds)
        let bridge = MotionBridge(
            from: before.place, velocity: before.velocity, to: after.place,
            endVelocity: after.velocity,
            seconds: Double(after.milliseconds - before.milliseconds) / 1000)
        let place = bridge.place(after: Double(milliseconds - before.milliseconds) / 1000)
        record.latitudeE8 = Int64((place.latitudeDegrees * 1e8).rounded())
        record.longitudeE8 = Int64((place.longitudeDegrees * 1e8).rounded())
        record.headingCentidegrees = heading(before, after, record.milliseconds)
        return record
    }

    /// The short way round.
    private static func heading(
        _ before: TrackRecord, _ after: TrackRecord, _ milliseconds: Int64
    ) -> Int64? {
        guard let first = before.headingCentidegrees, let second = after.headingCentidegrees
        else { return nil }
        var turn = (second - first) % 36_000
        if turn > 18_000 { turn -= 36_000 }
        if turn < -18_000 { turn += 36_000 }
        let share =
            Double(milliseconds - before.milliseconds)
            / Double(after.milliseconds - before.milliseconds)
        let heading = (first + Int64((Double(turn) * share).rounded())) % 36_000
        return heading < 0 ? heading + 36_000 : heading
    }
}

extension TrackRecord {
    /// Metres a second; nil where speed or course is unknown, but for a rig that stands.
    var velocity: GroundVector? {
        guard let speed = speedMillimetresPerSecond else { return nil }
        if speed == 0 { return .zero }
        guard let heading = headingCentidegrees else { return nil }
        return GroundVector(length: Double(speed) / 1000, courseDegrees: Double(heading) / 100)
    }
}
