import BlueZ
import RadioPort
import Testing

@Suite struct ConnectResultTests {
    @Test(
        "BlueZ's errors are told apart",
        arguments: [
            ("org.bluez.Error.AlreadyConnected", "Already Connected", ConnectOutcome.ok),
            ("org.bluez.Error.Failed", "le-connection-already-connected", .ok),
            ("org.bluez.Error.InProgress", "Operation already in progress", .inProgress),
            ("org.bluez.Error.Failed", "Operation already in progress", .inProgress),
            ("org.bluez.Error.Failed", "br-connection-busy", .inProgress),
            ("org.bluez.Error.NotReady", "Resource Not Ready", .notReady),
            ("org.bluez.Error.Failed", "le-connection-adapter-not-powered", .notReady),
            ("org.bluez.Error.DoesNotExist", "Does Not Exist", .unknownDevice),
            (
                "org.freedesktop.DBus.Error.UnknownObject",
                "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" "
                    + "doesn't exist", .unknownDevice
            ),
            ("org.freedesktop.DBus.Error.UnknownMethod", "", .unknownDevice),
            ("org.bluez.Error.Failed", "le-connection-abort-by-local", .aborted),
            ("org.bluez.Error.Failed", "le-connection-abort-by-remote", .aborted),
            ("org.bluez.Error.Failed", "br-connection-canceled", .aborted),
            ("org.bluez.Error.Failed", "Software caused connection abort", .aborted),
            ("org.bluez.Error.Failed", "Operation canceled", .aborted),
            ("org.bluez.Error.Failed", "le-connection-concurrent-connection-limit", .adapterFull),
            ("org.bluez.Error.Failed", "Connection Limit Exceeded", .adapterFull),
            ("org.bluez.Error.Failed", "Limited Resources", .adapterFull),
            ("org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected", .noReply),
            ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message", .denied),
            ("org.bluez.Error.Failed", "Input/output error", .failed("Input/output error")),
            ("org.bluez.Error.Failed", "", .failed("")),
        ])
    func bluezSErrorsToldApart(name: String, text: String, result: ConnectOutcome) {
        #expect(ConnectOutcome(.failed(name: name, text: text)) == result)
    }

    @Test("silence is no reply") func silenceNoReply() {
        #expect(ConnectOutcome(.timedOut) == .noReply)
    }
}
