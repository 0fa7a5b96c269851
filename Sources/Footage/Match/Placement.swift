package import Clock

/// What a clip's time rests on, the best first.
package enum PlacementTier: String, Sendable, CaseIterable {
    /// The pushes that it holds, found in the push log.
    case pushes
    /// The positions that it holds, laid along the track.
    case positions
    /// The seconds that the camera stored.
    case seconds
    /// The recordings that the daemon saw, by its events file.
    case events
    /// The camera's calendar, in the container.
    case container
    /// The camera's calendar, in the file's name.
    case name
}

extension PlacementTier: Comparable {
    /// The better tier is the smaller one.
    package static func < (left: PlacementTier, right: PlacementTier) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// When a clip was filmed, as far as that is known.
package struct Placement: Equatable, Sendable {
    /// What the time rests on.
    package var tier: PlacementTier
    /// UTC of its first frame, microseconds since 1970.
    package var startMicroseconds: Double
    /// UTC of its last frame, microseconds since 1970.
    package var endMicroseconds: Double
    /// How far the times may be off, seconds; nil where nothing bounds that, as for a calendar that
    /// nobody checked.
    package var uncertainty: Double?
    /// The camera clock's drift, parts in a million; nil where the clip was too short to tell.
    package var driftPPM: Double?
    /// The drifts that the frames allow, parts in a million; nil where it was too short to tell.
    package var driftIntervalPPM: ClosedRange<Double>?
    /// Positions found in the push log; nil for a tier that does not use it.
    package var matches: Int?
    /// Stored time less UTC, minutes; nil where it is not known.
    package var storedMinutes: Int?
    /// Pushed time less UTC, minutes; nil where it is not known.
    package var statedMinutes: Int?
    /// Reasons why there is no better tier, and other remarks: a sentence each, without its full
    /// stop.
    package var notes: [String] = []

    /// A placement that says nothing of drift and zones yet.
    package init(
        tier: PlacementTier, startMicroseconds: Double, endMicroseconds: Double,
        uncertainty: Double?
    ) {
        self.tier = tier
        self.startMicroseconds = startMicroseconds
        self.endMicroseconds = endMicroseconds
        self.uncertainty = uncertainty
    }

    /// UTC of the first frame.
    package var start: UnixTime {
        UnixTime(nanoseconds: Int64((startMicroseconds * 1e3).rounded()))
    }
    /// UTC of the last frame.
    package var end: UnixTime { UnixTime(nanoseconds: Int64((endMicroseconds * 1e3).rounded())) }

    /// The zone that the camera is set to, minutes: the camera subtracts it from the pushed time.
    package var cameraZoneMinutes: Int? {
        guard let storedMinutes, let statedMinutes else { return nil }
        return statedMinutes - storedMinutes
    }
}

extension FilmedClip {
    /// Length of the clip by the camera's clock, microseconds: up to one frame past the last.
    package var lengthMicroseconds: Double {
        Double(lastClock - firstClock) + frameInterval
    }

    /// The placement by a match that lays the camera's clock along UTC.
    package func placed(by match: PushMatch) -> Placement {
        let fit = match.fit
        let start = fit.utc(ofClock: Double(firstClock))
        var placement = Placement(
            tier: .pushes, startMicroseconds: start,
            endMicroseconds: fit.utc(ofClock: Double(firstClock) + lengthMicroseconds),
            uncertainty: fit.uncertainty(atClock: firstClock, frame: frameInterval))
        // The frames of a timelapse lie too far apart to tell a drift.
        if fit.span >= ClockFit.believableSpan, !isTimelapse {
            placement.driftPPM = fit.drift * 1e6
            placement.driftIntervalPPM = match.driftIntervalPPM
        }
        placement.matches = fit.matches
        placement.storedMinutes = match.storedMinutes
        placement.statedMinutes = match.statedMinutes
        return placement
    }

    /// The placement by the instant of its first frame; the camera's clock gives its length.
    package func placed(
        _ tier: PlacementTier, start: Double, uncertainty: Double?
    ) -> Placement {
        Placement(
            tier: tier, startMicroseconds: start, endMicroseconds: start + lengthMicroseconds,
            uncertainty: uncertainty)
    }
}
