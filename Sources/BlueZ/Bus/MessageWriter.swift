internal import CDBus

/// Appends arguments to a message, or elements to a container of one.
package struct MessageWriter {
    private var iterator = DBusMessageIter()

    init(_ message: OpaquePointer) { dbus_message_iter_init_append(message, &iterator) }

    private init() {}

    /// Appends a string, which has to be UTF-8 without NUL.
    package mutating func append(_ value: String) { text(WireType.string, value) }
    /// - Parameter path: a valid object path.
    package mutating func append(objectPath path: String) { text(WireType.objectPath, path) }
    /// Appends a boolean.
    package mutating func append(_ value: Bool) {
        basic(WireType.bool, dbus_bool_t(value ? 1 : 0))
    }
    /// Appends a byte.
    package mutating func append(_ value: UInt8) { basic(WireType.byte, value) }
    /// Appends a signed 16-bit number.
    package mutating func append(_ value: Int16) { basic(WireType.int16, value) }
    /// Appends an unsigned 16-bit number.
    package mutating func append(_ value: UInt16) { basic(WireType.uint16, value) }
    /// Appends an unsigned 32-bit number.
    package mutating func append(_ value: UInt32) { basic(WireType.uint32, value) }
    /// - Parameter number: an open descriptor; the message keeps a duplicate.
    package mutating func append(descriptor number: Int32) { basic(WireType.descriptor, number) }

    /// An array of bytes (`ay`).
    package mutating func append(_ bytes: [UInt8]) {
        container(WireType.array, "y") { inner in
            bytes.withUnsafeBufferPointer { buffer in
                // libdbus takes a pointer to the pointer, which it does not follow for no bytes.
                var start = buffer.baseAddress
                Self.check(
                    dbus_message_iter_append_fixed_array(
                        &inner.iterator, WireType.byte, &start, Int32(buffer.count)))
            }
        }
    }

    /// An array of strings (`as`).
    package mutating func append(_ strings: [String]) {
        container(WireType.array, "s") { inner in
            for string in strings { inner.append(string) }
        }
    }

    /// A variant.
    ///
    /// - Parameters:
    ///   - signature: of the one value that it holds.
    ///   - body: appends that value.
    package mutating func variant(_ signature: String, _ body: (inout MessageWriter) -> Void) {
        container(WireType.variant, signature, body)
    }

    /// An array.
    ///
    /// - Parameter signature: of one element; `{sv}` for a dictionary.
    package mutating func array(_ signature: String, _ body: (inout MessageWriter) -> Void) {
        container(WireType.array, signature, body)
    }

    /// An entry of a dictionary: `body` appends its key and its value.
    package mutating func entry(_ body: (inout MessageWriter) -> Void) {
        container(WireType.dictionaryEntry, nil, body)
    }

    /// A structure: `body` appends its members.
    package mutating func structure(_ body: (inout MessageWriter) -> Void) {
        container(WireType.structure, nil, body)
    }

    private mutating func container(
        _ type: Int32, _ signature: String?, _ body: (inout MessageWriter) -> Void
    ) {
        var inner = MessageWriter()
        Self.check(
            dbus_message_iter_open_container(&iterator, type, signature, &inner.iterator))
        body(&inner)
        Self.check(dbus_message_iter_close_container(&iterator, &inner.iterator))
    }

    private mutating func text(_ type: Int32, _ value: String) {
        value.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            Self.check(dbus_message_iter_append_basic(&iterator, type, &pointer))
        }
    }

    private mutating func basic<Value: BitwiseCopyable>(_ type: Int32, _ value: Value) {
        var value = value
        Self.check(dbus_message_iter_append_basic(&iterator, type, &value))
    }

    private static func check(_ done: dbus_bool_t) {
        precondition(done != 0, "no memory for a D-Bus message")
    }
}
