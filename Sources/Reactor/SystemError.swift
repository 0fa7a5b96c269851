import Glibc

/// What a system call said when it failed: its `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An errno value, never 0.
    package let code: Int32

    /// An error number of errno(3).
    package init(code: Int32) { self.code = code }

    /// The error of the system call that failed just before on this thread.
    package static var last: SystemError { SystemError(code: errno) }

    /// A descriptor had nothing to give or no room: try again when it is ready.
    package var isWouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }

    /// We may not.
    package var isDenial: Bool { [EACCES, EPERM, EROFS].contains(code) }

    /// libc's words, "No such file or directory".
    package var description: String {
        var text = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
