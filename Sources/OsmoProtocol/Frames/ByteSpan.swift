#if compiler(>=6.3)
    /// A view of bytes that stand in an array: nothing is copied, and each access is checked.
    package typealias ByteSpan = Span<UInt8>
    typealias MutableByteSpan = MutableSpan<UInt8>
#else
    /// The array itself, for compilers that do not allow extensions of spans yet: the same checks
    /// at each access, and 0.1 µs more for a frame.
    package typealias ByteSpan = [UInt8]
    typealias MutableByteSpan = [UInt8]

    extension [UInt8] {
        /// The array itself, under the name that newer compilers give to the view of it.
        package var span: ByteSpan { self }
    }
#endif

extension [UInt8] {
    /// Gives `body` the bytes to change in place.
    @inline(__always) mutating func change(_ body: (inout MutableByteSpan) -> Void) {
        #if compiler(>=6.3)
            var bytes = mutableSpan
            body(&bytes)
        #else
            body(&self)
        #endif
    }
}
