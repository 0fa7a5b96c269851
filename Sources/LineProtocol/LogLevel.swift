/// How much the log says: each level includes those before it.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case error, warning, notice, info, debug

    /// syslog's number, as journald reads it from a `<N>` prefix.
    package var severity: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug: 7
        }
    }

    /// The more severe level is the smaller one: `error` is the smallest.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.severity < right.severity
    }
}
