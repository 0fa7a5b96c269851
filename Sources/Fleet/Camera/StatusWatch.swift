import LineProtocol
import OsmoProtocol

/// What a camera's status pushes were last seen to say, between links too: makes notices of changes
/// that somebody wants to hear of, once each.
struct StatusWatch: Equatable, Sendable {
    /// How far the card is used up.
    enum Card: Int, Comparable, Sendable {
        case roomy, low, full

        static func < (left: Card, right: Card) -> Bool { left.rawValue < right.rawValue }
    }

    /// Percentages at which the battery is spoken of.
    static let batterySteps: [UInt8] = [20, 10, 5]
    /// A battery that rose this far above a step is spoken of again when it falls back to it.
    static let batteryHysteresis: UInt8 = 3
    /// A card with less room than this, in MB, is nearly full.
    static let lowMegabytes: UInt32 = 1024
    /// So is one with less recording time than this, in seconds.
    static let lowSeconds: UInt32 = 300
    /// Room, in MB and in seconds, that must come back before the card is spoken of again.
    static let cardHysteresis: UInt32 = 60

    private(set) var mode: CameraMode?
    private(set) var card = Card.roomy
    private(set) var temperature: UInt8?
    /// How many of `batterySteps` have been reached.
    private var batteryReached = 0

    /// Takes a status push, and adds the notices that it is worth.
    mutating func observe(_ status: CameraStatus, _ effects: inout [SessionEffect]) {
        observeMode(status, &effects)
        observeBattery(status, &effects)
        observeCard(status, &effects)
        observeTemperature(status, &effects)
    }

    private mutating func observeMode(_ status: CameraStatus, _ effects: inout [SessionEffect]) {
        defer { mode = status.mode }
        guard let mode, mode != status.mode else { return }
        effects.append(
            .notice(.mode, [Field("mode", "\(status.mode)"), Field("from", "\(mode)")]))
    }

    private mutating func observeBattery(
        _ status: CameraStatus, _ effects: inout [SessionEffect]
    ) {
        guard let percent = status.batteryPercent else { return }
        let reached = Self.batterySteps.count { percent <= $0 }
        if reached > batteryReached {
            batteryReached = reached
            effects.append(.notice(.battery, [Field("percent", "\(percent)")]))
            return
        }
        batteryReached = min(
            batteryReached,
            Self.batterySteps.count { percent < $0 + Self.batteryHysteresis })
    }

    private mutating func observeCard(_ status: CameraStatus, _ effects: inout [SessionEffect]) {
        guard let free = status.cardFreeMegabytes else { return }
        let now = Self.card(free: free, status: status, slack: 0)
        guard now > card else {
            // Only as much better as it is with some slack to spare.
            card = min(card, Self.card(free: free, status: status, slack: Self.cardHysteresis))
            return
        }
        card = now
        var fields = [Field("state", now == .full ? "full" : "low"), Field("free_mb", "\(free)")]
        if let seconds = status.remainingSeconds, !status.mode.takesPhotos {
            fields.append(Field("remaining_s", "\(seconds)"))
        }
        effects.append(.notice(.card, fields))
        if now == .full { effects.append(.notice(.alarm, [Field("reason", "card-full")])) }
    }

    private static func card(free: UInt32, status: CameraStatus, slack: UInt32) -> Card {
        if free <= slack { return .full }
        if free < lowMegabytes + slack { return .low }
        // Recording time of 0 beside a roomy card is a mode that does not tell, not a full card.
        guard !status.mode.takesPhotos, let seconds = status.remainingSeconds, seconds > 0 else {
            return .roomy
        }
        return seconds <= lowSeconds + slack ? .low : .roomy
    }

    private mutating func observeTemperature(
        _ status: CameraStatus, _ effects: inout [SessionEffect]
    ) {
        guard let value = status.temperature, let word = status.temperatureWord else { return }
        let before = temperature ?? 0
        temperature = value
        guard value != before else { return }
        effects.append(.notice(.temperature, [Field("temperature", word)]))
        if value >= 2, before < 2 { effects.append(.notice(.alarm, [Field("reason", "hot")])) }
    }
}
