import Clock

/// What a day's clips showed of a camera's clocks, kept for clips that hold no positions.
package struct KeptOffset: Equatable, Sendable {
    /// The camera's serial number, which finds the offset again for another of its clips.
    package var serial: String
    /// The camera's name in the roster; empty where that is not known.
    package var camera: String
    /// What the camera is called by its schema: `FilmedClip.model`.
    package var model: String
    /// The camera's clock at a clip's first frame, microseconds.
    package var clock: Int64
    /// UTC of that frame, microseconds since 1970.
    package var utc: Int64
    /// How far that UTC may be off, seconds.
    package var uncertainty: Double
    /// How much faster than true time the camera's clock runs, parts in a million; nil where the
    /// clips were too short to tell.
    package var driftPPM: Double?
    /// The camera's calendar less UTC, seconds; nil where the container has none.
    package var calendarAhead: Double?
    /// Stored time less UTC, minutes; nil where it is not known.
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

    /// In one power-up, calendar and clock agree within this, microseconds.
    private static let sameCalendar = 3.5e6
    /// The drift of a camera's clock that is assumed where nothing tells.
    private static let usualDrift = 60e-6
    /// How far a calendar may be off after a while, seconds: it has whole seconds, and its clock
    /// drifts.
    private static let calendarUncertainty = 2.5

    /// Places the clip by the one of several offsets that places it best; nil where none does.
    package static func place(_ clip: FilmedClip, by kept: [KeptOffset]) -> Placement? {
        let own = kept.filter { $0.serial == clip.camera.serial && !$0.serial.isEmpty }
        let placements = own.compactMap { $0.byClock(clip) }
        if let best = placements.min(by: { ($0.uncertainty ?? 0) < ($1.uncertainty ?? 0) }) {
            return best
        }
        return own.compactMap { $0.byCalendar(clip) }
            .min { ($0.uncertainty ?? 0) < ($1.uncertainty ?? 0) }
    }

    /// Places the clip by the camera's clock, where the calendar says that it is the same power-up;
    /// nil otherwise.
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

    /// Places the clip by the camera's calendar, whose error another clip showed; nil where that is
    /// not known.
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
