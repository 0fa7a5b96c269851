package import Clock
package import LineProtocol
package import OsmoProtocol

/// The commands under way: which cameras still owe an answer, and what the others said.
///
/// A camera's line goes out as soon as its result is known, the end when all have one.
package struct CommandDispatch: Sendable {
    /// Commands under way at once; further ones are `busy`.
    package static let bound = 64

    private struct Pending: Sendable {
        let ticket: Ticket
        let verb: String
        /// Names by address, as they were when the command came.
        var waiting: [(address: BluetoothAddress, name: String)]
        /// Names of all that were asked, in the order of the roster.
        let asked: [String]
        /// The rules ask, not people: counted apart.
        let isAutomatic: Bool
        /// When a timed start is due; nil for all other commands.
        let due: Instant?
        /// When the frames of a timed start went out.
        var sent: [Instant] = []
        var failures: [(name: String, code: ErrorCode, words: String)] = []
    }

    private var pending: [Pending] = []

    /// No command is under way.
    package init() {}

    /// Whether a further command is refused as `busy`.
    package var isFull: Bool { pending.count { !$0.isAutomatic } >= Self.bound }
    /// Commands under way.
    package var count: Int { pending.count }

    /// Notes that all these cameras, in the order of the roster, owe an answer.
    ///
    /// - Parameters:
    ///   - isAutomatic: nobody waits for it: it does not count towards the bound.
    ///   - due: when a timed start is due: its answer tells how far off the frames were.
    package mutating func begin(
        _ ticket: Ticket, verb: String, _ cameras: [(address: BluetoothAddress, name: String)],
        isAutomatic: Bool = false, due: Instant? = nil
    ) {
        pending.append(
            Pending(
                ticket: ticket, verb: verb, waiting: cameras, asked: cameras.map(\.name),
                isAutomatic: isAutomatic, due: due))
    }

    /// One camera's result.
    ///
    /// - Parameter sent: when the frame that did it went out; nil where none did.
    /// - Returns: its line, and the end if it was the last; nothing if no answer was owed.
    package mutating func finish(
        _ ticket: Ticket, _ address: BluetoothAddress, error: ErrorCode?, words: String?,
        fields: [Field], result: String? = nil, sent: Instant? = nil
    ) -> [RigEffect] {
        guard let index = pending.firstIndex(where: { $0.ticket == ticket }),
            let place = pending[index].waiting.firstIndex(where: { $0.address == address })
        else { return [] }
        let name = pending[index].waiting.remove(at: place).name
        var line = [Field("result", result ?? error?.rawValue ?? "ok")]
        line += fields
        if let error {
            let reason = words ?? error.rawValue
            line.append(Field("reason", reason))
            pending[index].failures.append((name, error, reason))
        }
        let reply = RigEffect.reply(
            ticket, ReplyLine(kind: pending[index].verb, name: name, fields: line))
        if error == nil, let sent { pending[index].sent.append(sent) }
        guard pending[index].waiting.isEmpty else { return [reply] }
        let done = pending.remove(at: index)
        let end = RigEffect.replyEnd(ticket, Self.end(done.failures, asked: done.asked))
        guard let spread = Self.spread(of: done) else { return [reply, end] }
        return [reply, .reply(ticket, spread), end]
    }

    /// The camera leaves while it owes answers.
    package mutating func abandon(
        _ address: BluetoothAddress, error: ErrorCode, words: String
    ) -> [RigEffect] {
        let owed = pending.filter { $0.waiting.contains { $0.address == address } }.map(\.ticket)
        return owed.flatMap { finish($0, address, error: error, words: words, fields: []) }
    }

    /// How far apart the frames of a timed start went out (contract 3.9); nil where none did.
    private static func spread(of done: Pending) -> ReplyLine? {
        guard let due = done.due, let first = done.sent.min(), let last = done.sent.max() else {
            return nil
        }
        func milliseconds(_ span: TimeSpan) -> String {
            LineText.fixed(span.nanoseconds, unit: 1_000_000, decimals: 3)
        }
        return ReplyLine(
            kind: done.verb, name: "-",
            fields: [
                Field("result", "ok"), Field("cameras", "\(done.sent.count)"),
                Field("late_ms", milliseconds(last - due)),
                Field("spread_ms", milliseconds(last - first)),
            ])
    }

    /// The last line (contract 3.3). `partial` says that something was done after all; where nothing
    /// was, the code is that of the first camera in the roster.
    private static func end(
        _ failures: [(name: String, code: ErrorCode, words: String)], asked: [String]
    ) -> ReplyEnd {
        guard let first = failures.first else { return .ok }
        if asked.count == 1 { return .error(first.code, "\(first.name): \(first.words)") }
        let failed = asked.compactMap { name in failures.first { $0.name == name } }
        let names = failed.map(\.name).joined(separator: ", ")
        let words = "\(failed.count) of \(asked.count) cameras failed: \(names)"
        guard failed.count == asked.count, let first = failed.first else {
            return .error(.partial, words)
        }
        return .error(first.code, words)
    }
}
