/// What a mistyped word was meant to be.
package enum Spelling {
    /// Characters of a word that are compared; a longer word is no slip of the pen.
    static let maxLength = 40

    /// The candidate that differs least from `word`; nil where none is near. Near is one change for
    /// words of up to four characters, two for longer ones; a change adds, removes or replaces a
    /// character, or swaps two neighbours.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.count <= maxLength else { return nil }
        let bound = word.count <= 4 ? 1 : 2
        let typed = Array(word.lowercased())
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            let distance = distance(typed, Array(candidate.lowercased()))
            guard distance <= bound, distance < candidate.count else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        return best?.word
    }

    /// `; did you mean record?`; nil where no candidate is near.
    package static func hint(for word: String, among candidates: [String]) -> String? {
        nearest(to: word, among: candidates).map { "; did you mean \($0)?" }
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var row = Array(0...right.count)
        for i in left.indices {
            var next = [i + 1]
            for j in right.indices {
                let change = row[j] + (left[i] == right[j] ? 0 : 1)
                var cost = min(change, row[j + 1] + 1, next[j] + 1)
                let areSwapped =
                    i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j]
                if areSwapped { cost = min(cost, before[j - 1] + 1) }
                next.append(cost)
            }
            before = row
            row = next
        }
        return row[right.count]
    }
}
