package import Clock
package import Navigation

/// What the rig does by itself: section `[auto]` and the places (contract 7.9 and 7.10). By default
/// nothing.
package struct AutoSettings: Equatable, Sendable {
    /// What wakes sleeping cameras.
    package enum Wake: String, Sendable, CaseIterable {
        case off
        /// The vehicle moves.
        case motion
        /// The daemon starts.
        case power
    }

    /// How often cameras in a photo mode shoot.
    package enum PhotoInterval: Equatable, Sendable {
        /// Along the way.
        case metres(Int)
        /// While the vehicle moves.
        case seconds(Int)
    }

    /// Faster than this, km/h, recording starts; nil for never.
    package var recordAbove: Double?
    /// For how long that must last.
    package var recordAfter = TimeSpan.seconds(5)
    /// Slower than this, km/h, recording stops; nil for never.
    package var stopBelow: Double?
    /// For how long that must last.
    package var stopAfter = TimeSpan.seconds(120)
    /// Cameras are started only while there is a fix.
    package var recordNeedsFix = true
    /// Recording starts with the daemon.
    package var recordAtStart = false
    /// At rest and not recording for so long, cameras are sent to sleep; nil for never.
    package var sleepAfter: TimeSpan?
    /// See `Wake`.
    package var wakeOn = Wake.off
    /// See `PhotoInterval`; nil for no photos.
    package var photoEvery: PhotoInterval?
    /// In the order in which they count where they overlap.
    package var places: [AutoPlace] = []

    /// Nothing is done by itself.
    package init() {}

    /// Km/h of a start where `record_above` does not say it.
    package static let usualStart = 5.0
    /// Km/h of a stop where `stop_below` does not say it.
    package static let usualStop = 3.0

    /// Whether no rule says anything.
    package var isIdle: Bool {
        recordAbove == nil && stopBelow == nil && !recordAtStart && sleepAfter == nil
            && wakeOn == .off && photoEvery == nil && places.isEmpty
    }

    /// When the vehicle moves, by these settings.
    package var vehicleRules: VehicleRules {
        let kilometreAnHour = 1 / 3.6
        // A start that only the other key gives stays above its stop, and the other way round.
        let start = recordAbove ?? max(Self.usualStart, (stopBelow ?? 0) * 1.5)
        let stop = stopBelow ?? min(Self.usualStop, start / 2)
        return VehicleRules(
            startAbove: start * kilometreAnHour, startAfter: recordAfter,
            stopBelow: stop * kilometreAnHour, stopAfter: stopAfter, circles: places.map(\.circle))
    }
}

/// A place, and what is done in there.
package struct AutoPlace: Equatable, Sendable {
    /// What is done inside.
    package enum Inside: String, Sendable, CaseIterable {
        /// Cameras record, whatever the speed.
        case record
        /// They do not.
        case stop
        /// They do not, and sleep at rest.
        case sleep
        /// Nothing is done by itself.
        case nothing
    }

    /// Where it is.
    package var circle: PlaceCircle
    /// See `Inside`.
    package var inside: Inside

    /// A place; nothing is checked.
    package init(circle: PlaceCircle, inside: Inside) {
        self.circle = circle
        self.inside = inside
    }
}
