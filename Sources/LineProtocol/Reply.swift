import OsmoProtocol

/// Marks the answers to one request; chosen by whoever asks, never used twice.
package struct Ticket: Hashable, Sendable {
    package let number: UInt64
    package init(number: UInt64) { self.number = number }
}

/// A data line of a reply: `KIND NAME key=value …`.
package struct ReplyLine: Equatable, Sendable {
    package var kind: String
    package var name: String
    package var fields: [Field]

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

/// The codes of `ERR` and of `result=` (contract 3.4).
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
