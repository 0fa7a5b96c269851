package import Clock

/// Judges from epoch to epoch whether the vehicle moves, where it is, and how far it went.
///
/// | state | happens | then |
/// | --- | --- | --- |
/// | at rest | faster than `startAbove`, each epoch for `startAfter` | moving: `started` |
/// | moving | slower than `stopBelow`, each epoch for `stopAfter` | at rest: `stopped` |
/// | either | no fix | the same; both waits begin anew |
///
/// It begins at rest, so that settling there is no stop. Whatever it tells takes two epochs in a row
/// that agree at least, so that no single epoch does anything. Nothing happens without an epoch:
/// there is no deadline.
package struct VehicleWatch: Sendable {
    /// Epochs that agree before anything changes.
    package static let agreement = 2
    /// Slower than this the way does not grow: receivers at rest report up to 0.3 m/s.
    package static let creeping = 0.5
    /// Between two epochs that lie further apart nobody knows the way.
    package static let maxGap = TimeSpan.seconds(5)

    /// See `VehicleRules`.
    package private(set) var rules: VehicleRules
    /// A trip is under way.
    package private(set) var isMoving = false
    /// It goes faster than a start needs, and has not been slower than a stop needs since.
    package private(set) var isInMotion = false
    /// The place that it is in; nil outside all of them.
    package private(set) var place: String?
    /// Whether the last news was an epoch.
    package private(set) var hasFix = false
    /// Metres along the way since the start of the run. Drift at rest adds nothing.
    package private(set) var wayMetres = 0.0
    /// Since when it has been at rest for as long as a stop takes; nil while it is not. A fix that
    /// is lost does not end it.
    package private(set) var restingSince: Instant?

    /// Epochs in a row for which something holds.
    private struct Streak {
        var since: Instant
        var epochs: Int

        static func going(on streak: Streak?, at now: Instant) -> Streak {
            Streak(since: streak?.since ?? now, epochs: (streak?.epochs ?? 0) + 1)
        }

        func lasts(_ wait: TimeSpan, at now: Instant) -> Bool {
            epochs >= VehicleWatch.agreement && now - since >= wait
        }
    }

    private var fast: Streak?
    private var slow: Streak?
    /// A place other than the present one that the last epochs were in, and how many.
    private var elsewhere: (place: String?, epochs: Int)?
    private var last: (instant: Instant, speed: Double)?
    private var derived = DerivedSpeed()

    /// A vehicle of which nothing is known.
    package init(rules: VehicleRules) { self.rules = rules }

    /// Takes other rules over; what was judged stays.
    package mutating func adopt(_ new: VehicleRules) {
        guard new != rules else { return }
        rules = new
        fast = nil
        slow = nil
        elsewhere = nil
        if let place, !new.circles.contains(where: { $0.name == place }) { self.place = nil }
    }

    /// An epoch is over.
    package mutating func see(_ fix: Fix) -> [VehicleEvent] {
        let now = fix.arrival
        // Epochs that were held back are older than what is known already.
        if let last, now < last.instant { return [] }
        hasFix = true
        var events: [VehicleEvent] = []
        observePlace(fix, &events)
        let ownSpeed = derived.speed(of: fix)
        guard let speed = fix.speedMetresPerSecond ?? ownSpeed else { return events }
        observeWay(speed, at: now)
        observeSpeed(speed, at: now, &events)
        return events
    }

    /// There is no fresh fix any more.
    package mutating func lose() {
        hasFix = false
        fast = nil
        slow = nil
        elsewhere = nil
        last = nil
        derived = DerivedSpeed()
    }

    private mutating func observeSpeed(
        _ speed: Double, at now: Instant, _ events: inout [VehicleEvent]
    ) {
        fast = speed > rules.startAbove ? .going(on: fast, at: now) : nil
        slow = speed < rules.stopBelow ? .going(on: slow, at: now) : nil
        if slow == nil { restingSince = nil }
        if let fast, fast.epochs >= Self.agreement, !isInMotion {
            isInMotion = true
            events.append(.motion)
        }
        if let slow, slow.epochs >= Self.agreement { isInMotion = false }
        if !isMoving, let fast, fast.lasts(rules.startAfter, at: now) {
            isMoving = true
            events.append(.started)
        }
        if let slow, slow.lasts(rules.stopAfter, at: now) {
            if isMoving {
                isMoving = false
                events.append(.stopped)
            }
            if restingSince == nil { restingSince = now }
        }
    }

    private mutating func observeWay(_ speed: Double, at now: Instant) {
        defer { last = (now, speed) }
        guard let last, now - last.instant <= Self.maxGap else { return }
        let mean = (speed + last.speed) / 2
        guard mean >= Self.creeping else { return }
        wayMetres += mean * (now - last.instant).seconds
    }

    private mutating func observePlace(_ fix: Fix, _ events: inout [VehicleEvent]) {
        guard !rules.circles.isEmpty else { return }
        let seen = circle(at: fix.place)
        guard seen != place else {
            elsewhere = nil
            return
        }
        let epochs = elsewhere.map { $0.place == seen ? $0.epochs + 1 : 1 } ?? 1
        elsewhere = (seen, epochs)
        guard epochs >= Self.agreement else { return }
        elsewhere = nil
        place = seen
        events.append(.place(seen))
    }

    /// The place that an epoch there is in, as far as the one that was entered has been left.
    private func circle(at point: Place) -> String? {
        for circle in rules.circles where circle.name == place {
            if circle.contains(point, within: PlaceCircle.margin) { return place }
        }
        return rules.circles.first { $0.contains(point, within: 0) }?.name
    }

}

extension PlaceCircle {
    /// Degrees of latitude that are surely more than the greatest radius and its margin.
    private static let far = 2.0

    func contains(_ point: Place, within margin: Double) -> Bool {
        // Displacements are for a few kilometres; the other side of the Earth needs none.
        guard (point.latitudeDegrees - middle.latitudeDegrees).magnitude < Self.far else {
            return false
        }
        return middle.displacement(to: point).length <= radiusMetres + margin
    }
}
