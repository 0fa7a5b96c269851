/// A text of `[section]` heads and `key = value` lines, as BlueZ's and systemd's files are.
///
/// Comments are whole lines beginning with `#` or `;`. Space around heads, keys and values does not
/// count; a value may be empty and may hold anything, `#` and `=` included. Every fault is kept, so
/// that a reader of the file sees all of them at once.
package struct INIText {
    /// One `[NAME]` or `[NAME ARGUMENT]` with its lines.
    package struct Section: Equatable {
        /// The first word of the head.
        package var name: String
        /// What follows the first space of the head; empty for none.
        package var argument: String
        /// Counted from 1.
        package var line: Int
        /// In the order of the file.
        package var entries: [Entry] = []
    }

    /// One `key = value`.
    package struct Entry: Equatable {
        /// What stands before the sign.
        package var key: String
        /// What stands behind it; may be empty.
        package var value: String
        /// Counted from 1.
        package var line: Int
    }

    /// Bytes of a line; a longer one is a fault.
    package static let maxLineLength = 8192

    /// In the order of the file; one with a head that cannot be read has an empty name.
    package private(set) var sections: [Section] = []
    /// What is wrong with the form of its lines.
    package private(set) var faults: [ConfigurationFault] = []

    /// Reads all lines; LF or CR LF ends each, a byte order mark at the start does not count.
    package init(_ bytes: some Collection<UInt8>) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            read(Array(line), number: index + 1)
        }
    }

    private mutating func read(_ bytes: [UInt8], number: Int) {
        guard bytes.count <= Self.maxLineLength else {
            return fault(number, .longLine)
        }
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") })
        else { return fault(number, .notText) }
        let line = trimmed(text)
        switch line.first {
        case nil, "#", ";": return
        case "[": head(line, number: number)
        default: entry(line, number: number)
        }
    }

    private mutating func head(_ line: Substring, number: Int) {
        guard line.last == "]", line.filter({ $0 == "[" || $0 == "]" }).count == 2 else {
            // What follows belongs to nothing that is known; better one fault than one for each.
            sections.append(Section(name: "", argument: "", line: number))
            return fault(number, .badHead)
        }
        let inside = trimmed(line.dropFirst().dropLast())
        let name = inside.prefix { $0 != " " && $0 != "\t" }
        let argument = trimmed(inside[name.endIndex...])
        sections.append(Section(name: String(name), argument: String(argument), line: number))
        if name.isEmpty { fault(number, .badHead) }
    }

    private mutating func entry(_ line: Substring, number: Int) {
        guard let sign = line.firstIndex(of: "="), sign != line.startIndex else {
            return fault(number, .notAnEntry)
        }
        let key = String(trimmed(line[..<sign]))
        guard !sections.isEmpty else {
            return faults.append(
                ConfigurationFault(line: number, section: nil, key: key, problem: .noSection))
        }
        let value = String(trimmed(line[line.index(after: sign)...]))
        let last = sections.count - 1
        if let first = sections[last].entries.first(where: { $0.key == key }) {
            return faults.append(
                ConfigurationFault(
                    line: number, section: sections[last].title, key: key,
                    problem: .twice(firstLine: first.line)))
        }
        sections[last].entries.append(Entry(key: key, value: value, line: number))
    }

    private mutating func fault(_ line: Int, _ problem: ConfigurationFault.Problem) {
        faults.append(ConfigurationFault(line: line, section: nil, key: nil, problem: problem))
    }

    private func trimmed(_ text: some StringProtocol) -> Substring {
        var rest = Substring(text)
        rest = rest.drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}

extension INIText {
    /// Where the key of this entry stood first.
    package func line(of entry: Entry, _ section: Section) -> Int {
        sections.filter { $0.name == section.name }.flatMap(\.entries)
            .first { $0.key == entry.key }?.line ?? entry.line
    }
}

extension INIText.Section {
    /// What is wrong with the section itself.
    package func fault(_ problem: ConfigurationFault.Problem) -> ConfigurationFault {
        ConfigurationFault(line: line, section: title, key: nil, problem: problem)
    }

    /// What is wrong with one of its entries.
    package func fault(
        _ entry: INIText.Entry, _ problem: ConfigurationFault.Problem
    ) -> ConfigurationFault {
        ConfigurationFault(line: entry.line, section: title, key: entry.key, problem: problem)
    }

    /// As it stands between the brackets.
    package var title: String { argument.isEmpty ? name : name + " " + argument }
}
