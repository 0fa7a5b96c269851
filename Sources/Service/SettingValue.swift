import Glibc

/// Readers of single values: nil for one that is not allowed.
package enum SettingValue {
    /// What `sockaddr_un` holds, without its closing NUL.
    package static let maxSocketPathLength = 107
    /// What the kernel takes, without the closing NUL.
    package static let maxPathLength = 4095

    /// A whole number within `range`, digits alone.
    package static func number<Number: FixedWidthInteger>(
        _ text: String, in range: ClosedRange<Number>
    ) -> Number? {
        guard isDigits(text), let number = Number(text), range.contains(number) else { return nil }
        return number
    }

    /// One of two words; true for the first.
    package static func flag(_ text: String, _ yes: String, _ no: String) -> Bool? {
        text == yes ? true : text == no ? false : nil
    }

    /// A name, or an IPv4 or IPv6 address; no `HOST:PORT`.
    package static func host(_ text: String) -> String? {
        guard (1...253).contains(text.utf8.count),
            !text.contains(where: { " \t\"'/[]".contains($0) })
        else { return nil }
        guard text.contains(":") else { return text }
        var address = in6_addr()
        let bare = text.prefix { $0 != "%" }
        return inet_pton(AF_INET6, String(bare), &address) == 1 ? text : nil
    }

    /// A receiver as gpsd names it; empty becomes a nil within.
    package static func device(_ text: String) -> String?? {
        if text.isEmpty { return .some(nil) }
        return text.contains(where: { " \t\"'".contains($0) }) ? nil : .some(text)
    }

    /// An absolute path; `none` becomes a nil within.
    package static func path(_ text: String) -> String?? {
        if text == "none" { return .some(nil) }
        let fits = (1...maxPathLength).contains(text.utf8.count)
        return fits && text.hasPrefix("/") ? .some(text) : nil
    }

    /// An absolute path that a socket can have; `none` becomes a nil within.
    package static func socketPath(_ text: String) -> String?? {
        text.utf8.count <= maxSocketPathLength ? path(text) : nil
    }

    /// A name as groups have; empty becomes a nil within.
    package static func group(_ text: String) -> String?? {
        if text.isEmpty { return .some(nil) }
        let fits = text.utf8.count <= 32 && !text.contains(where: { " \t:,\"'".contains($0) })
        return fits ? .some(text) : nil
    }

    /// 1024G, the largest size in bytes.
    package static let maxSize: Int64 = 1 << 40
    /// Bytes: a number of at least 1, with K, M or G for powers of 1024; up to 1024G.
    package static func size(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text : String(text.dropLast())
        guard let count: Int64 = number(digits, in: 1...maxSize) else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        return overflow || bytes > maxSize ? nil : bytes
    }

    /// Digits alone, at least one.
    package static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 18
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
