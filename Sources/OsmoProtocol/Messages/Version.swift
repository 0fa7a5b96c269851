/// 0000 as a command: asks for the version texts; no payload (protocol 3.2).
package struct VersionQuery: Message {
    /// 0000, to the camera.
    package static let opcode = Opcode.version
    /// CmdType 02: the camera must answer. No answer is harmless (protocol 4.1).
    package static let type = FrameType.query

    /// The query; it has no fields.
    package init() {}
    /// Never nil: whatever comes as payload is ignored.
    package init?(payload: [UInt8]) {}
    /// Always empty.
    package var payload: [UInt8] { [] }
}

/// 0000 as an answer (protocol 3.2). Two different models sent the same text, so that neither model
/// nor firmware can be told from it.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u16 | result |
/// | 2 | text of 16 | product, zero padded |
/// | 18 | text to the end | SDK version, zero padded |
package struct VersionReply: Message {
    /// 0000, from the camera.
    package static let opcode = Opcode.version
    /// CmdType 20: an answer.
    package static let type = FrameType.response

    /// 0 for success.
    package var result: UInt16
    /// `DJI-ACTION4`; at most 16 bytes.
    package var product: String
    /// `SDK-v1.1 DEBUG …`.
    package var sdk: String
    /// Bytes of the SDK field, padding included: 78 in captures.
    package var sdkLength: Int

    /// An answer for a simulated camera to send.
    package init(result: UInt16 = 0, product: String, sdk: String, sdkLength: Int = 78) {
        self.result = result
        self.product = product
        self.sdk = sdk
        self.sdkLength = sdkLength
    }

    /// nil for fewer than 18 bytes; the SDK text may be empty.
    package init?(payload: [UInt8]) {
        guard payload.count >= 18 else { return nil }
        result = payload.littleEndian16(at: 0)
        product = text(payload[2..<18])
        sdk = text(payload[18...])
        sdkLength = payload.count - 18
    }

    /// 18 bytes and `sdkLength` more; a text that is longer than its field is cut.
    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: result)
        append(product, padded: 16, to: &bytes)
        append(sdk, padded: sdkLength, to: &bytes)
        return bytes
    }
}
