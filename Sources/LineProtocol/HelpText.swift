/// What `help` says: free text.
package enum HelpText {
    /// The lines for `help VERB`, or for `help` alone where `verb` is nil: one for each verb.
    package static func lines(_ verb: Verb?) -> [String] {
        guard let verb else {
            let width = Verb.all.map(\.usage.count).filter { $0 <= 32 }.max() ?? 0
            let verbs = Verb.all.map { verb in
                let gap = max(1, width + 2 - verb.usage.count)
                return verb.usage + String(repeating: " ", count: gap) + verb.summary
            }
            return verbs + [
                "TARGET is all (the default where it may be left out), or names, addresses and",
                "numbers with commas between them. A request may begin with #TAG.",
            ]
        }
        return [verb.usage, verb.summary] + verb.notes
    }
}
