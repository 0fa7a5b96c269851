/// Large letters of five lines, drawn with blocks.
enum BigText {
    /// Lines of a letter.
    static let height = 5
    /// Columns of a letter with the space behind it, narrow and wide.
    static let narrow = 4
    static let wide = 8

    /// The text as five lines. A dot has two columns where the text fits that way, else one; a text
    /// that is still too long is cut.
    static func lines(_ text: String, width: Int) -> [String] {
        let letters = Array(text.uppercased())
        let dot = letters.count * wide - 2 <= width ? 2 : 1
        let fitting = letters.prefix(max(1, (width + dot) / (narrow * dot)))
        return (0..<height).map { row in
            let line = fitting.map { letter in
                let bits = glyphs[letter] ?? glyphs["?"] ?? []
                return (0..<3).map { column in
                    let isSet = bits.count == height && bits[row] & (4 >> column) != 0
                    return String(repeating: isSet ? "█" : " ", count: dot)
                }.joined()
            }.joined(separator: String(repeating: " ", count: dot))
            return String(line.prefix(width))
        }
    }

    /// Five rows of three dots each; the left dot is the highest bit.
    private static let glyphs: [Character: [UInt8]] = [
        "A": [2, 5, 7, 5, 5], "B": [6, 5, 6, 5, 6], "C": [3, 4, 4, 4, 3], "D": [6, 5, 5, 5, 6],
        "E": [7, 4, 6, 4, 7], "F": [7, 4, 6, 4, 4], "G": [3, 4, 5, 5, 3], "H": [5, 5, 7, 5, 5],
        "I": [7, 2, 2, 2, 7], "J": [1, 1, 1, 5, 2], "K": [5, 5, 6, 5, 5], "L": [4, 4, 4, 4, 7],
        "M": [5, 7, 7, 5, 5], "N": [6, 5, 5, 5, 5], "O": [7, 5, 5, 5, 7], "P": [6, 5, 6, 4, 4],
        "Q": [2, 5, 5, 6, 3], "R": [6, 5, 6, 5, 5], "S": [3, 4, 2, 1, 6], "T": [7, 2, 2, 2, 2],
        "U": [5, 5, 5, 5, 7], "V": [5, 5, 5, 5, 2], "W": [5, 5, 7, 7, 5], "X": [5, 5, 2, 5, 5],
        "Y": [5, 5, 2, 2, 2], "Z": [7, 1, 2, 4, 7], "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7],
        "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7], "4": [5, 5, 7, 1, 1], "5": [7, 4, 7, 1, 7],
        "6": [7, 4, 7, 5, 7], "7": [7, 1, 2, 2, 2], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
        "/": [1, 1, 2, 4, 4], ":": [0, 2, 0, 2, 0], "-": [0, 0, 7, 0, 0], ".": [0, 0, 0, 0, 2],
        "_": [0, 0, 0, 0, 7], "+": [0, 2, 7, 2, 0], "?": [7, 1, 3, 0, 2], " ": [0, 0, 0, 0, 0],
    ]
}
