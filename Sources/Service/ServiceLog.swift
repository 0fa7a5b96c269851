import Glibc
package import LineProtocol

/// The log of a small program that serves: a line each, to stderr. With journald behind it the
/// level stands before the line, elsewhere the program's name.
///
/// A line goes out in one write, which waits where its reader is slow: what says little may.
package struct ServiceLog {
    private let program: String
    private let style: LogStyle

    /// - Parameter program: its name, for those who read it without journald.
    package init(program: String) {
        self.program = program
        style = .suiting(STDERR_FILENO)
    }

    /// Writes one line; what is no text of one line is made one.
    package func write(_ level: LogLevel, _ text: String) {
        let head = style == .journal ? "<\(level.severity)>" : "\(program): \(level.rawValue): "
        let line = String(text.map { $0.isNewline ? " " : $0 })
        _ = Array((head + line + "\n").utf8).withUnsafeBytes {
            Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }
}
