import TrackFormat

/// Undoes what a spreadsheet or an editor does to a file of geotagd's: other line ends, other
/// separators, quotes, decimal commas, and numbers without their last zeros.
struct Respelling {
    let kind: TrackFileKind
    /// The header as geotagd writes it, with its LF.
    let header: String
    /// A comma, a semicolon or a tab.
    let separator: UInt8
    /// For each column the number of decimals that geotagd writes; nil where it holds no number.
    private let decimals: [Int?]

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let detail = "detail"
    private static let decimalsByName: [String: Int] = [
        "latitude": 8, "longitude": 8, "at_latitude": 8, "at_longitude": 8, "alt_msl_m": 2,
        "hae_m": 2, "eph_m": 2, "epv_m": 2, "heading_deg": 2, "hdop": 2, "Speed (m/s)": 3,
        "speed_mps": 3, "climb_mps": 3, "age_s": 3, "epoch_s": 3, "mono_s": 6, "sats": 0,
        "seq": 0, "pushed": 0,
    ]

    /// - Parameter header: a file's first line without its LF; nil where it is no header of
    ///   geotagd's in any spelling.
    init?(header line: some Collection<UInt8>) {
        var bytes = Array(line)
        if bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(3) }
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            let header = Self.fields(bytes, separator).joined(separator: ",") + "\n"
            for kind in TrackFileKind.allCases where kind.headers.contains(header) {
                self.kind = kind
                self.header = header
                self.separator = separator
                decimals = header.dropLast().split(separator: ",").map {
                    Self.decimalsByName[String($0)]
                }
                return
            }
        }
        return nil
    }

    /// The row as geotagd would have written it, as far as that can be known; without its LF.
    func row(_ line: some Collection<UInt8>) -> [UInt8] {
        let names = header.dropLast().split(separator: ",")
        let fields = Self.fields(Array(line), separator)
        var row = RowText()
        for (index, field) in fields.enumerated() {
            if index > 0 { row.comma() }
            guard index < decimals.count else {
                row.append(field)
                continue
            }
            if let places = decimals[index] {
                row.append(Self.number(field, decimals: places) ?? field)
            } else if names[index] == Self.detail {
                row.append(field: field)
            } else {
                row.append(field)
            }
        }
        return row.bytes
    }

    /// The number with so many decimals; nil for what is no plain number, or has more decimals.
    private static func number(_ text: String, decimals: Int) -> String? {
        let parts = text.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { ".,".contains($0) })
        let digits = parts[0].hasPrefix("-") ? parts[0].dropFirst() : parts[0]
        let fraction = parts.count == 2 ? parts[1] : ""
        guard !digits.isEmpty, fraction.utf8.count <= decimals,
            digits.utf8.allSatisfy({ 48...57 ~= $0 }), fraction.utf8.allSatisfy({ 48...57 ~= $0 })
        else { return nil }
        if decimals == 0 { return String(parts[0]) }
        let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
        return "\(parts[0]).\(fraction)\(zeros)"
    }

    /// The fields of a line, without a CR at its end and without the quotes of CSV.
    private static func fields(_ line: [UInt8], _ separator: UInt8) -> [String] {
        let quote = UInt8(ascii: "\"")
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var rest = line.last == 0x0D ? line.dropLast() : line[...]
        while let byte = rest.popFirst() {
            if byte == quote, isQuoted, rest.first == quote {
                field.append(quote)
                rest.removeFirst()
            } else if byte == quote, isQuoted || field.isEmpty {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            } else {
                field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}
