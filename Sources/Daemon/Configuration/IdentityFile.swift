package import Fleet
import OsmoProtocol
import Reactor
import Service

/// `identity` in the state directory: how cameras know this installation (protocol 3.1).
///
/// Made once. Cameras key their pairing on it: with another one each asks for a tap again.
package struct IdentityFile {
    /// The file, in the state folder.
    package let path: String
    private let directory: String

    /// The file in that folder.
    package init(directory: String) {
        self.directory = directory
        path = directory + "/identity"
    }

    /// What the file holds, or what goes in its place.
    package struct Loaded: Sendable {
        /// Device id and address by which cameras know this controller.
        package var identity: ControllerIdentity
        /// The file as it was found, moved aside; nil where it was good.
        package var damage: DamagedFile?
        /// Why the identity could not be saved: it lasts for this run.
        package var fault: StateFault?
    }

    /// What is kept, or a new identity, kept from now on where the folder takes it.
    ///
    /// - Throws: where there is a file that cannot be read: with another identity each camera would
    ///   ask for a tap.
    package func load(
        using generator: inout some RandomNumberGenerator
    ) throws(StateFault) -> Loaded {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try StateFile.read(path) } catch {
            throw .read(path: path, error)
        }
        var loaded = Loaded(identity: ControllerIdentity.random(using: &generator))
        do throws(StateFault) {
            if let bytes {
                let (identity, faults) = Self.read(bytes)
                if let identity { return Loaded(identity: identity) }
                loaded.damage = DamagedFile(path: path, keptAs: path, faults: faults)
                loaded.damage?.keptAs = try StateFile.setAsideDamaged(path)
            }
            try save(loaded.identity)
        } catch { loaded.fault = error }
        return loaded
    }

    /// Keeps this one from now on.
    ///
    /// Waits for the disk: not for the loop's thread while cameras stream.
    func save(_ identity: ControllerIdentity) throws(StateFault) {
        do throws(SystemError) { try StateFile.makeFolder(directory) } catch {
            throw .folder(path: directory, error)
        }
        let text = """
            # How cameras know this installation. Without this file each camera asks for a tap again.
            [identity]
            device_id = 0x\(identity.deviceID.bigEndianBytes.hexadecimal)
            address = \(identity.address)

            """
        do throws(SystemError) {
            try StateFile.replace(path, with: Array(text.utf8))
        } catch { throw .write(path: path, error) }
    }

    private static func read(
        _ bytes: [UInt8]
    ) -> (identity: ControllerIdentity?, faults: [ConfigurationFault]) {
        let text = INIText(bytes)
        var faults = text.faults
        var deviceID: UInt32?
        var address: BluetoothAddress?
        for section in text.sections {
            guard section.title == "identity" else {
                faults.append(section.fault(.unknownSection(allowed: "[identity]")))
                continue
            }
            for entry in section.entries {
                switch entry.key {
                case "device_id":
                    deviceID = self.deviceID(entry.value)
                    if deviceID == nil {
                        let allowed = "0x and eight hexadecimal digits"
                        faults.append(
                            section.fault(entry, .badValue(entry.value, allowed: allowed)))
                    }
                case "address":
                    address = BluetoothAddress(entry.value)
                    if address == nil {
                        faults.append(
                            section.fault(entry, .badValue(entry.value, allowed: "six octets")))
                    }
                default:
                    faults.append(section.fault(entry, .unknownKey(allowed: "device_id address")))
                }
            }
        }
        guard faults.isEmpty, let deviceID, let address else { return (nil, faults) }
        return (ControllerIdentity(deviceID: deviceID, address: address), [])
    }

    private static func deviceID(_ text: String) -> UInt32? {
        guard text.hasPrefix("0x"), let bytes = [UInt8](hexadecimal: text.dropFirst(2)),
            bytes.count == 4
        else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension ControllerIdentity {
    /// A device id that no camera model has, and a locally administered unicast address.
    package static func random(using generator: inout some RandomNumberGenerator)
        -> ControllerIdentity
    {
        // Cameras' own ids have FF in the second octet (protocol 1.1).
        let deviceID = UInt32.random(in: 1...UInt32.max, using: &generator) & 0x7FFF_7FFF | 1
        let octets = UInt64.random(in: 0...UInt64.max, using: &generator)
        let address = BluetoothAddress(value: octets & 0xFCFF_FFFF_FFFF | 0x0200_0000_0000)
        return ControllerIdentity(deviceID: deviceID, address: address)
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    }
}
