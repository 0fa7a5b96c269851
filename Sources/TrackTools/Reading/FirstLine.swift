import TrackFormat

/// Why a file is none of ours, by its first line.
enum ForeignFile: Equatable, Sendable {
    case empty
    /// The file grew, but its data never reached the disk.
    case zeros
    /// It ends within a header of ours.
    case cut
    /// A header of ours that ends in CR LF.
    case carriageReturn
    /// A header of ours behind a byte order mark.
    case byteOrderMark
    case other

    /// No row can be in it.
    var leavesNothing: Bool {
        switch self {
        case .empty, .zeros, .cut: true
        case .carriageReturn, .byteOrderMark, .other: false
        }
    }

    /// For people, behind the path.
    var words: String {
        switch self {
        case .empty: "empty"
        case .zeros: "begins with zeros instead of text"
        case .cut: "cut within its header: no row is left"
        case .carriageReturn: "its lines end in CR LF: another program has written it anew"
        case .byteOrderMark: "begins with a byte order mark: another program has written it anew"
        case .other: "not a file of geotagd's: its first line is another one"
        }
    }
}

/// Tells a file's kind by its first line.
enum FirstLine {
    /// Takes the first line.
    static func kind(of reader: LineReader) throws(TrackToolFault) -> TrackFileKind {
        // A line lies in its reader.
        defer { withExtendedLifetime(reader) {} }
        guard let line = try reader.next() else { throw .notOurs(reader.path, .empty) }
        for kind in TrackFileKind.allCases where line.isWhole {
            for header in kind.headers where line.bytes.elementsEqual(header.utf8.dropLast()) {
                return kind
            }
        }
        throw .notOurs(reader.path, reason(line))
    }

    private static func reason(_ line: LineReader.Line) -> ForeignFile {
        if line.bytes.first == 0 { return .zeros }
        let headers = TrackFileKind.allCases.flatMap(\.headers).map { Array($0.utf8.dropLast()) }
        if line.bytes.last == 0x0D, headers.contains(where: line.bytes.dropLast().elementsEqual) {
            return .carriageReturn
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if line.bytes.starts(with: mark),
            headers.contains(where: { line.bytes.dropFirst(mark.count).starts(with: $0) })
        {
            return .byteOrderMark
        }
        let isCut = !line.isWhole && headers.contains { $0.starts(with: line.bytes) }
        return isCut ? .cut : .other
    }
}
