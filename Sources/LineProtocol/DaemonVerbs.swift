/// The verbs that only read, and those that concern the daemon alone.
extension Verb {
    static let help = Verb("help", [.optionalVerb], "lists the verbs, or explains one") {
        reader throws(RequestFault) in
        .daemon(.help(try reader.optionalVerb()))
    }

    static let status = Verb(
        "status", [.optionalChoice(["json"])],
        "shows receiver, pushes and cameras; json: all of it on one line"
    ) { reader throws(RequestFault) in
        .daemon(.status(json: try reader.flag("json")))
    }

    static let cameras = Verb("cameras", [], "lists the cameras of the roster and those in range") {
        _ in .daemon(.cameras)
    }

    static let camera = Verb("camera", [.target], "shows everything known of a camera") {
        reader throws(RequestFault) in
        .daemon(.camera(try reader.target()))
    }

    static let gps = Verb("gps", [], "shows the receiver and its fix") { _ in .daemon(.gps) }

    static let modes = Verb(
        "modes", [.optionalTarget], "lists the modes that can be switched to"
    ) { reader throws(RequestFault) in
        .daemon(.modes(try reader.optionalTarget()))
    }

    static let auto = Verb(
        "auto", [.choice(of: DaemonCommand.Auto.self)],
        "switches the rules of [auto] on or off, or shows what they do",
        notes: [
            "off leaves recordings as they are. on also ends what commands by hand hold until the",
            "vehicle's next stop or start.",
        ]
    ) { reader throws(RequestFault) in
        .daemon(.auto(try reader.choice()))
    }

    static let track = Verb(
        "track", [.choice(of: DaemonCommand.Track.self)],
        "switches the track log, or begins a new file"
    ) { reader throws(RequestFault) in
        .daemon(.track(try reader.choice()))
    }

    static let mark = Verb(
        "mark", [.optionalText], "writes a mark with its place and time into the events file"
    ) { reader throws(RequestFault) in
        .daemon(.mark(reader.words.remainder()))
    }

    static let events = Verb(
        "events", [.choice(of: OnOff.self)], on: .connections,
        "switches unasked-for lines on this connection",
        notes: ["Lines that nobody asked for begin with \"! \"."]
    ) { reader throws(RequestFault) in
        let choice: OnOff = try reader.choice()
        return .daemon(.events(choice == .on))
    }

    static let loglevel = Verb(
        "loglevel", [.choice(of: LogLevel.self)], "sets how much is logged"
    ) { reader throws(RequestFault) in
        .daemon(.logLevel(try reader.choice()))
    }

    static let reload = Verb("reload", [], "reads the configuration again") { _ in .daemon(.reload)
    }

    static let quit = Verb("quit", [], "ends the daemon") { _ in .daemon(.quit) }

    private enum OnOff: String, CaseIterable { case on, off }
}
