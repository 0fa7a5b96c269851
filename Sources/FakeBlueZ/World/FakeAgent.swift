import BlueZ
import OsmoProtocol
import Reactor

/// org.bluez.AgentManager1, as far as cameras make bluetoothd ask: whoever registered first decides.
extension FakeBluetoothd {
    /// A call to the agent manager.
    func handleAgent(_ call: BusMessage) {
        var reader = call.reader
        guard call.member == "RegisterAgent", let owner = call.sender,
            let path = reader.objectPath()
        else { return server.refuseUnknownObject(call) }
        guard agent == nil else {
            return server.refuse(call, "AlreadyExists", "Already Exists")
        }
        agent = (owner, path)
        server.reply(to: call)
    }

    /// bluetoothd wants to pair with that device, as it does where there is a HID service.
    ///
    /// - Returns: what is wrong with that; nil when the agent is being asked.
    func askAgent(_ name: String) -> String? {
        let camera = cameras.first { $0.name == name }?.address
        let stranger = settings.strangers.first { $0.name == name }?.address
        guard let address = camera ?? stranger,
            let path = adapters.lazy.compactMap({ $0.devices[address]?.path }).first
        else { return "no such device" }
        guard let agent else {
            tell(name, "agent none", at: loop.now)
            return nil
        }
        server.call("RequestAuthorization", of: BlueZName.agent, agent, device: path) {
            [unowned self] isAgreed, now in
            tell(name, isAgreed ? "agent yes" : "agent no", at: now)
        }
        return nil
    }
}
