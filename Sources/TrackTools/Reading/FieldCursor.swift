import Clock

/// Reads the fields of a row strictly: anything that geotagd would not have written is a fault.
struct FieldCursor {
    private let line: UnsafeRawBufferPointer
    private var index = 0
    /// The column of the present field, counted from 0.
    private(set) var column = 0
    fileprivate var isAtEnd = false

    init(_ line: UnsafeRawBufferPointer) { self.line = line }

    /// Throws unless all fields were read.
    func end() throws(LineFault) {
        guard isAtEnd else { throw .columns }
    }

    private mutating func next() throws(LineFault) {
        if isAtEnd { throw .columns }
        if index == line.count {
            isAtEnd = true
        } else {
            guard line[index] == UInt8(ascii: ",") else { throw .value(column: column) }
            index += 1
        }
        column += 1
    }

    private func digit() -> Int64? {
        guard index < line.count else { return nil }
        let value = line[index] &- UInt8(ascii: "0")
        return value < 10 ? Int64(value) : nil
    }

    private var isEmpty: Bool { index == line.count || line[index] == UInt8(ascii: ",") }

    /// Reads a number with exactly so many decimals, in units of the last one; nil where it is
    /// empty.
    mutating func number(decimals: Int) throws(LineFault) -> Int64? {
        if isAtEnd { throw .columns }
        if isEmpty {
            try next()
            return nil
        }
        let isNegative = line[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var value: Int64 = 0
        let start = index
        while let digit = digit(), index - start < 18 {
            value = value * 10 + digit
            index += 1
        }
        guard index > start else { throw .value(column: column) }
        if decimals > 0 {
            guard index < line.count, line[index] == UInt8(ascii: ".") else {
                throw .value(column: column)
            }
            index += 1
            for _ in 0..<decimals {
                guard let digit = digit(), value < 100_000_000_000_000_000 else {
                    throw .value(column: column)
                }
                value = value * 10 + digit
                index += 1
            }
        }
        try next()
        return isNegative ? -value : value
    }

    /// Reads a number that must be there and within bounds.
    mutating func number(
        decimals: Int, in range: ClosedRange<Int64>
    ) throws(LineFault) -> Int64 {
        let column = column
        guard let value = try number(decimals: decimals), range.contains(value) else {
            throw .value(column: column)
        }
        return value
    }

    /// Reads a number that may be missing, and must be within bounds where it is there.
    mutating func optional(
        decimals: Int, in range: ClosedRange<Int64>
    ) throws(LineFault) -> Int64? {
        let column = column
        let value = try number(decimals: decimals)
        if let value, !range.contains(value) { throw .value(column: column) }
        return value
    }

    /// Reads a measurement, which must be one of those that a row can hold.
    ///
    /// - Parameter least: the lower bound; nil for the negative of the upper one.
    mutating func measurement(
        decimals: Int, least: Int64? = nil
    ) throws(LineFault) -> Int64? {
        let most = Self.maxUnits[decimals]
        return try optional(decimals: decimals, in: (least ?? -most)...most)
    }

    /// The bound of `RowText`, a thousand millions, in units of so many decimals.
    private static let maxUnits: [Int64] = [
        1_000_000_000, 10_000_000_000, 100_000_000_000, 1_000_000_000_000,
    ]

    /// Reads the bytes up to the comma, where nothing is quoted. They are valid as long as the line
    /// is.
    mutating func text() throws(LineFault) -> UnsafeRawBufferPointer {
        if isAtEnd { throw .columns }
        let start = index
        while index < line.count, line[index] != UInt8(ascii: ",") {
            guard line[index] >= 0x20, line[index] != UInt8(ascii: "\"") else {
                throw .value(column: column)
            }
            index += 1
        }
        let text = UnsafeRawBufferPointer(rebasing: line[start..<index])
        try next()
        return text
    }

    /// Reads a field that may be quoted as CSV allows it.
    mutating func quotedText() throws(LineFault) -> String {
        guard !isAtEnd, index < line.count, line[index] == UInt8(ascii: "\"") else {
            return String(decoding: try text(), as: UTF8.self)
        }
        var bytes: [UInt8] = []
        index += 1
        while true {
            guard index < line.count, line[index] >= 0x20 else { throw .value(column: column) }
            let byte = line[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard index < line.count, line[index] == UInt8(ascii: "\"") else { break }
                index += 1
            }
            bytes.append(byte)
        }
        try next()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `2026-07-01 10:00:00.100Z` as milliseconds since 1970; nil where it is empty.
    ///
    /// - Parameter separator: between date and time of day.
    mutating func time(separator: UInt8) throws(LineFault) -> Int64? {
        if isAtEnd { throw .columns }
        if isEmpty {
            try next()
            return nil
        }
        guard index + 24 <= line.count else { throw .value(column: column) }
        let text = UnsafeRawBufferPointer(rebasing: line[index..<index + 24])
        guard let time = Self.milliseconds(text, separator: separator) else {
            throw .value(column: column)
        }
        index += 24
        try next()
        return time
    }

    private static func milliseconds(
        _ text: UnsafeRawBufferPointer, separator: UInt8
    ) -> Int64? {
        func number(_ start: Int, _ count: Int) -> Int? {
            var value = 0
            for index in start..<start + count {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        let dash = UInt8(ascii: "-")
        let colon = UInt8(ascii: ":")
        guard text[4] == dash, text[7] == dash, text[10] == separator, text[13] == colon,
            text[16] == colon, text[19] == UInt8(ascii: "."), text[23] == UInt8(ascii: "Z"),
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            let thousandths = number(20, 3),
            let time = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        return time.unixTime().wholeSeconds * 1000 + Int64(thousandths)
    }
}

extension FieldCursor {
    /// All fields were read.
    var hasEnded: Bool { isAtEnd }
}
