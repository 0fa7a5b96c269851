import Clock

/// What a day's clips told of a camera's clocks, kept for clips that hold nothing themselves.
package struct KeptOffset: Equatable, Sendable {
    /// The camera's serial number, which finds the offset again for another of its clips.
    package var serial: String
    /// As it is called in the roster; empty where that is not known.
    package var camera: String
    /// What the camera is called by its schema: `FilmedClip.model`.
    package var model: String
    /// A clip's first frame by the camera's clock and by UTC, microseconds.
    package var clock: Int64
    /// UTC of that frame, microseconds since 1970.
    package var utc: Int64
    /// Of that, seconds.
    package var uncertainty: Double
    /// How much faster than true time the camera's clock runs, parts in a million; nil where the
    /// clips were too short to tell.
    package var driftPPM: Double?
    /// The camera's calendar less UTC, seconds; nil where the container has none.
    package var calendarAhead: Double?
    /// Stored time less UTC, minutes.
    package var storedMinutes: Int?

    /// An offset, as it was found or as it was read from the file of offsets.
    package init(
        serial: String, camera: String, model: String, clock: Int64, utc: Int64,
        uncertainty: Double, driftPPM: Double?, calendarAhead: Double?, storedMinutes: Int?
    ) {
        self.serial = serial
        self.camera = camera
        self.model = model
        self.clock = clock
        self.utc = utc
        self.uncertainty = uncertainty
        self.driftPPM = driftPPM
        self.calendarAhead = calendarAhead
        self.storedMinutes = storedMinutes
    }

    /// A calendar that goes on with a power-up agrees with its clock within this, microseconds.
    private static let sameCalendar = 3.5e6
    /// What a camera's clock may be off by, where nothing tells.
    private static let usualDrift = 60e-6
    /// What a calendar may be off by after a while: whole seconds, and a clock that runs on.
    private static let calendarUncertainty = 2.5

    /// Of several, the one that places this clip best.
    package static func place(_ clip: FilmedClip, by kept: [KeptOffset]) -> Placement? {
        let own = kept.filter { $0.serial == clip.camera.serial && !$0.serial.isEmpty }
        let placements = own.compactMap { $0.byClock(clip) }
        if let best = placements.min(by: { ($0.uncertainty ?? 0) < ($1.uncertainty ?? 0) }) {
            return best
        }
        return own.compactMap { $0.byCalendar(clip) }
            .min { ($0.uncertainty ?? 0) < ($1.uncertainty ?? 0) }
    }

    /// Where the calendar says that this is the same power-up: by the clock.
    private func byClock(_ clip: FilmedClip) -> Placement? {
        guard let calendarAhead, let creation = clip.creation else { return nil }
        let passed = Double(clip.firstClock - clock) / (1 + (driftPPM ?? 0) / 1e6)
        let predicted = Double(utc) + passed
        let byCalendar = Double(creation.nanoseconds) / 1e3 - calendarAhead * 1e6
        guard abs(predicted - byCalendar) <= Self.sameCalendar else { return nil }
        let perSecond = driftPPM == nil ? Self.usualDrift : 5e-6
        var placement = clip.placed(
            .pushes, start: predicted,
            uncertainty: uncertainty + abs(passed) / 1e6 * perSecond)
        placement.driftPPM = driftPPM
        placement.notes = ["by the clock of another clip of the same power-up"]
        return placement
    }

    /// By the calendar, whose error another clip told.
    private func byCalendar(_ clip: FilmedClip) -> Placement? {
        guard let calendarAhead, let creation = clip.creation else { return nil }
        let start = Double(creation.nanoseconds) / 1e3 - calendarAhead * 1e6
        let days = abs(start - Double(utc)) / 86_400e6
        var placement = clip.placed(
            .container, start: start, uncertainty: Self.calendarUncertainty + days * 5)
        placement.notes = ["by the camera's calendar, as another clip of it told"]
        return placement
    }
}
