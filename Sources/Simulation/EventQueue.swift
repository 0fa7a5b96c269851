import Clock

/// Things to be done later, in the order of their instants, then of their adding.
struct EventQueue<Item: Sendable>: Sendable {
    // The latest instant stands first, so that the earliest is removed from the end. The instants
    // have an array of their own, so that a look at the next one copies no item.
    private var dues: [Instant] = []
    private var tasks: [Item] = []

    /// When the first thing is due; `never` while there is none.
    var deadline: Instant { dues.isEmpty ? .never : dues[dues.count - 1] }

    /// All items that wait, the last to be done first.
    var items: some Sequence<Item> { tasks }

    mutating func add(_ item: Item, at due: Instant) {
        var index = dues.count
        while index > 0, dues[index - 1] <= due { index -= 1 }
        dues.insert(due, at: index)
        tasks.insert(item, at: index)
    }

    /// Removes the first item and returns it, if it is due; nil otherwise.
    mutating func popDue(at now: Instant) -> (due: Instant, item: Item)? {
        guard !dues.isEmpty, dues[dues.count - 1] <= now else { return nil }
        return (dues.removeLast(), tasks.removeLast())
    }

    mutating func removeAll(where condition: (Item) -> Bool) {
        for index in tasks.indices.reversed() where condition(tasks[index]) {
            dues.remove(at: index)
            tasks.remove(at: index)
        }
    }
}
