/// Text of one screen line, in pieces with a style each.
struct StyledText: Equatable {
    /// How a piece looks on a terminal with colours.
    enum Style: Equatable {
        case plain, strong, faint, good, attention, alarm

        /// ECMA-48, select graphic rendition.
        var code: String {
            switch self {
            case .plain: ""
            case .strong: "1"
            case .faint: "2"
            case .good: "32"
            case .attention: "33"
            case .alarm: "1;31"
            }
        }
    }

    private(set) var pieces: [(text: String, style: Style)] = []

    init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    /// Characters, each of one column.
    var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

    mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces.append((text, style)) }
    }

    mutating func append(_ other: StyledText) { pieces += other.pieces }

    /// Cut or padded with spaces to a width.
    func fitted(_ columns: Int) -> StyledText {
        var fitted = cut(columns)
        fitted.append(String(repeating: " ", count: columns - fitted.width))
        return fitted
    }

    /// Cut to a width.
    func cut(_ columns: Int) -> StyledText {
        var fitted = StyledText()
        var left = columns
        for piece in pieces where left > 0 {
            let text = piece.text.prefix(left)
            fitted.append(String(text), piece.style)
            left -= text.count
        }
        return fitted
    }

    /// The text with the codes that a terminal needs, or without colours.
    func rendered(colours: Bool) -> String {
        pieces.map { piece in
            guard colours, piece.style != .plain else { return piece.text }
            return "\u{1B}[\(piece.style.code)m\(piece.text)\u{1B}[0m"
        }.joined()
    }

    static func == (left: StyledText, right: StyledText) -> Bool {
        left.rendered(colours: true) == right.rendered(colours: true)
    }
}
