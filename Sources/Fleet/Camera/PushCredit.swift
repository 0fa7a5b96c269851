package import Clock
import Navigation

/// How many more frames one camera is trusted with (decisions 10 and 60).
///
/// An acquired descriptor gives no back-pressure, so only the camera itself can show that its link
/// moves, and each of its two bounds shows one direction:
///
/// - Its notifications show that it can still send. At most 1.5 of their usual intervals' worth of
///   pushes go out after the last one: 8 to 15 frames, 15 while the interval is not known.
/// - Its answers to version queries show that it can still receive: an answer proves that every frame
///   before its query has arrived. At most `maxUnproven` frames of any kind go out beyond that before
///   pushes wait, and at most `maxCredit` before everything does, where `needsProof`.
///
/// | happens | spent | out | paused |
/// | --- | --- | --- | --- |
/// | `spend` below both limits | + 1 | + 1 | no |
/// | `spend` at a limit | stays | stays | yes |
/// | `spendLast` below 15 of both | + 1 | + 1 | no |
/// | `giveBack` (the link did not take it) | - 1, not below 0 | - 1 | no |
/// | `earn` (any notification) | 0 | stays | while `out` is at its limit |
/// | `ask` (a query) | stays | + 1 | |
/// | `count`, `uncount` (another frame) | stays | + 1, - 1 | |
/// | `prove` (its answer) | stays | what was sent after the query | while `spent` is at its limit |
package struct PushCredit: Equatable, Sendable {
    /// The fewest frames, whatever the interval.
    package static let minCredit = 8
    /// The most frames, and how many before the interval is known.
    package static let maxCredit = 15
    /// Frames that may be out without proof of having arrived before pushes wait. The rest up to
    /// `maxCredit`, one less than the 16 buffers of an adapter, is kept for commands and for the
    /// queries that ask for proof, so that one link cannot hold all buffers.
    package static let maxUnproven = 12
    /// The same for commands: the last frame is a query's, because only its answer frees the link.
    package static let maxCommands = maxCredit - 1
    /// Queries whose answers are still told apart.
    package static let maxQueries = 8
    /// Silence after which a camera that speaks again is asked again soon; at least twice its usual
    /// interval.
    package static let pause = TimeSpan.seconds(2)
    /// The "usual" interval is the median of this many; odd, so that there is a middle one.
    package static let window = 7

    private struct Query: Equatable, Sendable {
        var sequence: UInt16
        /// Frames up to this one, itself included.
        var sent: Int
        /// Those of them that were neither pushes nor queries.
        var others: Int
        var asked: Instant
    }

    /// Pushes since the last notification.
    package private(set) var spent = 0
    /// The last notification; nil before the first.
    package private(set) var lastSign: Instant?
    /// When the first push since the last notification was withheld; nil while none was.
    package private(set) var withheldSince: Instant?
    /// Pushes withheld since.
    package private(set) var withheld = 0
    /// The last `window` intervals, a ring.
    private var intervals: [TimeSpan] = []
    private var oldest = 0
    /// The median of `intervals`; nil until the window is full.
    package private(set) var usualInterval: TimeSpan?

    /// Whether what is sent has to be proven to arrive: the camera is known to answer queries.
    package var needsProof = false
    /// Frames handed to this link.
    private var sent = 0
    /// So many of them are known to have arrived.
    private var proven = 0
    /// Frames handed to this link that were neither pushes nor queries, and those of them that are
    /// known to have arrived.
    private var others = 0
    private var provenOthers = 0
    /// Unanswered queries, the oldest first.
    private var queries: [Query] = []
    /// Queries since the last one that was answered.
    package private(set) var unanswered = 0
    /// When the first of them was asked; nil while there is none.
    package private(set) var unansweredSince: Instant?
    /// The same, begun anew when the camera speaks again after a silence: how long to wait for the
    /// next follows from it.
    package private(set) var pace = 0
    /// When the last query was asked.
    package private(set) var lastQuery: Instant?

    /// Nothing sent, nothing heard.
    package init() {}

    /// Frames that may go out between two notifications.
    ///
    /// - Parameter rate: pushes a second, 1 to 10.
    package func limit(rate: Int) -> Int {
        guard let usualInterval else { return Self.maxCredit }
        // An interval of a minute is as good as for ever, and keeps the product small.
        let nanoseconds = min(usualInterval.nanoseconds, 60_000_000_000)
        let frames = (3 * nanoseconds * Int64(rate) + 1_999_999_999) / 2_000_000_000
        return min(max(Int(frames), Self.minCredit), Self.maxCredit)
    }

    /// Frames that are not known to have arrived.
    package var out: Int { sent - proven }

    /// Whether pushes are out that no answer has proven yet, or wait for proof, so that a query is
    /// worth its frame. Commands have answers of their own.
    package var isUnproven: Bool {
        needsProof && (out > unanswered + others - provenOthers || withheldSince != nil)
    }

    /// Whether a query may go out that asks for proof. One may go out to a camera that speaks again
    /// after a silence, however many frames are out: its link moves again.
    package var coversQuery: Bool { !needsProof || out < Self.maxCredit || pace == 0 }

    /// Whether the frame of a command may go out.
    package var coversCommand: Bool { !needsProof || out < Self.maxCommands }

    /// Whether another push may go out.
    package func covers(rate: Int) -> Bool {
        spent < limit(rate: rate) && (!needsProof || out < Self.maxUnproven)
    }

    /// Takes one push's worth of credit, or notes that a push was withheld.
    ///
    /// - Returns: whether the push may go out.
    package mutating func spend(rate: Int, at now: Instant) -> Bool {
        guard covers(rate: rate) else {
            if withheldSince == nil {
                beginWait()
                withheldSince = now
            }
            withheld += 1
            return false
        }
        countPush()
        return true
    }

    private mutating func countPush() {
        beginWait()
        spent += 1
        sent += 1
    }

    /// The wait for an answer begins anew where no push was out: what went unanswered until then
    /// says nothing about this one.
    private mutating func beginWait() {
        if !isUnproven { unansweredSince = nil }
    }

    /// Takes credit for a void of the closing burst: whoever was paused holds a position for ever
    /// unless it is taken back, and after the burst nothing more comes that could fill the link.
    ///
    /// - Returns: whether it may go out: while fewer than `maxCredit` are out, whatever the interval.
    package mutating func spendLast() -> Bool {
        guard spent < Self.maxCredit, !needsProof || out < Self.maxCredit else { return false }
        countPush()
        return true
    }

    /// A push that was paid for did not go out after all.
    package mutating func giveBack() {
        spent = max(0, spent - 1)
        sent = max(proven, sent - 1)
    }

    /// A frame other than a push or a query goes out.
    package mutating func count() {
        others += 1
        sent += 1
    }

    /// A counted frame did not go out after all.
    package mutating func uncount() {
        others = max(provenOthers, others - 1)
        sent = max(proven, sent - 1)
    }

    /// A notification came, whatever it was.
    package mutating func earn(at now: Instant) {
        if let lastSign {
            let interval = max(.zero, now - lastSign)
            if interval >= max(Self.pause, (usualInterval ?? .zero) * 2) { pace = 0 }
            note(interval: interval)
        }
        lastSign = now
        spent = 0
    }

    /// Pushes go out again.
    package mutating func resume() {
        withheldSince = nil
        withheld = 0
    }

    /// A query goes out.
    ///
    /// - Parameter sequence: by which its answer is known.
    package mutating func ask(_ sequence: UInt16, at now: Instant) {
        sent += 1
        if queries.count == Self.maxQueries { queries.removeFirst() }
        queries.append(Query(sequence: sequence, sent: sent, others: others, asked: now))
        unanswered += 1
        pace += 1
        unansweredSince = unansweredSince ?? now
        lastQuery = now
    }

    /// A query is answered: whatever was sent before it has arrived. An answer that comes late proves
    /// no more than that, however much has been sent since.
    ///
    /// - Returns: whether that query was known and not answered before.
    package mutating func prove(_ sequence: UInt16) -> Bool {
        guard let index = queries.firstIndex(where: { $0.sequence == sequence }) else {
            return false
        }
        proven = min(max(proven, queries[index].sent), sent)
        provenOthers = min(max(provenOthers, queries[index].others), others)
        queries.removeSubrange(...index)
        unanswered = queries.count
        pace = unanswered
        unansweredSince = queries.first?.asked
        return true
    }

    /// Forgets the intervals: those of a handshake say nothing about those of a stream.
    package mutating func forgetIntervals() {
        intervals.removeAll(keepingCapacity: true)
        oldest = 0
        usualInterval = nil
    }

    private mutating func note(interval: TimeSpan) {
        if intervals.count < Self.window {
            intervals.append(interval)
        } else {
            intervals[oldest] = interval
            oldest = (oldest + 1) % Self.window
        }
        guard intervals.count == Self.window else { return }
        usualInterval = intervals.median
    }
}
