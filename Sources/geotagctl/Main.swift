import ControlTool
import Glibc
import TrackTools

@main enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let line = fromVerb(words)
        let verb = line.first?.lowercased() ?? ""
        let rest = Array(line.dropFirst())
        // Tracks are files, unless it is the daemon that is to write them or not.
        if verb == "track", !ControlCommand.isTrackRequest(rest) { exit(TrackCommand.run(rest)) }
        if verb == "clip" || verb == "match" { exit(FootageCommand.run([verb] + rest)) }
        if verb == "evening" { exit(EveningCommand.run(rest)) }
        exit(ControlCommand.run(words))
    }

    /// The words from the verb on, behind options that say how to reach the daemon: they mean
    /// nothing to commands that do without it.
    private static func fromVerb(_ words: [String]) -> ArraySlice<String> {
        var rest = words[...]
        while let word = rest.first, word.hasPrefix("-") {
            if ["--socket", "-s", "--timeout", "-t"].contains(word) {
                rest = rest.dropFirst(2)
            } else if word.hasPrefix("--socket=") || word.hasPrefix("--timeout=") {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return rest
    }
}
