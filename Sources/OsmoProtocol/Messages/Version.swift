/// 0000 as a command: asks for the version texts; no payload (protocol 3.2).
package struct VersionQuery: Message {
    package static let opcode = Opcode.version
    package static let type = FrameType.query

    package init() {}
    package init?(payload: [UInt8]) {}
    package var payload: [UInt8] { [] }
}

/// 0000 as an answer (protocol 3.2). Two different models gave one text: no model and no firmware
/// can be told from it.
///
/// | offset | type | field |
/// | --- | --- | --- |
/// | 0 | u16 | result |
/// | 2 | text of 16 | product, zero padded |
/// | 18 | text to the end | SDK version, zero padded |
package struct VersionReply: Message {
    package static let opcode = Opcode.version
    package static let type = FrameType.response

    /// 0 for success.
    package var result: UInt16
    /// `DJI-ACTION4`; at most 16 bytes.
    package var product: String
    /// `SDK-v1.1 DEBUG …`.
    package var sdk: String
    /// Bytes of the SDK field, padding included: 78 in captures.
    package var sdkLength: Int

    package init(result: UInt16 = 0, product: String, sdk: String, sdkLength: Int = 78) {
        self.result = result
        self.product = product
        self.sdk = sdk
        self.sdkLength = sdkLength
    }

    package init?(payload: [UInt8]) {
        guard payload.count >= 18 else { return nil }
        result = payload.littleEndian16(at: 0)
        product = text(payload[2..<18])
        sdk = text(payload[18...])
        sdkLength = payload.count - 18
    }

    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: result)
        append(product, padded: 16, to: &bytes)
        append(sdk, padded: sdkLength, to: &bytes)
        return bytes
    }
}
