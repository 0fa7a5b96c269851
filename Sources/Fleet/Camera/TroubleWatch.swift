import Clock
import LineProtocol
import OsmoProtocol

/// What will end a recording soon, told early enough to do something about it: an alarm each, once
/// until it is over.
struct TroubleWatch: Equatable, Sendable {
    /// A battery at this charge, percent, is low.
    static let lowPercent: UInt8 = 20
    /// At this charge it is not any more.
    static let chargedPercent: UInt8 = 25
    /// A battery or a card that lasts no longer than this, seconds, is low.
    static let lowSeconds = 600
    /// One that lasts longer than this is not any more.
    static let enoughSeconds = 900
    /// Percent that a battery must have lost before its loss says how long it lasts: the charge is
    /// told in whole percents.
    static let measuredPercent: UInt8 = 3

    /// Since when the charge only falls, and what it was then.
    private var discharge: (percent: UInt8, instant: Instant)?
    /// When the charge last changed, and to what: the loss is measured from step to step.
    private var step: (percent: UInt8, instant: Instant)?
    private var isBatteryTold = false
    private var isCardTold = false
    private var isHeatTold = false

    static func == (left: TroubleWatch, right: TroubleWatch) -> Bool {
        left.discharge?.percent == right.discharge?.percent
            && left.discharge?.instant == right.discharge?.instant
            && left.step?.percent == right.step?.percent
            && left.step?.instant == right.step?.instant
            && left.isBatteryTold == right.isBatteryTold && left.isCardTold == right.isCardTold
            && left.isHeatTold == right.isHeatTold
    }

    /// Takes a status push, and adds the alarms that it is worth.
    mutating func observe(
        _ status: CameraStatus, at now: Instant, _ effects: inout [SessionEffect]
    ) {
        observeBattery(status, at: now, &effects)
        observeCard(status, &effects)
        observeHeat(status, &effects)
    }

    private mutating func observeBattery(
        _ status: CameraStatus, at now: Instant, _ effects: inout [SessionEffect]
    ) {
        guard let percent = status.batteryPercent else { return }
        if let step, percent > step.percent { discharge = nil }
        if step?.percent != percent {
            // The first step down begins the measure: before it part of a percent was gone already.
            if step != nil, discharge == nil { discharge = (percent, now) }
            step = (percent, now)
        }
        let left = batterySeconds
        let isLow = percent <= Self.lowPercent || left.map { $0 <= Self.lowSeconds } ?? false
        if isLow, !isBatteryTold {
            isBatteryTold = true
            var fields = [Field("reason", "battery-low"), Field("percent", "\(percent)")]
            if let left { fields.append(Field("remaining_s", "\(left)")) }
            effects.append(.notice(.alarm, fields))
        }
        let isOver =
            percent >= Self.chargedPercent && left.map { $0 > Self.enoughSeconds } ?? true
        if isOver { isBatteryTold = false }
    }

    /// How long the battery lasts by what it lost so far; nil before that can be said.
    private var batterySeconds: Int? {
        guard let discharge, let step, discharge.percent > step.percent,
            discharge.percent - step.percent >= Self.measuredPercent
        else { return nil }
        let lost = Double(discharge.percent - step.percent)
        return Int((step.instant - discharge.instant).seconds / lost * Double(step.percent))
    }

    private mutating func observeCard(
        _ status: CameraStatus, _ effects: inout [SessionEffect]
    ) {
        // A full card has an alarm of its own; 0 beside a roomy card is a mode that does not tell.
        guard !status.mode.takesPhotos, let free = status.cardFreeMegabytes, free > 0,
            let seconds = status.remainingSeconds.map({ Int($0) }), seconds > 0
        else { return }
        if seconds <= Self.lowSeconds, !isCardTold {
            isCardTold = true
            effects.append(
                .notice(
                    .alarm,
                    [
                        Field("reason", "card-low"), Field("free_mb", "\(free)"),
                        Field("remaining_s", "\(seconds)"),
                    ]))
        }
        if seconds > Self.enoughSeconds { isCardTold = false }
    }

    private mutating func observeHeat(
        _ status: CameraStatus, _ effects: inout [SessionEffect]
    ) {
        guard let temperature = status.temperature else { return }
        if temperature == 0 { isHeatTold = false }
        guard temperature == 1, status.isRecording, !isHeatTold else { return }
        isHeatTold = true
        effects.append(.notice(.alarm, [Field("reason", "warm")]))
    }
}
