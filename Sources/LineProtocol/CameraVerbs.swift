/// The verbs that command cameras or change the roster.
extension Verb {
    static let record = Verb(
        "record", [.choice(of: FleetCommand.Record.self), .optionalInstant("at"), .optionalTarget],
        "starts, stops or toggles recording",
        notes: [
            "Done when the camera's status says so. start on a recording camera and stop on an",
            "idle one are ok. In a photo mode start switches to video first.",
            "start at=UTC starts at that instant by GPS time, 0.2 to 60 s ahead, such as",
            "at=2026-07-01T10:00:00.100Z; stop cancels it, a restart forgets it.",
        ]
    ) { reader throws(RequestFault) in
        let action: FleetCommand.Record = try reader.choice()
        let instant = try reader.optionalInstant("at")
        guard instant == nil || action == .start else { throw .surplusArgument(reader.verb, "at=") }
        let command = instant.map { FleetCommand.timedStart(at: $0) } ?? .record(action)
        return .fleet(command, try reader.optionalTarget())
    }

    static let photo = Verb(
        "photo", [.optionalTarget], "takes one photo",
        notes: ["ok on the camera's receipt; never retried. While recording: busy."]
    ) { reader throws(RequestFault) in
        .fleet(.photo, try reader.optionalTarget())
    }

    static let mode = Verb(
        "mode", [.mode, .optionalTarget], "switches the camera mode",
        notes: [
            "NAME is one of those that modes lists; 0xNN is the code as it stands. On an",
            "Osmo 360 in its panoramic group a name means the panoramic mode.",
        ]
    ) { reader throws(RequestFault) in
        .fleet(try reader.mode(), try reader.optionalTarget())
    }

    static let key = Verb(
        "key", [.choice(of: FleetCommand.Key.self), .optionalTarget],
        "presses a key of the camera's remote control once",
        notes: ["Never retried. key record toggles: record start and stop are safer."]
    ) { reader throws(RequestFault) in
        .fleet(.key(try reader.choice()), try reader.optionalTarget())
    }

    static let sleep = Verb(
        "sleep", [.optionalWord("force"), .optionalTarget], "sends cameras to sleep",
        notes: [
            "A camera that records is busy and stays awake; force sends it to sleep all the same,",
            "which ends its recording. GPS stops at once. Waking works for 30 minutes.",
        ]
    ) { reader throws(RequestFault) in
        let isForced = reader.skip("force")
        return .fleet(isForced ? .forcedSleep : .sleep, try reader.optionalTarget())
    }

    static let wake = Verb("wake", [.optionalTarget], "wakes sleeping cameras") {
        reader throws(RequestFault) in
        .fleet(.wake, try reader.optionalTarget())
    }

    static let snapshot = Verb(
        "snapshot", [.optionalTarget], "wakes, shoots, and lets the camera sleep again"
    ) { reader throws(RequestFault) in
        .fleet(.snapshot, try reader.optionalTarget())
    }

    static let restart = Verb("restart", [.target], "restarts a camera") {
        reader throws(RequestFault) in
        .fleet(.restart, try reader.target())
    }

    static let pair = Verb(
        "pair", [.optionalSeconds],
        "admits the nearest new camera, within 60 seconds or as many as said",
        notes: [
            "Asks the strongest supported camera that is not on the roster. The reply shows a",
            "code; the owner taps the camera to agree. One camera a window.",
        ]
    ) { reader throws(RequestFault) in
        .fleet(.pair(try reader.pairWindow()), .all)
    }

    static let forget = Verb(
        "forget", [.target], "drops a paired camera from the roster",
        notes: ["Cameras of the configuration file are changed there."]
    ) { reader throws(RequestFault) in
        .fleet(.forget, try reader.target())
    }

    static let rename = Verb(
        "rename", [.camera, .newName], "renames a paired camera",
        notes: ["Cameras of the configuration file are changed there."]
    ) { reader throws(RequestFault) in
        let camera = try reader.camera()
        return .fleet(.rename(to: try reader.newName()), .these([camera]))
    }

    static let connect = Verb(
        "connect", [.optionalTarget], "connects again what disconnect had held"
    ) { reader throws(RequestFault) in
        .fleet(.connect, try reader.optionalTarget())
    }

    static let disconnect = Verb(
        "disconnect", [.optionalTarget], "disconnects and stays away until connect"
    ) { reader throws(RequestFault) in
        .fleet(.disconnect, try reader.optionalTarget())
    }

    static let reconnect = Verb(
        "reconnect", [.optionalTarget], "drops the link and makes it anew"
    ) { reader throws(RequestFault) in
        .fleet(.reconnect, try reader.optionalTarget())
    }

    static let raw = Verb(
        "raw", [.camera, .hexadecimal], "sends a whole frame as it is and shows the answer",
        notes: ["HEX is a whole frame, AA to CRC32, with right checksums."]
    ) { reader throws(RequestFault) in
        let camera = try reader.camera()
        return .fleet(.raw(frame: try reader.frame()), .these([camera]))
    }

    static let version = Verb("version", [.target], "asks a camera for product and firmware") {
        reader throws(RequestFault) in
        .fleet(.version, try reader.target())
    }
}
