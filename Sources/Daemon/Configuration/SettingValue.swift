import Clock
import Fleet
import Glibc
import OsmoProtocol

/// Readers of single values: nil for one that is not allowed.
enum SettingValue {
    /// What `sockaddr_un` holds, without its closing NUL.
    static let maxSocketPathLength = 107
    /// What the kernel takes, without the closing NUL.
    static let maxPathLength = 4095

    static func number<Number: FixedWidthInteger>(
        _ text: String, in range: ClosedRange<Number>
    ) -> Number? {
        guard isDigits(text), let number = Number(text), range.contains(number) else { return nil }
        return number
    }

    static func flag(_ text: String, _ yes: String, _ no: String) -> Bool? {
        text == yes ? true : text == no ? false : nil
    }

    /// A name, or an IPv4 or IPv6 address; no `HOST:PORT`.
    static func host(_ text: String) -> String? {
        guard (1...253).contains(text.utf8.count),
            !text.contains(where: { " \t\"'/[]".contains($0) })
        else { return nil }
        guard text.contains(":") else { return text }
        var address = in6_addr()
        let bare = text.prefix { $0 != "%" }
        return inet_pton(AF_INET6, String(bare), &address) == 1 ? text : nil
    }

    /// A receiver as gpsd names it; empty becomes a nil within.
    static func device(_ text: String) -> String?? {
        if text.isEmpty { return .some(nil) }
        return text.contains(where: { " \t\"'".contains($0) }) ? nil : .some(text)
    }

    /// An absolute path; `none` becomes a nil within.
    static func path(_ text: String) -> String?? {
        if text == "none" { return .some(nil) }
        let fits = (1...maxPathLength).contains(text.utf8.count)
        return fits && text.hasPrefix("/") ? .some(text) : nil
    }

    static func socketPath(_ text: String) -> String?? {
        text.utf8.count <= maxSocketPathLength ? path(text) : nil
    }

    static func group(_ text: String) -> String?? {
        if text.isEmpty { return .some(nil) }
        let fits = text.utf8.count <= 32 && !text.contains(where: { " \t:,\"'".contains($0) })
        return fits ? .some(text) : nil
    }

    static func address(_ text: String) -> BluetoothAddress? { BluetoothAddress(text) }

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

    /// 1024G, the largest size in bytes.
    static let maxSize: Int64 = 1 << 40
    /// 1M, the smallest size for `keep`: "30" means days to whoever writes it, and thirty bytes
    /// would delete all tracks.
    static let minKept: Int64 = 1 << 20

    /// Bytes: a number of at least 1, with K, M or G for powers of 1024; up to 1024G.
    static func size(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text : String(text.dropLast())
        guard let count: Int64 = number(digits, in: 1...maxSize) else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        return overflow || bytes > maxSize ? nil : bytes
    }

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

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 18
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
