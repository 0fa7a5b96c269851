internal import CDBus
package import Reactor

/// Walks through a message's arguments, or through a container's elements.
///
/// Each method looks at the current element: where it is of the type asked for, it is returned and
/// stepped over; where it is not, the answer is nil and nothing moves. So a message of any shape
/// can be read, and one that is not what it should be reads as absent.
package struct MessageReader {
    private var iterator = DBusMessageIter()

    init(_ message: OpaquePointer) { dbus_message_iter_init(message, &iterator) }

    private init(inside outer: inout MessageReader) {
        dbus_message_iter_recurse(&outer.iterator, &iterator)
    }

    /// The current element's type code (`WireType`).
    private mutating func type() -> Int32 { dbus_message_iter_get_arg_type(&iterator) }

    /// Whether there is no element left.
    package mutating func isAtEnd() -> Bool { type() == WireType.end }

    /// Steps over an element of any type.
    package mutating func skip() { dbus_message_iter_next(&iterator) }

    /// The next argument; nil where it is no string. So do the others below.
    package mutating func string() -> String? { text(WireType.string) }
    /// The next argument, an object path.
    package mutating func objectPath() -> String? { text(WireType.objectPath) }

    /// The next argument, a boolean.
    package mutating func bool() -> Bool? {
        basic(WireType.bool, dbus_bool_t(0)).map { $0 != 0 }
    }
    /// The next argument, a byte.
    package mutating func byte() -> UInt8? { basic(WireType.byte, UInt8(0)) }
    /// The next argument, a signed 16-bit number.
    package mutating func int16() -> Int16? { basic(WireType.int16, Int16(0)) }
    /// The next argument, an unsigned 16-bit number.
    package mutating func uint16() -> UInt16? { basic(WireType.uint16, UInt16(0)) }
    /// The next argument, an unsigned 32-bit number.
    package mutating func uint32() -> UInt32? { basic(WireType.uint32, UInt32(0)) }

    /// A passed file descriptor, as a duplicate of our own.
    package mutating func descriptor() -> Descriptor? {
        guard let number = basic(WireType.descriptor, Int32(-1)), number >= 0 else { return nil }
        return Descriptor(owning: number)
    }

    /// An array of bytes (`ay`).
    package mutating func bytes() -> [UInt8]? {
        guard type() == WireType.array,
            dbus_message_iter_get_element_type(&iterator) == WireType.byte
        else { return nil }
        var inner = MessageReader(inside: &self)
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner.iterator, &start, &count)
        skip()
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// An array of strings (`as`).
    package mutating func strings() -> [String]? {
        guard type() == WireType.array,
            dbus_message_iter_get_element_type(&iterator) == WireType.string
        else { return nil }
        var inner = MessageReader(inside: &self)
        var strings: [String] = []
        while let string = inner.string() { strings.append(string) }
        skip()
        return strings
    }

    /// What a variant holds.
    package mutating func variant() -> MessageReader? {
        guard type() == WireType.variant else { return nil }
        let inner = MessageReader(inside: &self)
        skip()
        return inner
    }

    /// The members of a structure.
    package mutating func structure() -> MessageReader? {
        guard type() == WireType.structure else { return nil }
        let inner = MessageReader(inside: &self)
        skip()
        return inner
    }

    /// Hands over each entry of a dictionary, with both key and value to be read; false where the
    /// element is no dictionary.
    @discardableResult
    package mutating func dictionary(_ body: (inout MessageReader) -> Void) -> Bool {
        guard type() == WireType.array,
            dbus_message_iter_get_element_type(&iterator) == WireType.dictionaryEntry
        else { return false }
        var inner = MessageReader(inside: &self)
        while inner.type() == WireType.dictionaryEntry {
            var entry = MessageReader(inside: &inner)
            body(&entry)
            inner.skip()
        }
        skip()
        return true
    }

    /// Hands over each property of an `a{sv}`; false where the element is none.
    @discardableResult
    package mutating func properties(
        _ body: (_ name: String, _ value: inout MessageReader) -> Void
    ) -> Bool {
        dictionary { entry in
            guard let name = entry.string(), var value = entry.variant() else { return }
            body(name, &value)
        }
    }

    private mutating func text(_ wanted: Int32) -> String? {
        basic(wanted, UnsafePointer<CChar>?.none).flatMap { $0 }.map { String(cString: $0) }
    }

    /// - Parameter empty: of the Swift type that libdbus stores for this type code.
    private mutating func basic<Value: BitwiseCopyable>(_ wanted: Int32, _ empty: Value) -> Value? {
        guard type() == wanted else { return nil }
        var value = empty
        dbus_message_iter_get_basic(&iterator, &value)
        skip()
        return value
    }
}
