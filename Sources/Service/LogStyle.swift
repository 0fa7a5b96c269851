import Glibc

/// How a log line begins.
package enum LogStyle: Sendable {
    /// `<N>`, which journald takes for the level; it has its own clock.
    case journal
    /// Time and level, for terminals and files.
    case stamped

    /// What suits a descriptor: journald says in JOURNAL_STREAM which stream is its own.
    package static func suiting(_ number: Int32) -> LogStyle {
        guard let stream = getenv("JOURNAL_STREAM") else { return .stamped }
        var status = stat()
        guard fstat(number, &status) == 0 else { return .stamped }
        let own = "\(status.st_dev):\(status.st_ino)"
        return String(cString: stream) == own ? .journal : .stamped
    }
}
