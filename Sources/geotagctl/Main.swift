import ControlTool
import Glibc
import TrackTools

@main enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let rest = Array(words.dropFirst())
        // Tracks are files, unless it is the daemon that is to write them or not.
        if words.first?.lowercased() == "track", !ControlCommand.isTrackRequest(rest) {
            exit(TrackCommand.run(rest))
        }
        if words.first == "clip" || words.first == "match" { exit(FootageCommand.run(words)) }
        if words.first == "evening" { exit(EveningCommand.run(rest)) }
        exit(ControlCommand.run(words))
    }
}
