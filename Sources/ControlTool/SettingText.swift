/// The daemon's configuration as text: what `doctor` reads and `setup` rewrites. It keeps comments,
/// order, and all keys that are not set.
struct SettingText: Equatable {
    private(set) var lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// The value of a key; nil where the key is not there.
    func value(_ section: String, _ key: String) -> String? {
        guard let range = range(of: section) else { return nil }
        for line in lines[range] {
            if let pair = Self.pair(line), pair.key == key { return pair.value }
        }
        return nil
    }

    /// Sets a key: in its line where it has one, else at the end of its section.
    mutating func set(_ section: String, _ key: String, to value: String) {
        let line = "\(key) = \(value)"
        guard let range = range(of: section) else {
            if !lines.isEmpty, lines.last != "" { lines.append("") }
            lines += ["[\(section)]", line]
            return
        }
        for index in range where Self.pair(lines[index])?.key == key {
            lines[index] = line
            return
        }
        var end = range.upperBound
        // Blank lines and comments above the next section's head belong to that section.
        while end > range.lowerBound, lines[end - 1].isEmpty || lines[end - 1].hasPrefix("#") {
            end -= 1
        }
        lines.insert(line, at: end)
    }

    /// The names of all `[camera NAME]` sections, with their addresses.
    var cameras: [(name: String, address: String)] {
        lines.compactMap(Self.head).filter { $0.hasPrefix("camera ") }.map { head in
            (String(head.dropFirst("camera ".count)), value(head, "address") ?? "")
        }
    }

    /// The lines of a section, its head left out.
    private func range(of section: String) -> Range<Int>? {
        guard let head = lines.firstIndex(where: { Self.head($0) == section }) else { return nil }
        let rest = lines[(head + 1)...]
        return head + 1..<(rest.firstIndex { Self.head($0) != nil } ?? lines.endIndex)
    }

    private static func head(_ line: String) -> String? {
        let line = trimmed(line[...])
        guard line.hasPrefix("["), line.hasSuffix("]") else { return nil }
        return trimmed(line.dropFirst().dropLast())
    }

    private static func pair(_ line: String) -> (key: String, value: String)? {
        guard !line.hasPrefix("#"), !line.hasPrefix(";"), let sign = line.firstIndex(of: "=") else {
            return nil
        }
        return (trimmed(line[..<sign]), trimmed(line[line.index(after: sign)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
