package import Clock

/// What a file of the track holds.
package enum TrackFileKind: String, CaseIterable, Sendable {
    /// Epochs: positions that any tool can read.
    case track
    /// What happened, and when.
    case events
    /// One row a push.
    case pushes

    /// The file's first line, with its LF.
    package var header: String {
        switch self {
        case .track: TrackRow.header
        case .events: EventRow.header
        case .pushes: PushRow.header
        }
    }

    /// What the first line of such a file may be, with its LF: the present header, then earlier
    /// ones.
    package var headers: [String] {
        self == .pushes ? [header, PushRow.earlierHeader] : [header]
    }
}

/// `KIND-YYYYMMDDTHHMMSSZ[-N].csv`: named by GPS time, so that names sort by time; only those that
/// began in the same second, and are told apart by N, do not.
package struct TrackFileName: Hashable, Sendable {
    /// Whether the file holds the track, its events or its pushes.
    package var kind: TrackFileKind
    /// Whole seconds since 1970.
    package var second: Int64
    /// 0 for a name without suffix; tells files apart that were begun in the same second.
    package var suffix: Int

    /// Names of one second that are tried before giving up.
    package static let maxSuffix = 999

    /// - Parameter time: of the first row; the fraction of a second is cut.
    package init(kind: TrackFileKind, time: UnixTime, suffix: Int = 0) {
        self.kind = kind
        second = time.wholeSeconds
        self.suffix = suffix
    }

    /// nil for any name that this program does not write.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.hasSuffix(".csv"), parts.count == 2 || parts.count == 3,
            let kind = TrackFileKind(rawValue: String(parts[0]))
        else { return nil }
        let stamp = parts.count == 2 ? parts[1].dropLast(4) : parts[1]
        guard let second = Self.second(Array(stamp.utf8)) else { return nil }
        self.kind = kind
        self.second = second
        suffix = 0
        if parts.count == 3 {
            let digits = parts[2].dropLast(4)
            guard let number = Int(digits), String(number) == digits,
                (1...Self.maxSuffix).contains(number)
            else { return nil }
            suffix = number
        }
    }

    /// The name as it stands in the folder.
    package var text: String {
        let time = CivilTime(UnixTime(nanoseconds: second * 1_000_000_000))
        let stamp = time.map { $0.compactText + "Z" } ?? "unknown"
        return "\(kind.rawValue)-\(stamp)\(suffix == 0 ? "" : "-\(suffix)").csv"
    }

    /// The name of the file of another kind that was begun at the same time.
    package func sibling(_ kind: TrackFileKind) -> TrackFileName {
        var name = self
        name.kind = kind
        return name
    }

    /// Whether it was begun before the other; whatever their kinds.
    package func isOlder(than other: TrackFileName) -> Bool {
        (second, suffix) < (other.second, other.suffix)
    }

    /// Reads `YYYYMMDDTHHMMSSZ`; seconds since 1970.
    private static func second(_ text: [UInt8]) -> Int64? {
        guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z"),
            let year = number(text[0..<4]), let month = number(text[4..<6]),
            let day = number(text[6..<8]), let hour = number(text[9..<11]),
            let minute = number(text[11..<13]), let second = number(text[13..<15])
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)?
            .unixTime().wholeSeconds
    }

    /// The number that these digits make; nil where there is anything but digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
