import Foundation
import Testing

/// Every `package` declaration says what it is. Witnesses of a protocol are said where the protocol
/// is: operators, raw values, and the parts of a `Message`.
@Suite struct DocumentationTests {
    @Test("Every package declaration has its line") func everyDeclarationHasLine() {
        for file in SourceTree.sources {
            for line in Undocumented.lines(of: file.text) {
                Issue.record("\(file.path):\(line): no /// line")
            }
        }
    }

    @Test("The check sees a declaration without its line, behind attributes too")
    func checkSeesMissing() {
        #expect(Undocumented.lines(of: "package func f() {}") == [1])
        #expect(Undocumented.lines(of: "/// Does it.\npackage func f() {}") == [])
        #expect(Undocumented.lines(of: "/// Does it.\n@inlinable\npackage func f() {}") == [])
        #expect(Undocumented.lines(of: "    @inlinable package var a = 1\n") == [1])
        #expect(Undocumented.lines(of: "// no\npackage struct S {}") == [2])
        #expect(Undocumented.lines(of: "package import Clock\nfunc f() {}") == [])
        #expect(Undocumented.lines(of: "package static func < (a: A, b: A) -> Bool {") == [])
        #expect(Undocumented.lines(of: "package var payload: [UInt8] {") == [])
    }
}

/// The lines, from 1, of `package` declarations without a `///` line.
private enum Undocumented {
    private static let witnesses = [
        "static let opcode", "static let type", "var payload", "var rawValue", "let rawValue",
        "var description", "init?(payload:", "init(rawValue:", "init?(rawValue:",
    ]

    static func lines(of text: String) -> [Int] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " }
        }
        var found: [Int] = []
        for (index, line) in lines.enumerated() {
            guard let declared = declaration(in: line), !isWitness(declared) else { continue }
            var above = index - 1
            while above >= 0, lines[above].hasPrefix("@") || lines[above].hasPrefix("#if") {
                above -= 1
            }
            if above < 0 || !lines[above].hasPrefix("///") { found.append(index + 1) }
        }
        return found
    }

    /// What follows `package`, behind attributes; nil where nothing is declared.
    private static func declaration(in line: Substring) -> Substring? {
        guard line.hasPrefix("package ") || line.hasPrefix("@"),
            let range = line.range(of: "package ")
        else { return nil }
        let attributes = line[..<range.lowerBound].split(separator: " ")
        guard attributes.allSatisfy({ $0.hasPrefix("@") }) else { return nil }
        let declared = line[range.upperBound...]
        return declared.hasPrefix("import ") ? nil : declared
    }

    private static func isWitness(_ declared: Substring) -> Bool {
        if witnesses.contains(where: { declared.hasPrefix($0) }) { return true }
        for word in ["static func ", "static prefix func "] where declared.hasPrefix(word) {
            guard let name = declared.dropFirst(word.count).first else { return false }
            return !name.isLetter
        }
        return false
    }
}
