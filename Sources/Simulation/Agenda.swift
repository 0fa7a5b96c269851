import Navigation

/// Things to be done later, in the order of their instants, then of their adding.
struct Agenda<Item: Sendable>: Sendable {
    private var entries: [(due: Instant, item: Item)] = []

    /// When the first thing is due.
    var deadline: Instant? { entries.last?.due }

    /// All that is to be done, last first.
    var items: some Sequence<Item> { entries.lazy.map(\.item) }

    mutating func add(_ item: Item, at due: Instant) {
        // Latest first, so that the first to be done is taken from the end.
        var index = entries.count
        while index > 0, entries[index - 1].due <= due { index -= 1 }
        entries.insert((due, item), at: index)
    }

    /// Takes out the first thing if it is due.
    mutating func takeDue(at now: Instant) -> (due: Instant, item: Item)? {
        guard let last = entries.last, last.due <= now else { return nil }
        return entries.removeLast()
    }

    mutating func removeAll(where condition: (Item) -> Bool) {
        entries.removeAll { condition($0.item) }
    }
}
