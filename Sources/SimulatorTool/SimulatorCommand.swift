import Glibc
import LineProtocol

/// The whole of `geotag-sim`: its verbs, and which of them was asked for.
package enum SimulatorCommand {
    /// Runs the verb of this process's arguments, and ends the process with its exit status.
    package static func main() -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let rest = Array(arguments.dropFirst())
        if arguments.first == "--version" {
            Terminal.say("geotag-sim \(Version.text)")
            exit(0)
        }
        if let help = help(arguments.first, rest) {
            Terminal.say(help)
            exit(0)
        }
        switch arguments.first {
        case "bluez": exit(BlueZCommand.main(rest))
        case "bench": exit(Bench.main())
        case "film": exit(FilmCommand.main(rest))
        case "motion": exit(MotionCommand.main(rest))
        case "replay": exit(Replay.main(rest))
        case "run": exit(Run.main(rest))
        case let word?:
            let hint = Spelling.hint(for: word, among: verbs) ?? ";"
            Terminal.complain(
                "geotag-sim: \(LineText.quoted(word)) is no verb\(hint) see geotag-sim --help")
            exit(Terminal.usageError)
        case nil:
            Terminal.complain(usage)
            exit(Terminal.usageError)
        }
    }

    /// What is shown where somebody asks for help; nil where nobody does.
    private static func help(_ verb: String?, _ rest: [String]) -> String? {
        if let verb, ["--help", "-h", "help"].contains(verb) { return usage }
        guard rest.contains("--help") || rest.contains("-h") else { return nil }
        return switch verb {
        case "bluez": BlueZCommand.usage
        case "film": FilmCommand.usage
        case "motion": MotionCommand.usage
        case "run": Run.usage
        default: usage
        }
    }

    private static let verbs = ["run", "bluez", "film", "motion", "replay", "bench"]

    private static let usage = """
        geotag-sim: the stand-in for hardware

        usage: geotag-sim VERB …         geotag-sim VERB --help shows a verb's options

          run [--seeds N] …              lives through virtual drives and judges every event
          bluez --cameras N …            serves org.bluez with simulated cameras on a bus of its own
          film FOLDER [--seconds N] …    writes clips as cameras do, and the track beside them
          motion TRACK.csv …             compares pushed positions with a recorded track
          replay FILE                    shows what geotagd understands of a capture
          bench                          measures the codec
        """
}
