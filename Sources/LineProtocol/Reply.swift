import OsmoProtocol

/// Marks the answers to one request. Whoever asks chooses it, and never uses one twice.
package struct Ticket: Hashable, Sendable {
    /// A number that no other request on its way has.
    package let number: UInt64
    /// The ticket with this number.
    package init(number: UInt64) { self.number = number }
}

/// A data line of a reply: `KIND NAME key=value …`.
package struct ReplyLine: Equatable, Sendable {
    /// The first word: what the line tells of, or the verb that it answers.
    package var kind: String
    /// The second word: a camera's name, an adapter's address, or "-".
    package var name: String
    /// The `key=value` pairs, in the order in which they are written.
    package var fields: [Field]

    /// A line, not written out yet.
    package init(kind: String, name: String, fields: [Field]) {
        self.kind = kind
        self.name = name
        self.fields = fields
    }
}

/// The last line of a reply.
package enum ReplyEnd: Equatable, Sendable {
    case ok
    case error(ErrorCode, String)
}

/// The error codes of `ERR` and of `result=` (contract 3.4).
package enum ErrorCode: String, Sendable, CaseIterable {
    case badCommand = "bad-command"
    case badArgument = "bad-argument"
    case noCamera = "no-camera"
    case notReady = "not-ready"
    case unsupported
    case refused
    case timeout
    case busy
    case partial
    case disk
    case `internal`
}
