/// What is wrong with a line.
enum LineFault: Error, Equatable {
    /// Fewer or more columns than the header has.
    case columns
    /// A column holds what does not belong there; columns count from 0.
    case value(column: Int)
    /// The two columns of time do not agree.
    case times
    /// Its time is not later than that of the row before.
    case order
    /// It has no LF at its end: it was cut.
    case cut
    case tooLong
    /// It is another header: files were joined.
    case header
    /// It has a CR before its LF.
    case carriageReturn
    /// It has zero bytes, as a file has that grew without its data.
    case zeros

    /// - Parameter header: the header of the file.
    func words(header: String) -> String {
        switch self {
        case .columns: "not as many columns as the header has"
        case .value(let column): "\(Self.name(of: column, in: header)): not as it is written"
        case .times: "datetime_utc_time and epoch_s disagree"
        case .order: "not later than the row before"
        case .cut: "cut: no end of line"
        case .tooLong: "longer than any row"
        case .header: "a second header: files were put together"
        case .carriageReturn: "ends in CR LF: another program has written it anew"
        case .zeros: "zeros instead of text"
        }
    }

    private static func name(of column: Int, in header: String) -> String {
        let names = header.dropLast().split(separator: ",")
        return column < names.count ? String(names[column]) : "column \(column + 1)"
    }
}
