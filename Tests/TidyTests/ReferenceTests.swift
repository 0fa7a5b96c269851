import Foundation
import Testing

/// "protocol 3.9", "field note D7", "decision 12" and "contract 3.2" each lead to a place in
/// `docs/`.
@Suite struct ReferenceTests {
    private static let references = References(
        References.Book.allCases.reduce(into: [:]) { texts, book in
            texts[book] = SourceTree.text("docs/" + book.rawValue) ?? ""
        })

    @Test("Every reference to a book resolves")
    func referencesResolve() {
        var count = 0
        for file in SourceTree.texts where !file.path.hasSuffix("TidyTests/ReferenceTests.swift") {
            for (reference, missing) in Self.references.all(in: file.text) {
                count += 1
                #expect(missing.isEmpty, "\(file.path): \"\(reference)\" leads nowhere: \(missing)")
            }
        }
        #expect(count > 150)
    }

    @Test("The books have their numbers")
    func booksHaveNumbers() {
        #expect(Self.references.count(.protocolBook) >= 39)
        #expect(Self.references.count(.contract) >= 50)
        #expect(Self.references.count(.decisions) >= 19 + 12)
        #expect(Self.references.count(.fieldNotes) >= 100)
    }

    @Test(
        "A right reference resolves",
        arguments: [
            "(protocol 3.9)", "protocol section 3", "the wire (protocol 3.5, 6.5)",
            "field note D7", "field D15", "field notes A9.1", "field notes D5, D16",
            "Field notes D1 to D7, D14", "field notes C)", "field D4, D9", "field notes\n/// A2.6",
            "decision 12", "decisions 6 to 10", "design decision 7", "design decisions 6 and 9",
            "decision\n    // 10", "trap T3", "contract 3.2", "contract section 5",
            "a protocol of 3 steps", "a field 7 bytes long", "the decision to push",
        ])
    func rightReference(text: String) {
        for (reference, missing) in Self.references.all(in: text) {
            #expect(missing.isEmpty, "\(reference)")
        }
    }

    @Test(
        "A planted wrong reference is found",
        arguments: [
            ("protocol 3.99", ["3.99"]), ("protocol section 42", ["42"]),
            ("protocol 3.5, 9.5", ["9.5"]), ("field note D77", ["D77"]),
            ("field D15, D42", ["D42"]), ("field notes A9.99", ["A9.99"]),
            ("field notes D19 to D22", ["D21", "D22"]), ("field notes\n    /// D77", ["D77"]),
            ("design decision 77", ["77"]), ("decisions 6 and 88", ["88"]),
            ("Decisions 6, 8 and 99", ["99"]), ("trap T99", ["T99"]),
            ("contract 5.99", ["5.99"]), ("design section 5", ["design section 5"]),
        ])
    func wrongReference(text: String, missing: [String]) {
        #expect(Self.references.all(in: text).flatMap(\.missing) == missing)
    }
}
