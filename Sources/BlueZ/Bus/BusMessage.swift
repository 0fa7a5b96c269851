internal import CDBus

/// One D-Bus message, kept alive while this is.
///
/// Names and paths given to the makers must be valid D-Bus names: libdbus ends the process over
/// others. Whatever came over a bus is valid.
package final class BusMessage {
    /// What D-Bus knows messages as.
    package enum Kind: Sendable { case call, reply, error, signal, other }

    let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// Shares a message that somebody else holds.
    init(sharing pointer: OpaquePointer) { self.pointer = dbus_message_ref(pointer) }

    deinit { dbus_message_unref(pointer) }

    /// A method call.
    package convenience init(
        call member: String, of interface: String, at path: String, to destination: String
    ) {
        self.init(
            owning: Self.made(dbus_message_new_method_call(destination, path, interface, member)))
    }

    /// A signal.
    package convenience init(signal member: String, of interface: String, at path: String) {
        self.init(owning: Self.made(dbus_message_new_signal(path, interface, member)))
    }

    /// The answer to a call.
    package convenience init(replyTo call: BusMessage) {
        self.init(owning: Self.made(dbus_message_new_method_return(call.pointer)))
    }

    /// The refusal of a call.
    ///
    /// - Parameters:
    ///   - name: dotted, `org.bluez.Error.Failed`.
    ///   - text: for people.
    package convenience init(errorTo call: BusMessage, name: String, text: String) {
        self.init(owning: Self.made(dbus_message_new_error(call.pointer, name, text)))
    }

    /// What it is; a type that D-Bus does not define counts as invalid.
    package var kind: Kind {
        switch dbus_message_get_type(pointer) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .reply
        case DBUS_MESSAGE_TYPE_ERROR: .error
        case DBUS_MESSAGE_TYPE_SIGNAL: .signal
        default: .other
        }
    }

    /// The object that it is about; nil where the type has none.
    package var path: String? { Self.text(dbus_message_get_path(pointer)) }
    /// The interface of the member; nil where it was left out.
    package var interface: String? { Self.text(dbus_message_get_interface(pointer)) }
    /// The method or signal; nil for answers.
    package var member: String? { Self.text(dbus_message_get_member(pointer)) }
    /// The connection that the bus says it came from, `:1.7`.
    package var sender: String? { Self.text(dbus_message_get_sender(pointer)) }
    /// The name of an error, `org.bluez.Error.Failed` and the like; nil for anything else.
    package var errorName: String? { Self.text(dbus_message_get_error_name(pointer)) }
    /// The types of its arguments, in D-Bus's letters; empty without arguments.
    package var signature: String { Self.text(dbus_message_get_signature(pointer)) ?? "" }

    /// Whom it is for; nil for all who have a match rule.
    package var destination: String? {
        get { Self.text(dbus_message_get_destination(pointer)) }
        set { dbus_message_set_destination(pointer, newValue) }
    }

    /// Whether the caller of a call wants an answer; settable on calls that we make.
    package var wantsReply: Bool {
        get { dbus_message_get_no_reply(pointer) == 0 }
        set { dbus_message_set_no_reply(pointer, newValue ? 0 : 1) }
    }

    /// Whether a bus may start the service that a call is for; so unless set to false.
    package var mayStartService: Bool {
        get { dbus_message_get_auto_start(pointer) != 0 }
        set { dbus_message_set_auto_start(pointer, newValue ? 1 : 0) }
    }

    /// The serial of the call that this answers; 0 for none.
    package var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }

    /// Reads the arguments from the first. It must not outlive the message.
    package var reader: MessageReader { MessageReader(pointer) }

    /// Appends arguments to a message that we make.
    package func append(_ body: (inout MessageWriter) -> Void) {
        var writer = MessageWriter(pointer)
        body(&writer)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func made(_ pointer: OpaquePointer?) -> OpaquePointer {
        guard let pointer else { preconditionFailure("no memory, or an invalid D-Bus name") }
        return pointer
    }
}

extension BusMessage {
    /// What an error message says; nil for other messages.
    package var failure: BusError? {
        guard kind == .error else { return nil }
        var reader = reader
        return .failed(name: errorName ?? "", text: reader.string() ?? "")
    }
}

/// Why a call has no answer.
package enum BusError: Error, Equatable, Sendable {
    /// There is no bus, or it went away meanwhile.
    case disconnected
    /// More calls are out than we allow ourselves, or the bus does not read them.
    case tooManyCalls
    /// Nothing came back in time; it may still be done.
    case timedOut
    /// The answer was an error.
    case failed(name: String, text: String)
    /// The answer does not have the types that are documented for it.
    case unexpectedReply
}
