import Glibc
import TrackTools

@main enum Main {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if words.first == "track" { exit(TrackCommand.run(Array(words.dropFirst()))) }
    }
}
