/// The first word of a request (contract 3.1): the one table that the parser, `help`,
/// geotagctl, the completions and the manual agree on.
package enum Verb: String, Sendable, CaseIterable {
    case help, status, cameras, camera, gps
    case record, photo, mode, modes, key
    case sleep, wake, snapshot, restart
    case pair, forget, rename, connect, disconnect, reconnect
    case track, mark
    case raw, version
    case events, loglevel, reload, quit

    /// The whole request as `help` writes it: brackets around what may be left out.
    package var usage: String {
        switch self {
        case .help: "help [VERB]"
        case .status: "status [json]"
        case .cameras: "cameras"
        case .camera: "camera TARGET"
        case .gps: "gps"
        case .record: "record start|stop|toggle [TARGET]"
        case .photo: "photo [TARGET]"
        case .mode: "mode NAME|0xNN [TARGET]"
        case .modes: "modes [TARGET]"
        case .key: "key record|qs|snapshot [TARGET]"
        case .sleep: "sleep [TARGET]"
        case .wake: "wake [TARGET]"
        case .snapshot: "snapshot [TARGET]"
        case .restart: "restart TARGET"
        case .pair: "pair [SECONDS]"
        case .forget: "forget TARGET"
        case .rename: "rename NAME NEW"
        case .connect: "connect [TARGET]"
        case .disconnect: "disconnect [TARGET]"
        case .reconnect: "reconnect [TARGET]"
        case .track: "track on|off|rotate"
        case .mark: "mark [TEXT]"
        case .raw: "raw NAME HEX"
        case .version: "version TARGET"
        case .events: "events on|off"
        case .loglevel: "loglevel error|warning|notice|info|debug"
        case .reload: "reload"
        case .quit: "quit"
        }
    }

    /// What it does, in one line.
    package var summary: String {
        switch self {
        case .help: "lists the verbs, or explains one"
        case .status: "shows receiver, pushes and cameras; json: all of it on one line"
        case .cameras: "lists the cameras of the roster and those in range"
        case .camera: "shows everything known of a camera"
        case .gps: "shows the receiver and its fix"
        case .record: "starts, stops or toggles recording"
        case .photo: "takes one photo"
        case .mode: "switches the camera mode"
        case .modes: "lists the modes that can be switched to"
        case .key: "presses a key of the camera's remote control once"
        case .sleep: "sends cameras to sleep"
        case .wake: "wakes sleeping cameras"
        case .snapshot: "wakes, shoots, and lets the camera sleep again"
        case .restart: "restarts a camera"
        case .pair: "admits the nearest new camera, within 60 seconds or as many as said"
        case .forget: "drops a paired camera from the roster"
        case .rename: "renames a paired camera"
        case .connect: "connects again what disconnect had held"
        case .disconnect: "disconnects and stays away until connect"
        case .reconnect: "drops the link and makes it anew"
        case .track: "switches the track log, or begins a new file"
        case .mark: "writes a mark with its place and time into the events file"
        case .raw: "sends a whole frame as it is and shows the answer"
        case .version: "asks a camera for product and firmware"
        case .events: "switches unasked-for lines on this connection"
        case .loglevel: "sets how much is logged"
        case .reload: "reads the configuration again"
        case .quit: "ends the daemon"
        }
    }

    /// What a newcomer should know beyond the summary, for `help VERB`; empty where that is all.
    package var notes: [String] {
        switch self {
        case .record:
            [
                "Done when the camera's status says so. start on a recording camera and stop on an",
                "idle one are ok. In a photo mode start switches to video first.",
            ]
        case .photo: ["ok on the camera's receipt; never retried. While recording: busy."]
        case .mode:
            [
                "NAME is one of those that modes lists; 0xNN is the code as it stands. On an",
                "Osmo 360 in its panoramic group a name means the panoramic mode.",
            ]
        case .key: ["Never retried. key record toggles: record start and stop are safer."]
        case .sleep: ["GPS stops at once. Waking works for 30 minutes."]
        case .pair:
            [
                "Asks the strongest supported camera that is not on the roster. The reply shows a",
                "code; the owner taps the camera to agree. One camera a window.",
            ]
        case .forget, .rename:
            ["Cameras of the configuration file are changed there."]
        case .raw: ["HEX is a whole frame, AA to CRC32, with right checksums."]
        case .events: ["Lines that nobody asked for begin with \"! \"."]
        case .help, .status, .cameras, .camera, .gps, .modes, .wake, .snapshot, .restart, .connect,
            .disconnect, .reconnect, .track, .mark, .version, .loglevel, .reload, .quit:
            []
        }
    }
}
