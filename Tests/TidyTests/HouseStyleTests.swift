import Foundation
import Testing

@Suite struct HouseStyleTests {
    @Test("There are sources to look at") func thereSourcesLook() {
        #expect(SourceTree.sources.count > 50)
        #expect(SourceTree.tests.count > 20)
    }

    @Test(
        "Sources contain no escape hatch",
        arguments: [
            #"\basync\b"#, #"\bawait\b"#, #"\bTask\b"#, #"\bactor\b"#, #"import Dispatch"#,
            #"@unchecked"#, #"nonisolated\(unsafe\)"#, #"@preconcurrency"#, #"\btry!"#, #"\bas!"#,
            #"\bfatalError\b"#,
        ])
    func sourcesContainNoEscapeHatch(pattern: String) throws {
        let expression = try NSRegularExpression(pattern: pattern)
        for file in SourceTree.sources {
            let range = NSRange(file.code.startIndex..., in: file.code)
            let hits = expression.numberOfMatches(in: file.code, range: range)
            #expect(hits == 0, "\(file.path) contains \(pattern)")
        }
    }

    @Test("Sources import no Foundation") func sourcesImportNoFoundation() {
        for file in SourceTree.sources {
            #expect(!file.code.contains("import Foundation"), "\(file.path) imports Foundation")
        }
    }

    /// Swift before 6.2 knows no raw identifiers, and Debian 13 ships 6.0.
    @Test("No test is named by a raw identifier") func noRawIdentifier() {
        #expect(RawIdentifier.stands(in: "@Test func `A sentence`() {}"))
        #expect(!RawIdentifier.stands(in: "func `default`() {}"))
        for file in SourceTree.sources + SourceTree.tests {
            #expect(!RawIdentifier.stands(in: file.code), "\(file.path)")
        }
    }

    @Test("No file is longer than 400 lines") func noFileLongerThan400() {
        for file in SourceTree.sources + SourceTree.tests {
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 400, "\(file.path) has \(lines) lines")
        }
    }

    @Test("No function is longer than 70 lines") func noFunctionLongerThan70() {
        for file in SourceTree.sources {
            for function in FunctionLengths.of(file.code) where function.lines > 70 {
                Issue.record("\(file.path):\(function.line): \(function.lines) lines")
            }
        }
    }

    @Test("The check of function lengths sees a long one") func checkFunctionLengthsSeesLong() {
        let long = "func f() {\n" + String(repeating: "    g()\n", count: 70) + "}\n"
        #expect(FunctionLengths.of(long).map(\.lines) == [72])
        let short = "init() { self.a = { 1 }() }\nvar x: Int { 1 }\n"
        #expect(FunctionLengths.of(short).map(\.lines) == [1])
    }

    @Test("Only one file of Navigation touches the C library") func onlyOneFileNavigationTouches() {
        let users = SourceTree.sources.filter {
            $0.path.hasPrefix("Sources/Navigation/") && $0.code.contains("import Glibc")
        }
        #expect(users.count <= 1, "\(users.map(\.path))")
    }

    @Test(
        "A pure target imports only pure targets",
        arguments: SourceTree.pureTargets)
    func pureTargetImportsOnlyPure(target: String) throws {
        let allowed = Set(
            SourceTree.pureTargets + ["Synchronization"] + (target == "Navigation" ? ["Glibc"] : [])
        )
        let expression = try NSRegularExpression(
            pattern: #"^\s*(?:package |internal |private )?import (?:\w+ )?(\w+)"#,
            options: .anchorsMatchLines)
        for file in SourceTree.sources where file.path.hasPrefix("Sources/\(target)/") {
            let range = NSRange(file.code.startIndex..., in: file.code)
            for match in expression.matches(in: file.code, range: range) {
                let name = Range(match.range(at: 1), in: file.code).map { String(file.code[$0]) }
                #expect(allowed.contains(name ?? ""), "\(file.path) imports \(name ?? "?")")
            }
        }
    }
}

/// Finds names in backticks that are no words.
enum RawIdentifier {
    static func stands(in code: String) -> Bool {
        code.contains(#/(?:func|case|let|var|struct|enum) `[^`\n]*[^`\w\n][^`\n]*`/#)
    }
}

/// Finds where functions and initialisers begin and how many lines they have, by counting braces.
enum FunctionLengths {
    static func of(_ code: String) -> [(line: Int, lines: Int)] {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        let words = ["func ", "init(", "init?(", "deinit ", "subscript("]
        var found: [(line: Int, lines: Int)] = []
        var open: [(start: Int, depth: Int)] = []
        var depth = 0
        var pending: Int?
        for (number, line) in lines.enumerated() {
            let trimmed = line.drop { $0 == " " }
            let isCall = trimmed.contains(".init(") || trimmed.hasPrefix("self.init")
            if pending == nil, !isCall, words.contains(where: { trimmed.contains($0) }) {
                pending = number
            }
            for character in line {
                if character == "{" {
                    if let start = pending {
                        open.append((start, depth))
                        pending = nil
                    }
                    depth += 1
                } else if character == "}" {
                    depth -= 1
                    if let last = open.last, last.depth == depth {
                        found.append((last.start + 1, number - last.start + 1))
                        open.removeLast()
                    }
                }
            }
        }
        return found
    }
}
