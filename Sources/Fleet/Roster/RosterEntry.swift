import LineProtocol
package import OsmoProtocol

/// A camera that the owner admitted.
package struct RosterEntry: Equatable, Sendable {
    /// Where the entry stands: the configuration's cannot be forgotten or renamed by command.
    /// `admitted` ones came with `admit = any` and are not kept.
    package enum Source: Sendable { case configuration, paired, admitted }

    /// Unique; contract 7 says which names are valid.
    package var name: String
    /// 1 to 99, distinct.
    package var number: Int
    /// Its Bluetooth address.
    package var address: BluetoothAddress
    /// Only this adapter may hold it; nil for any.
    package var adapter: BluetoothAddress?
    /// Its absence is no error of a command (`optional = yes`).
    package var optional: Bool
    /// From the configuration, or paired.
    package var source: Source

    /// A camera that the rig knows.
    package init(
        name: String, number: Int, address: BluetoothAddress, adapter: BluetoothAddress? = nil,
        optional: Bool = false, source: Source = .configuration
    ) {
        self.name = name
        self.number = number
        self.address = address
        self.adapter = adapter
        self.optional = optional
        self.source = source
    }
}

extension RosterEntry: Targetable {
    /// Its number in the roster.
    package var rosterNumber: Int? { number }
}
