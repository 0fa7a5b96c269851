import LineProtocol
package import OsmoProtocol

/// The cameras that the owner admitted, in order: the configuration's, then those that were paired,
/// then those that `admit = any` let in. Names, numbers and addresses are distinct.
package struct Roster: Equatable, Sendable {
    /// As many as there are numbers.
    package static let bound = 99

    /// In the order in which they were added.
    package private(set) var entries: [RosterEntry] = []

    /// Takes the entries that fit; a doubled name, number or address and whatever goes beyond the
    /// bound is left out.
    package init(_ entries: [RosterEntry] = []) {
        for entry in entries { _ = add(entry) }
    }

    /// The camera with this address; nil without one.
    package subscript(address address: BluetoothAddress) -> RosterEntry? {
        entries.first { $0.address == address }
    }

    /// What has to be kept in the state directory.
    package var kept: [RosterEntry] { entries.filter { $0.source == .paired } }

    /// The lowest number that nobody has; nil when all are taken.
    package var lowestFreeNumber: Int? {
        (1...Self.bound).first { number in !entries.contains { $0.number == number } }
    }

    /// What step 4 of the handshake says: 0 where there is one camera, else the camera's number
    /// (protocol 4.5).
    package func handshakeNumber(_ address: BluetoothAddress, joining number: Int? = nil) -> Int {
        let number = self[address: address]?.number ?? number ?? 0
        let others = entries.contains { $0.address != address }
        return others ? number : 0
    }

    /// - Returns: whether it fits.
    package mutating func add(_ entry: RosterEntry) -> Bool {
        guard entries.count < Self.bound,
            !entries.contains(where: {
                $0.name == entry.name || $0.number == entry.number || $0.address == entry.address
            })
        else { return false }
        entries.append(entry)
        return true
    }

    /// Forgets a camera; nothing happens where it is not known.
    package mutating func remove(_ address: BluetoothAddress) {
        entries.removeAll { $0.address == address }
    }

    /// - Parameter name: valid, and nobody else's.
    package mutating func rename(_ address: BluetoothAddress, to name: String) {
        guard let index = entries.firstIndex(where: { $0.address == address }) else { return }
        entries[index].name = name
    }

    /// A name for a camera that has none yet: model and last two octets, `action4-11e7`.
    package func proposedName(_ model: CameraModel?, _ address: BluetoothAddress) -> String {
        let stem = Self.stem(model) + "-" + Self.tail(address)
        guard entries.contains(where: { $0.name == stem && $0.address != address }) else {
            return stem
        }
        let whole = Self.stem(model) + "-" + Self.hexadecimal(address, octets: 6)
        return entries.contains { $0.name == whole } ? whole + "-x" : whole
    }

    /// `11e7` of `60:60:1F:60:11:E7`.
    package static func tail(_ address: BluetoothAddress) -> String {
        hexadecimal(address, octets: 2)
    }

    private static func hexadecimal(_ address: BluetoothAddress, octets: Int) -> String {
        let bits = address.value & ((1 << UInt64(octets * 8)) - 1)
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: octets * 2 - digits.count) + digits
    }

    private static func stem(_ model: CameraModel?) -> String {
        switch model {
        case .action4: "action4"
        case .action5Pro: "action5pro"
        case .action6: "action6"
        case .osmo360: "osmo360"
        case .other, nil: "camera"
        }
    }

}
