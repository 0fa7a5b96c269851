/// A verb of the line protocol (contract 3): its one declaration.
///
/// The grammar reads a request by it, `help` and the completions are made from it, and tests hold
/// the manual to it. The declarations stand in `CameraVerbs.swift` and `DaemonVerbs.swift`; what a
/// verb does is decided where its `FleetCommand` or `DaemonCommand` is carried out.
package struct Verb: Sendable {
    /// Where a verb may be said.
    package enum Transports: Sendable {
        /// stdin, FIFO and control socket.
        case all
        /// stdin and control socket, where replies reach whoever asked; not the FIFO.
        case connections
    }

    /// Reads what follows the verb.
    typealias Reading =
        @Sendable (inout ArgumentReader) throws(RequestFault) -> RequestAction

    /// The word itself, in lower case.
    package let name: String
    /// The arguments, in their order.
    package let parameters: [Parameter]
    /// Where the verb may be said.
    package let transports: Transports
    /// What it does, in one line.
    package let summary: String
    /// What a newcomer should know beyond the summary, for `help VERB`; empty where that is all.
    package let notes: [String]
    let reading: Reading

    init(
        _ name: String, _ parameters: [Parameter] = [], on transports: Transports = .all,
        _ summary: String, notes: [String] = [], reading: @escaping Reading
    ) {
        self.name = name
        self.parameters = parameters
        self.transports = transports
        self.summary = summary
        self.notes = notes
        self.reading = reading
    }

    /// All of them, in the order of `help`.
    package static let all: [Verb] = [
        help, status, cameras, camera, gps,
        record, photo, mode, modes, key,
        sleep, wake, snapshot, restart,
        pair, forget, rename, connect, disconnect, reconnect,
        auto, track, mark,
        raw, version,
        events, loglevel, reload, quit,
    ]

    /// The verb of that name; nil for any other word.
    package static func named(_ word: some StringProtocol) -> Verb? {
        all.first { $0.name == word }
    }

    /// The whole request as `help` writes it: brackets around what may be left out.
    package var usage: String { ([name] + parameters.map(\.usage)).joined(separator: " ") }
}

extension Verb: Equatable {
    /// Verbs are equal where their names are, since a name is declared once.
    package static func == (left: Verb, right: Verb) -> Bool { left.name == right.name }
}
