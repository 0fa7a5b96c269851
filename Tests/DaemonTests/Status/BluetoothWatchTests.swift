import Clock
import Fleet
import OsmoProtocol
import Testing

@testable import Daemon

@Suite struct BluetoothWatchTests {
    private func at(_ seconds: Double) -> Instant { .zero + .seconds(seconds) }

    private static func adapter(
        allowed: Bool = true, powered: Bool = true, blocked: Bool = false
    ) -> AdapterSummary {
        var adapter = AdapterSummary(
            address: BluetoothAddress(value: 1), name: "hci0", usable: powered, links: 0, error: nil
        )
        adapter.allowed = allowed
        adapter.powered = powered
        adapter.blocked = blocked
        return adapter
    }

    @Test(
        "Each lack has its state and its way out",
        arguments: [
            (false, true, [adapter()], "no-bus", "systemctl start dbus"),
            (true, false, [adapter()], "no-bluetoothd", "systemctl start bluetooth"),
            (true, true, [], "no-adapter", "plug one in"),
            (true, true, [adapter(allowed: false)], "no-adapter", "[fleet] adapters"),
            (true, true, [adapter(powered: false)], "off", "bluetoothctl power on"),
            (
                true, true, [adapter(powered: false, blocked: true)], "off",
                "rfkill unblock bluetooth"
            ),
            (true, true, [adapter(powered: false), adapter()], "ok", nil),
        ] as [(Bool, Bool, [AdapterSummary], String, String?)])
    func lackHasStateAndWayOut(
        bus: Bool, service: Bool, adapters: [AdapterSummary], word: String, wayOut: String?
    ) {
        var watch = BluetoothWatch()
        watch.isServiceThere = service
        let state = watch.state(isBusConnected: bus, adapters: adapters)
        #expect(state.word == word)
        #expect(state.isOK == (wayOut == nil))
        #expect(state.reason?.contains(wayOut ?? "?") == (wayOut == nil ? nil : true))
    }

    @Test("A lack of less than three seconds is no news, a longer one is, and so is its end")
    func lackLastsBeforeNews() {
        var watch = BluetoothWatch()
        #expect(watch.update(.noBus, at: at(0)) == nil)
        #expect(watch.update(.noService, at: at(1)) == nil)
        #expect(watch.update(.noAdapter, at: at(2.9)) == nil)
        #expect(watch.update(.ok, at: at(2.95)) == nil)
        #expect(watch.update(.noService, at: at(10)) == nil)
        #expect(watch.update(.noService, at: at(12.999)) == nil)
        #expect(watch.update(.noService, at: at(13)) == .noService)
        #expect(watch.update(.noService, at: at(14)) == nil)
        #expect(watch.update(.noAdapter, at: at(15)) == .noAdapter)
        #expect(watch.update(.ok, at: at(16)) == .ok)
        #expect(watch.update(.ok, at: at(17)) == nil)
    }
}
