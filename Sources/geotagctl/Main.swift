import ControlTool
import Glibc
import TrackTools

@main enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let line = ControlCommand.withoutConnection(words)
        let verb = line.first?.lowercased() ?? ""
        let rest = Array(line.dropFirst())
        // Tracks are files, unless it is the daemon that is to write them or not.
        if verb == "track", !ControlCommand.isTrackRequest(rest) { exit(TrackCommand.run(rest)) }
        if verb == "clip" || verb == "match" { exit(FootageCommand.run([verb] + rest)) }
        if verb == "evening" { exit(EveningCommand.run(rest)) }
        exit(ControlCommand.run(words))
    }
}
