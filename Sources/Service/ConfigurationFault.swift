/// One thing that is wrong in a configuration or roster file.
package struct ConfigurationFault: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Problem: Equatable, Sendable {
        case longLine
        /// Invalid UTF-8 or control bytes.
        case notText
        case badHead
        /// Neither head, entry nor comment.
        case notAnEntry
        /// An entry before the first head.
        case noSection
        case unknownSection(allowed: String)
        case unknownKey(allowed: String)
        case badValue(String, allowed: String)
        /// The same key earlier in the section, or the same camera earlier in the file.
        case twice(firstLine: Int)
        /// The value is already that of another camera.
        case taken(String, by: String)
        /// The section lacks this key.
        case missing(allowed: String)
        case badCameraName
        /// The name of a `[place NAME]`.
        case badPlaceName
        /// More places than the bound, which is told.
        case tooManyPlaces(bound: Int)
        /// More cameras than there are numbers.
        case tooManyCameras
        /// The machine lacks what the value names: what, and the way out.
        case surroundings(String)
    }

    /// Counted from 1.
    package var line: Int
    /// As it stands between the brackets; nil where the line itself cannot be read.
    package var section: String?
    /// The key; nil where the line or section itself is wrong.
    package var key: String?
    /// What is wrong with it.
    package var problem: Problem

    /// What the program that reads the file adds: what was perhaps meant. Empty for nothing.
    package var advice = ""

    /// A fault without advice.
    package init(line: Int, section: String?, key: String?, problem: Problem) {
        self.line = line
        self.section = section
        self.key = key
        self.problem = problem
    }

    /// `FILE:LINE: [section] key: what is wrong, what is allowed`.
    package func text(file: String) -> String {
        var text = "\(file):\(line): "
        if let section { text += "[\(section)]" + (key == nil ? ": " : " ") }
        if let key { text += key + ": " }
        return text + problem.text + (advice.isEmpty ? hint : advice)
    }

    /// What people often mean by a value that is not allowed.
    private var hint: String {
        guard case .badValue(let value, _) = problem else { return "" }
        if value.contains(" #") || value.contains(" ;") {
            return " (a comment needs a line of its own)"
        }
        if let first = value.first, first == "\"" || first == "'" {
            return " (values stand without quotes)"
        }
        if value.hasPrefix("~") { return " (~ is not expanded: write /home/NAME/…)" }
        return ""
    }
}

extension ConfigurationFault.Problem {
    /// What is wrong and what is allowed.
    package var text: String {
        switch self {
        case .longLine: "the line is longer than \(INIText.maxLineLength) bytes"
        case .notText: "not UTF-8 text, or control bytes in it"
        case .badHead: "a section is written [name], and a camera's [camera NAME]"
        case .notAnEntry: "neither [section], key = value nor a # comment"
        case .noSection: "key = value before the first [section]"
        case .unknownSection(let allowed): "unknown section; allowed: \(allowed)"
        case .unknownKey(let allowed): "unknown key; allowed: \(allowed)"
        case .badValue(let value, let allowed):
            "\"\(value)\" is not allowed; allowed: \(allowed)"
        case .twice(let firstLine): "given twice, first in line \(firstLine)"
        case .taken(let value, let name): "\(value) is already that of camera \(name)"
        case .missing(let allowed): "is needed: \(allowed)"
        case .badCameraName:
            "a camera name is 1 to 32 of A-Z a-z 0-9 . _ -, not all, not digits only"
        case .badPlaceName: "a place's name is 1 to 32 of A-Z a-z 0-9 . _ -, and not - alone"
        case .tooManyPlaces(let bound): "more than \(bound) places"
        case .tooManyCameras: "more than 99 cameras"
        case .surroundings(let text): text
        }
    }
}
