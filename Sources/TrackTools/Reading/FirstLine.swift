import TrackFormat

/// Why a file is not one of geotagd's, by its first line.
enum ForeignFile: Equatable, Sendable {
    case empty
    /// The file grew, but its data never reached the disk.
    case zeros
    /// It ends within a header of geotagd's.
    case cut
    /// It has a header of geotagd's that ends in CR LF.
    case carriageReturn
    /// It has a header of geotagd's behind a byte order mark.
    case byteOrderMark
    /// It has a header of geotagd's with semicolons, tabs or quotes.
    case separator
    /// Its first line is another one.
    case other

    /// No row can be in it.
    var leavesNothing: Bool {
        switch self {
        case .empty, .zeros, .cut: true
        case .carriageReturn, .byteOrderMark, .separator, .other: false
        }
    }

    /// Another program has rewritten a file of geotagd's; `check --repair` can undo that.
    var isRespelt: Bool {
        switch self {
        case .carriageReturn, .byteOrderMark, .separator: true
        case .empty, .zeros, .cut, .other: false
        }
    }

    /// The reason for people, to stand behind the path.
    var words: String {
        switch self {
        case .empty: "empty"
        case .zeros: "begins with zeros instead of text"
        case .cut: "cut within its header: no row is left"
        case .carriageReturn: "its lines end in CR LF" + Self.anew
        case .byteOrderMark: "begins with a byte order mark" + Self.anew
        case .separator: "its fields are separated by something else than commas" + Self.anew
        case .other: "not a file of geotagd's: its first line is another one"
        }
    }

    private static let anew =
        ": another program has written it anew; `geotagctl track check --repair` makes it ours again"
}

/// Tells a file's kind by its first line.
enum FirstLine {
    /// Reads the first line.
    static func kind(of reader: LineReader) throws(TrackToolFault) -> TrackFileKind {
        // The line's bytes belong to the reader.
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
        if line.isWhole, line.fits, Respelling(header: line.bytes) != nil { return .separator }
        let isCut = !line.isWhole && headers.contains { $0.starts(with: line.bytes) }
        return isCut ? .cut : .other
    }
}
