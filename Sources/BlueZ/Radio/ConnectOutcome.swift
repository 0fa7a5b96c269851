import RadioPort

extension ConnectOutcome {
    /// Reads BlueZ's answer.
    ///
    /// BlueZ puts what happened into the text of a general `Failed`: `le-connection-…` and
    /// `br-connection-…` since 5.62, strerror's words before.
    package init(_ error: BusError) {
        switch error {
        case .disconnected, .tooManyCalls, .unexpectedReply: self = .failed("no answer")
        case .timedOut: self = .noReply
        case .failed(let name, let text): self = Self(name: name, text: text)
        }
    }

    private init(name: String, text: String) {
        switch name {
        case "org.bluez.Error.AlreadyConnected": self = .ok
        case "org.bluez.Error.InProgress": self = .inProgress
        case "org.bluez.Error.NotReady": self = .notReady
        case "org.bluez.Error.DoesNotExist", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod":
            self = .unknownDevice
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
            "org.freedesktop.DBus.Error.TimedOut":
            self = .noReply
        case "org.freedesktop.DBus.Error.AccessDenied", "org.bluez.Error.NotAuthorized":
            self = .denied
        default: self = Self(text: text)
        }
    }

    private init(text: String) {
        let words = text.lowercased()
        let meanings: [(ConnectOutcome, [String])] = [
            (.ok, ["already-connected"]),
            (.inProgress, ["already in progress", "connection-busy", "resource busy"]),
            (.notReady, ["not-powered", "not ready"]),
            (
                .adapterFull,
                ["connection-limit", "cncr-connect-limit", "connection limit", "limited resources"]
            ),
            (.aborted, ["abort", "cancel"]),
        ]
        let meaning = meanings.first { meaning in meaning.1.contains { words.contains($0) } }
        self = meaning?.0 ?? .failed(text)
    }
}
