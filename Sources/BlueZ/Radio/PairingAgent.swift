import OsmoProtocol

/// Our org.bluez.Agent1: says yes where bluetoothd wants to pair with a camera of ours.
///
/// An Action 5 Pro has a HID service, and bluetoothd then pairs by itself. Without an agent it
/// refuses its own attempt, and nothing passes over that link any more, though it stands: StartNotify
/// is not even answered (Tests/Lab, `action-5-pro`). Nobody else's pairing is agreed to.
extension BlueZRadio {
    static let agentPath = "/geotagd/agent"

    /// Tells bluetoothd about us, once it has an adapter: right after its start it takes no agents
    /// yet. One that a desktop made the default stays that; bluetoothd without any takes the first.
    func registerAgent() {
        guard !isAgentKnown else { return }
        isAgentKnown = true
        call(
            BlueZName.agentManager, "RegisterAgent", at: BlueZName.root,
            arguments: { writer in
                writer.append(objectPath: Self.agentPath)
                writer.append("NoInputNoOutput")
            },
            reply: { [unowned self] result, _ in
                if case .failure = result { isAgentKnown = false }
            })
    }

    /// Answers a call that came to us.
    func answer(_ call: BusMessage) {
        guard case .present(let owner) = service, call.sender == owner,
            call.path == Self.agentPath, call.interface == BlueZName.agent
        else {
            return reject(call, "org.freedesktop.DBus.Error.AccessDenied", "not for you")
        }
        switch call.member {
        case "Release", "Cancel":
            bus.send(BusMessage(replyTo: call))
        case "RequestAuthorization", "RequestConfirmation", "AuthorizeService":
            var reader = call.reader
            guard let path = reader.objectPath(), isOurs(path) else {
                return reject(call, "org.bluez.Error.Rejected", "no camera of ours")
            }
            bus.send(BusMessage(replyTo: call))
        default:
            reject(call, "org.bluez.Error.Rejected", "there is nobody to ask")
        }
    }

    /// A device that we connected, or that was admitted and that BlueZ connects by itself.
    private func isOurs(_ path: String) -> Bool {
        if links.values.contains(where: { $0.path == path }) { return true }
        return tree.devices[path].map { $0.trusted && $0.isCamera } ?? false
    }

    private func reject(_ call: BusMessage, _ name: String, _ text: String) {
        guard call.wantsReply else { return }
        bus.send(BusMessage(errorTo: call, name: name, text: text))
    }
}
