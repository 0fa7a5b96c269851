import OsmoProtocol

/// Notifications of cameras: bytes in pieces of any length, and whole frames with any payload.
final class FrameSubject: FuzzSubject {
    /// A short and a long frame of each kind, and several frames in a row.
    var seeds: [[UInt8]] {
        let opcodes: [Opcode] = [
            .connection, .version, .key, .gpsPush, .power, .record, .modeSwitch, .subscription,
            .restart, .status, .statusText,
        ]
        let contents = opcodes.flatMap { opcode in
            [0, 5, 33, 90].flatMap { length in
                [0x00, 0x20].map { type -> [UInt8] in
                    [type, 1, 0, opcode.set, opcode.id] + [UInt8](repeating: 1, count: length)
                }
            }
        }
        let frames = contents.map { content in
            Frame(
                type: FrameType(rawValue: content[0]), sequence: 1,
                opcode: Opcode(set: content[3], id: content[4]), payload: Array(content[5...])
            ).encoded
        }
        return contents.map { [0] + $0 } + frames.map { [0] + $0 }
            + [[9] + frames.prefix(12).joined(), [0, 0x55] + frames[0], [200] + frames.joined()]
    }

    func take(_ input: [UInt8]) {
        guard let first = input.first else { return }
        decode(input.dropFirst(), longest: first)
        read(input)
    }

    /// Checks that every byte becomes part of a frame, waits, or is counted as dropped.
    private func decode(_ bytes: ArraySlice<UInt8>, longest: UInt8) {
        var decoder = FrameDecoder()
        var (taken, framed, foreign) = (0, 0, 0)
        for (count, piece) in Pieces(bytes, longest: longest).enumerated() {
            let before = decoder.foreignNotifications
            let frames = decoder.receive(piece, at: Int64(count) * 1_000_000)
            taken += piece.count
            if decoder.foreignNotifications > before { foreign += piece.count }
            for frame in frames {
                framed += frame.length
                read(frame)
            }
            demand(decoder.pendingCount < Frame.maximumLength, "too much waits")
            demand(
                taken == framed + foreign + decoder.droppedBytes + decoder.pendingCount,
                "bytes are lost or counted twice")
        }
    }

    /// Makes a frame of the input, since random bytes would never have right checksums.
    private func read(_ input: [UInt8]) {
        guard input.count >= 6 else { return }
        let frame = Frame(
            type: FrameType(rawValue: input[1]),
            sequence: UInt16(input[2]) | UInt16(input[3]) << 8,
            opcode: Opcode(set: input[4], id: input[5]),
            payload: Array(input.dropFirst(6).prefix(Frame.maximumPayload)))
        var decoder = FrameDecoder()
        demand(decoder.receive(frame.encoded, at: 0) == [frame], "not what was encoded")
        read(frame)
    }

    private func read(_ frame: Frame) {
        reread(frame, CameraStatus.self)
        reread(frame, StatusText.self)
        _ = frame.returnCode
        reread(frame, ConnectionRequest.self)
        reread(frame, ConnectionResponse.self)
        reread(frame, GPSPush.self)
        reread(frame, KeyReport.self)
        reread(frame, ModeSwitch.self)
        reread(frame, PowerMode.self)
        reread(frame, RecordControl.self)
        reread(frame, Restart.self)
        reread(frame, RestartReply.self)
        reread(frame, StatusSubscription.self)
        reread(frame, VersionQuery.self)
        reread(frame, VersionReply.self)
        _ = CameraAdvertisement(manufacturerData: frame.payload)
    }

    /// Checks that a message is the same after it was written and read again.
    private func reread<Content: Message>(_ frame: Frame, _ kind: Content.Type) {
        guard let message = frame.read(kind) else { return }
        // Compared by its bytes, since a speed that is NaN does not equal itself.
        let again = Content(payload: message.payload)
        demand(again?.payload == message.payload, "\(message) changes")
    }
}
