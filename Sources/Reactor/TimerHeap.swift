import Clock

/// The timers that are set, the earliest first: a binary heap in which every timer knows its place.
struct TimerHeap {
    private struct Slot {
        let deadline: Instant
        /// Among equal deadlines the one set first fires first.
        let order: UInt64
        /// A timer that its owner drops leaves the heap by itself.
        unowned let timer: Timer

        func precedes(_ other: Slot) -> Bool {
            (deadline, order) < (other.deadline, other.order)
        }
    }

    private var slots: [Slot] = []
    /// Counts insertions.
    private(set) var nextOrder: UInt64 = 0

    /// `never` when there is none.
    var earliest: Instant { slots.first?.deadline ?? .never }

    mutating func insert(_ timer: Timer, at deadline: Instant) {
        precondition(timer.position < 0, "a timer stands in the heap once")
        slots.append(Slot(deadline: deadline, order: nextOrder, timer: timer))
        nextOrder += 1
        rise(from: slots.count - 1)
    }

    mutating func remove(_ timer: Timer) {
        let position = timer.position
        precondition(slots.indices.contains(position), "a timer that is not set is not removed")
        timer.position = -1
        let last = slots.removeLast()
        guard position < slots.count else { return }
        slots[position] = last
        rise(from: position)
        sink(from: last.timer.position)
    }

    /// The first timer that is due at `now` and was inserted before the one numbered `order`.
    mutating func popDue(at now: Instant, insertedBefore order: UInt64) -> Timer? {
        guard let first = slots.first, first.deadline <= now, first.order < order else {
            return nil
        }
        let timer = first.timer
        remove(timer)
        return timer
    }

    /// Moves a slot up to where its parent precedes it, and notes where that is.
    private mutating func rise(from start: Int) {
        var child = start
        let slot = slots[child]
        while child > 0 {
            let parent = (child - 1) / 2
            guard slot.precedes(slots[parent]) else { break }
            place(slots[parent], at: child)
            child = parent
        }
        place(slot, at: child)
    }

    /// Moves a slot down to where it precedes both children, and notes where that is.
    private mutating func sink(from start: Int) {
        var parent = start
        let slot = slots[parent]
        while true {
            var child = 2 * parent + 1
            guard child < slots.count else { break }
            if child + 1 < slots.count, slots[child + 1].precedes(slots[child]) { child += 1 }
            guard slots[child].precedes(slot) else { break }
            place(slots[child], at: parent)
            parent = child
        }
        place(slot, at: parent)
    }

    private mutating func place(_ slot: Slot, at position: Int) {
        slots[position] = slot
        slot.timer.position = position
    }
}
