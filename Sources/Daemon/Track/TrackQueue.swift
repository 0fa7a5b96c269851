import Fleet
import Synchronization

/// Lines on their way to the disk's thread. When the disk is stuck those of the least worth give
/// way, the oldest of them first.
final class TrackQueue: Sendable {
    enum Order: Sendable {
        case line(TrackLine)
        /// Close what is open.
        case seal
    }

    private struct State {
        var orders: [Order] = []
        var lines = 0
        var dropped = 0
        var wantsSync = false
    }

    /// Lines that wait at most, some minutes of rows or about 1 MB; as many may be in the hands of
    /// a thread that is stuck.
    static let maxLines = 4096

    private let state = Mutex(State())

    /// Lines that wait.
    var count: Int { state.withLock { $0.lines } }
    var isEmpty: Bool { state.withLock { $0.orders.isEmpty && !$0.wantsSync } }
    /// Lines that gave way since the start.
    var dropped: Int { state.withLock { $0.dropped } }

    func append(_ order: Order) {
        state.withLock { state in
            state.orders.append(order)
            if case .line = order { state.lines += 1 }
            Self.trim(&state)
        }
    }

    func requestSync() { state.withLock { $0.wantsSync = true } }

    /// Whether a sync is asked for, once the queue is empty; asked for no longer afterwards.
    func removeSync() -> Bool {
        state.withLock { state in
            guard state.orders.isEmpty else { return false }
            defer { state.wantsSync = false }
            return state.wantsSync
        }
    }

    /// All that waits, oldest first.
    func removeAll() -> [Order] {
        state.withLock { state in
            defer {
                state.orders = []
                state.lines = 0
            }
            return state.orders
        }
    }

    /// Puts orders that could not be carried out back to the front.
    func putBack(_ orders: ArraySlice<Order>) {
        state.withLock { state in
            state.orders.insert(contentsOf: orders, at: 0)
            state.lines += Self.lines(orders)
            Self.trim(&state)
        }
    }

    private static func lines(_ orders: ArraySlice<Order>) -> Int {
        orders.reduce(0) { count, order in
            if case .line = order { count + 1 } else { count }
        }
    }

    /// Seals stay. They are few, and without them files of different days would become one.
    private static func trim(_ state: inout State) {
        guard state.lines > maxLines else { return }
        var surplus = state.lines - maxLines
        for worth in LineWorth.allCases where surplus > 0 {
            state.orders.removeAll { order in
                guard surplus > 0, case .line(let line) = order, line.worth == worth else {
                    return false
                }
                surplus -= 1
                return true
            }
        }
        state.dropped += state.lines - maxLines
        state.lines = maxLines
    }
}
