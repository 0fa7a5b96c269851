import Clock
import Fleet
import OsmoProtocol
import Service

/// What only the daemon has keys for.
extension SettingValue {
    static func address(_ text: String) -> BluetoothAddress? { BluetoothAddress(text) }

    /// Digits, with a point and further digits behind it or not.
    static func decimal(_ text: String, in range: ClosedRange<Double>) -> Double? {
        let bare = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = bare.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ isDigits(String($0)) }),
            let number = Double(text), range.contains(number)
        else { return nil }
        return number
    }

    /// Km/h; `none` becomes a nil within.
    static func speed(_ text: String, in range: ClosedRange<Double>) -> Double?? {
        if text == "none" { return .some(nil) }
        return decimal(text, in: range).map { .some($0) }
    }

    /// Minutes; `none` becomes a nil within.
    static func minutes(_ text: String, in range: ClosedRange<Int>) -> TimeSpan?? {
        if text == "none" { return .some(nil) }
        return number(text, in: range).map { .some(.seconds($0 * 60)) }
    }

    /// `N m` or `N s`; `none` becomes a nil within.
    static func photoInterval(_ text: String) -> AutoSettings.PhotoInterval?? {
        if text == "none" { return .some(nil) }
        let words = text.split(separator: " ")
        guard words.count == 2 else { return nil }
        switch words[1] {
        case "m": return number(String(words[0]), in: 1...100_000).map { .some(.metres($0)) }
        case "s": return number(String(words[0]), in: 1...86_400).map { .some(.seconds($0)) }
        default: return nil
        }
    }

    static func adapters(_ text: String) -> [BluetoothAddress]? {
        if text == "auto" { return [] }
        var adapters: [BluetoothAddress] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = item.filter { $0 != " " && $0 != "\t" }
            guard let address = BluetoothAddress(word), !adapters.contains(address) else {
                return nil
            }
            adapters.append(address)
        }
        return adapters
    }

    /// `utc`, `local`, or `utc` with a sign, hours and, behind a colon, minutes; to 14 hours.
    static func timeField(_ text: String) -> RigSettings.TimeField? {
        if text == "local" { return .local }
        guard text.hasPrefix("utc") else { return nil }
        let offset = text.dropFirst(3)
        guard let sign = offset.first else { return .offset(.zero) }
        guard sign == "+" || sign == "-" else { return nil }
        let parts = offset.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...2).contains(parts[0].utf8.count),
            let hours: Int = number(String(parts[0]), in: 0...14)
        else { return nil }
        var minutes = 0
        if parts.count == 2 {
            guard parts[1].utf8.count == 2, let part: Int = number(String(parts[1]), in: 0...59)
            else { return nil }
            minutes = part
        }
        let total = hours * 60 + minutes
        guard total <= 14 * 60 else { return nil }
        return .offset(.seconds((sign == "-" ? -total : total) * 60))
    }

    /// 1M, the smallest size for `keep`: "30" means days to whoever writes it, and thirty bytes
    /// would delete all tracks.
    static let minKept: Int64 = 1 << 20

    static func rotation(_ text: String) -> TrackSettings.Rotation? {
        text == "day" ? .day : size(text).map { .size($0) }
    }

    static func keep(_ text: String) -> TrackSettings.Keep? {
        if text == "all" { return .all }
        let words = text.split(separator: " ")
        if words.count == 2, words[1] == "days" || words[1] == "day" {
            return number(String(words[0]), in: 1...36500).map { .days($0) }
        }
        return size(text).flatMap { $0 >= minKept ? .size($0) : nil }
    }
}
