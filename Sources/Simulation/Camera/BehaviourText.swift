import Clock

/// Behaviour as `key=value` words, for command lines and control sockets.
extension Behaviour {
    /// Changes one property.
    ///
    /// | key | value |
    /// | --- | --- |
    /// | `consent` | `known`, `confirm:SECONDS`, `refuse:SECONDS`, `wait` |
    /// | `order` | `normal`, `reversed`, `missing` |
    /// | `answer_ms` `jitter_ms` `late_ms` `record_ms` `mode_ms` | milliseconds |
    /// | `lost` `late` `status_lost` | percent |
    /// | `cross_lens` | `refused`, `ignored` |
    /// | `card_rate` | MB a second |
    /// | `late_statuses` | a count |
    /// | `wake_window` | seconds |
    /// | the others | `yes`, `no` |
    ///
    /// - Returns: false for a key or a value that is not known; nothing has changed then.
    package mutating func set(_ key: String, to value: String) -> Bool {
        if let flag = Self.flags[key] {
            guard let setting = Self.truth(value) else { return false }
            self[keyPath: flag] = setting
            return true
        }
        if let count = Self.counts[key] {
            guard let number = Int(value), count.range.contains(number) else { return false }
            self[keyPath: count.path] = number
            return true
        }
        if let span = Self.spans[key] {
            guard let number = Int(value), (0...86_400_000).contains(number) else { return false }
            self[keyPath: span.path] = span.unit * number
            return true
        }
        switch key {
        case "consent":
            guard let parsed = Consent(value) else { return false }
            consent = parsed
        case "order":
            guard let parsed = Order(rawValue: value) else { return false }
            order = parsed
        case "cross_lens":
            guard let parsed = CrossLens(rawValue: value) else { return false }
            crossLens = parsed
        default:
            return false
        }
        return true
    }

    /// Changes several properties, written as `key=value,key=value`.
    ///
    /// - Returns: the first word that was not understood; nil when all were.
    package mutating func set(words: String) -> String? {
        for word in words.split(separator: ",") {
            let parts = word.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, set(parts[0], to: parts[1]) else { return String(word) }
        }
        return nil
    }

    private typealias Flags = [String: any WritableKeyPath<Behaviour, Bool> & Sendable]
    private typealias Count = (
        path: any WritableKeyPath<Behaviour, Int> & Sendable, range: ClosedRange<Int>
    )
    private typealias Length = (
        path: any WritableKeyPath<Behaviour, TimeSpan> & Sendable, unit: TimeSpan
    )

    private static let flags: Flags = [
        "refuses_receipt": \.refusesReceipt, "mute": \.mute, "no_status": \.withholdsStatus,
        "answers_subscription": \.answersSubscription, "answers_version": \.answersVersion,
        "restarts": \.restarts, "greets": \.greetsWithText, "old": \.old, "noisy": \.noisy,
        "type01": \.asksForAnswers, "splits": \.splits, "ignores_record": \.ignoresRecord,
        "ignores_mode": \.ignoresMode, "sleep_drops_link": \.sleepDropsLink,
    ]

    private static let counts: [String: Count] = [
        "lost": (\.lostPercent, 0...100), "late": (\.latePercent, 0...100),
        "status_lost": (\.statusLostPercent, 0...100), "card_rate": (\.cardRate, 0...1000),
        "late_statuses": (\.lateStatuses, 0...10),
    ]

    private static let spans: [String: Length] = [
        "answer_ms": (\.answerDelay, .milliseconds(1)),
        "jitter_ms": (\.answerJitter, .milliseconds(1)),
        "late_ms": (\.lateDelay, .milliseconds(1)),
        "record_ms": (\.recordDelay, .milliseconds(1)),
        "mode_ms": (\.modeDelay, .milliseconds(1)), "wake_window": (\.wakeWindow, .seconds(1)),
    ]

    private static func truth(_ text: String) -> Bool? {
        switch text {
        case "yes", "on", "1", "true": true
        case "no", "off", "0", "false": false
        default: nil
        }
    }
}

extension Behaviour.Consent {
    /// `known`, `confirm:SECONDS`, `refuse:SECONDS`, `wait`
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        let seconds = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts.first, seconds) {
        case ("known", nil) where parts.count == 1: self = .known
        case ("wait", nil) where parts.count == 1: self = .waits
        case ("confirm", let seconds?) where seconds >= 0:
            self = .confirmed(after: .seconds(seconds))
        case ("refuse", let seconds?) where seconds >= 0: self = .refused(after: .seconds(seconds))
        default: return nil
        }
    }
}
