import Glibc

/// An open file descriptor with exactly one owner: closed when that owner ends.
///
/// End its `Watch` first; the loop does not notice a close (`EventLoop`).
package struct Descriptor: ~Copyable {
    /// What system calls know it by; not to be closed or kept by the reader.
    package let number: Int32

    /// - Parameter number: an open descriptor that nobody else will close.
    package init(owning number: Int32) {
        precondition(number >= 0, "a descriptor that is not open cannot be owned")
        self.number = number
    }

    deinit { close(number) }

    /// Gives it up unclosed, for those who close it themselves.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Reads what there is, at most `buffer.count` bytes; 0 at the end.
    ///
    /// - Throws: `isWouldBlock` where a non-blocking descriptor has nothing to give.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try Self.retrying { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads what there is into an array's elements; 0 at the end.
    package func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
        try Self.retrying {
            buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
        }
    }

    /// Writes as much as is taken, and says how much that was.
    ///
    /// - Throws: `isWouldBlock` where a non-blocking descriptor has no room.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try Self.retrying { Glibc.write(number, bytes.baseAddress, bytes.count) }
    }

    /// Writes as much of an array as is taken, and says how much that was.
    package func write(_ bytes: [UInt8]) throws(SystemError) -> Int {
        try Self.retrying {
            bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        }
    }

    private static func retrying(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            if errno != EINTR { throw .last }
        }
    }
}
