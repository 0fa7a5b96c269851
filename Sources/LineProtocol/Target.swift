import OsmoProtocol

/// Whom a command is for.
package enum Target: Equatable, Sendable {
    /// The roster.
    case all
    /// Names, addresses or numbers as they were typed; resolved all or nothing.
    case these([String])
}
