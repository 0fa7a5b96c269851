package import Clock
package import LineProtocol
package import OsmoProtocol

/// The time during which `pair` may admit one camera (contract 3.5).
///
/// | from | event | to |
/// | --- | --- | --- |
/// | scanning | 2 s passed and a supported stranger is heard | asking the strongest |
/// | asking | confirmed | over, OK |
/// | asking | refused | over, ERR refused |
/// | scanning, asking | the window's end | over, ERR timeout |
package struct PairWindow: Sendable {
    /// How long to listen before the strongest is chosen, so that there is a choice.
    package static let listening = TimeSpan.seconds(2)
    /// The longest window.
    package static let maxSpan = TimeSpan.seconds(600)

    /// How far pairing is.
    package enum Phase: Equatable, Sendable {
        case scanning(until: Instant)
        /// That camera is being connected or waits for a tap.
        case asking(Proposal)
    }

    /// What the camera will be on the roster.
    package struct Proposal: Equatable, Sendable {
        /// Its Bluetooth address.
        package var address: BluetoothAddress
        /// The name that it will get.
        package var name: String
        /// The number that it will get.
        package var number: Int
        /// The code in the last reply to whoever asked for the window.
        package var code: Int?
    }

    /// Of the command that opened the window.
    package let ticket: Ticket
    /// When it closes by itself.
    package let end: Instant
    /// How far pairing is.
    package private(set) var phase: Phase
    /// When something is due by itself.
    package private(set) var deadline: Instant

    /// A window that is open from now on.
    package init(ticket: Ticket, span: TimeSpan, at now: Instant) {
        self.ticket = ticket
        end = now + min(span, Self.maxSpan)
        phase = .scanning(until: now + Self.listening)
        deadline = min(end, now + Self.listening)
    }

    /// The camera that is being asked.
    package var proposal: Proposal? {
        guard case .asking(let proposal) = phase else { return nil }
        return proposal
    }

    /// There was nobody to choose: whoever comes is noticed when heard.
    package mutating func listen(at now: Instant) {
        guard case .scanning(let until) = phase else { return }
        deadline = until > now ? min(until, end) : end
    }

    /// Proposes this camera to the owner; the window chooses no other one afterwards.
    package mutating func ask(_ proposal: Proposal) {
        phase = .asking(proposal)
        deadline = end
    }

    /// Whoever asked for the window knows this code.
    package mutating func replied(_ code: Int) {
        guard case .asking(var proposal) = phase else { return }
        proposal.code = code
        phase = .asking(proposal)
    }
}
