import Clock

/// The words behind `geotagctl track VERB`.
struct Arguments {
    private(set) var paths: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// - Parameters:
    ///   - options: the options with a value, such as `--from`.
    ///   - flags: the options without a value.
    init(
        _ words: some Sequence<String>, options: Set<String>, flags: Set<String> = []
    ) throws(TrackToolFault) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                paths += rest
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if flags.contains(word) {
                self.flags.insert(word)
            } else if options.contains(name), word.hasPrefix("--") {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw .usage("\(name) needs a value")
                }
                values[name] = value
            } else if word.hasPrefix("-"), word != "-" {
                throw .usage("unknown option \(word)")
            } else {
                paths.append(word)
            }
        }
        if paths.isEmpty { throw .usage("which files? Name tracks, or a folder of them") }
    }

    subscript(option: String) -> String? { values[option] }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// `--from` and `--to` in milliseconds since 1970, both included.
    func span() throws(TrackToolFault) -> ClosedRange<Int64> {
        let from = try instant("--from", isEnd: false) ?? .min
        let to = try instant("--to", isEnd: true) ?? .max
        guard from <= to else { throw .usage("--from is later than --to") }
        return from...to
    }

    /// - Parameter isEnd: a date alone means the end of that day.
    private func instant(_ option: String, isEnd: Bool) throws(TrackToolFault) -> Int64? {
        guard let text = values[option] else { return nil }
        guard let instant = InstantText.milliseconds(text, isEnd: isEnd) else {
            throw .usage("\(option) \(text): a UTC instant is written 2026-07-01T10:00:00.100Z")
        }
        return instant
    }
}

/// Reads instants as people type them.
enum InstantText {
    /// `2026-07-01`, then `T` or a space and `10:00`, `10:00:00` or `10:00:00.1`, with or without
    /// `Z`: it is always UTC. Milliseconds since 1970; nil for anything else.
    ///
    /// - Parameter isEnd: a date alone means the end of that day, not its beginning.
    static func milliseconds(_ text: String, isEnd: Bool = false) -> Int64? {
        var text = text[...]
        if text.last == "Z" { text.removeLast() }
        let halves = text.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "T ".contains($0) })
        let date = numbers(halves[0], separator: "-")
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2] else {
            return nil
        }
        guard halves.count == 2 else {
            let rest: Int64 = isEnd ? 86_400_000 - 1 : 0
            return CivilTime(year: year, month: month, day: day).map { milliseconds($0) + rest }
        }
        let clock = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        let time = numbers(clock[0], separator: ":")
        guard clock.count <= 2, time.count == 2 || time.count == 3, let hour = time[0],
            let minute = time[1], let second = time.count == 3 ? time[2] : 0
        else { return nil }
        var thousandths = 0
        if clock.count == 2 {
            guard time.count == 3, (1...3).contains(clock[1].count), let digits = number(clock[1])
            else { return nil }
            thousandths = digits * [100, 10, 1][clock[1].count - 1]
        }
        return CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second
        ).map { milliseconds($0) + Int64(thousandths) }
    }

    private static func milliseconds(_ time: CivilTime) -> Int64 {
        time.unixTime().wholeSeconds * 1000
    }

    private static func numbers(_ text: Substring, separator: Character) -> [Int?] {
        text.split(separator: separator, omittingEmptySubsequences: false).map(number)
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            return nil
        }
        return Int(digits)
    }
}
