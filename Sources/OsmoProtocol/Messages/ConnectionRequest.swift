/// 0019 as a command: steps 1 (ours) and 3 (the camera's) of the handshake (protocol 3.1).
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u32 | device_id of the sender |
/// | 4 | u8 | length of the identity |
/// | 5 | 16 bytes | identity, zero padded: our address, first octet first |
/// | 21 | u32 | fw_version |
/// | 25 | u8 | conidx, 0 |
/// | 26 | u8 | verify_mode |
/// | 27 | u16 | verify_data |
/// | 29 | 4 bytes | reserved |
package struct ConnectionRequest: Message {
    /// What the request asks or tells: verify_mode with its verify_data.
    package enum Verification: Hashable, Sendable {
        /// Mode 0: use the pairing on record; the camera asks its owner by itself if it has none.
        case saved(code: UInt16)
        /// Mode 1: ask the owner in any case, showing the code.
        case popup(code: UInt16)
        /// Mode 2, of cameras alone: what the owner decided. 0 allows; anything else refuses.
        case result(UInt16)
        /// A mode that nobody documents.
        case other(mode: UInt8, data: UInt16)

        /// The camera's owner let us connect.
        package static let allowed = Verification.result(0)
        /// The camera's owner refused: disconnect, and do not ask again (protocol 3.1).
        package static let refused = Verification.result(1)
    }

    /// 0019, the opcode of all four steps of the handshake.
    package static let opcode = Opcode.connection
    /// CmdType 02: the other side must answer.
    package static let type = FrameType.query
    /// Bytes of the payload.
    package static let length = 33
    /// Room for the identity.
    package static let maximumIdentity = 16

    /// The sender's device_id. Ours is free but must stay the same; a camera's names its model
    /// (protocol 1.1).
    package var deviceID: UInt32
    /// What the camera keys its pairing record on: an address, but the field is opaque; at most
    /// 16 bytes.
    package var identity: [UInt8]
    /// 0 keeps the camera from offering a firmware update for us.
    package var firmwareVersion: UInt32 = 0
    /// conidx, which is reserved: always 0.
    package var connectionIndex: UInt8 = 0
    /// What is asked of the camera, or the decision that the camera tells.
    package var verification: Verification

    /// A request whose identity is `address`, and which offers no firmware.
    package init(deviceID: UInt32, address: BluetoothAddress, verification: Verification) {
        self.deviceID = deviceID
        identity = address.octets
        self.verification = verification
    }

    /// nil for fewer than 33 bytes; an identity that claims more than 16 bytes is cut there.
    package init?(payload: [UInt8]) {
        guard payload.count >= Self.length else { return nil }
        deviceID = payload.littleEndian32(at: 0)
        identity = Array(payload[5..<5 + min(Int(payload[4]), Self.maximumIdentity)])
        firmwareVersion = payload.littleEndian32(at: 21)
        connectionIndex = payload[25]
        verification = Verification(mode: payload[26], data: payload.littleEndian16(at: 27))
    }

    /// The identity where it is an address.
    package var address: BluetoothAddress? { BluetoothAddress(octets: identity) }

    /// 33 bytes. An identity of more than 16 bytes stops the program.
    package var payload: [UInt8] {
        precondition(identity.count <= Self.maximumIdentity, "an identity has at most 16 bytes")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        bytes.append(littleEndian: deviceID)
        bytes.append(UInt8(identity.count))
        bytes.append(contentsOf: identity)
        bytes.append(contentsOf: repeatElement(0, count: Self.maximumIdentity - identity.count))
        bytes.append(littleEndian: firmwareVersion)
        bytes.append(connectionIndex)
        bytes.append(verification.mode)
        bytes.append(littleEndian: verification.data)
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }
}

extension ConnectionRequest.Verification {
    init(mode: UInt8, data: UInt16) {
        switch mode {
        case 0: self = .saved(code: data)
        case 1: self = .popup(code: data)
        case 2: self = .result(data)
        default: self = .other(mode: mode, data: data)
        }
    }

    /// verify_mode.
    package var mode: UInt8 {
        switch self {
        case .saved: 0
        case .popup: 1
        case .result: 2
        case .other(let mode, _): mode
        }
    }

    /// verify_data.
    package var data: UInt16 {
        switch self {
        case .saved(let code), .popup(let code): code
        case .result(let decision): decision
        case .other(_, let data): data
        }
    }
}
