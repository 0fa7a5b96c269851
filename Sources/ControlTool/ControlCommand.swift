import ControlClient
import Glibc
import LineProtocol
import Reactor

/// `geotagctl` without its offline track tools.
package enum ControlCommand {
    /// Exit statuses.
    enum Exit {
        static let ok: Int32 = 0
        /// The daemon answered ERR.
        static let error: Int32 = 1
        static let usage: Int32 = 64
        /// The daemon is not there, or does not answer.
        static let noDaemon: Int32 = 3
        /// The file of `metrics` cannot be written.
        static let inputOutput: Int32 = 74
    }

    /// Whether `geotagctl track WORDS` is a request to the daemon; otherwise it is about files.
    package static func isTrackRequest(_ words: [String]) -> Bool {
        words.first.map { DaemonCommand.Track(rawValue: $0.lowercased()) != nil } ?? false
    }

    /// The words from the verb on, behind options that say how to reach the daemon: these mean
    /// nothing to commands that do without it. All words where another option comes first.
    package static func withoutConnection(_ words: [String]) -> [String] {
        var line = CommandLineWords(words)
        var fromVerb = line.rest
        while let option = line.next(),
            ["--socket", "-s", "--timeout", "-t"].contains(option.option),
            (try? line.value(of: option)) != nil
        {
            fromVerb = line.rest
        }
        return Array(fromVerb)
    }

    /// Does what the words say.
    ///
    /// - Parameter words: the command line without the program's own name.
    /// - Returns: the exit status.
    package static func run(_ words: [String]) -> Int32 {
        Signals.ignorePipe()
        let variable = getenv("GEOTAGD_SOCKET").map { String(cString: $0) }
        let options: ControlOptions
        do throws(ControlMisuse) {
            options = try ControlOptions(
                words, standardSocket: variable ?? ControlOptions.standardSocket)
        } catch {
            complain(error.text + "; see geotagctl --help")
            return Exit.usage
        }
        do throws(ControlFault) {
            switch options.action {
            case .help: say(usage)
            case .version: say("geotagctl \(Version.text)\n")
            case .helpVerb(let verb):
                say("usage: geotagctl " + HelpText.lines(verb).joined(separator: "\n") + "\n")
            case .helpOwn(let verb): say(verb.usage)
            case .ask(let line): return try AskRun(options, line).run()
            case .events(let program?) where !EventPrograms.isRunnable(program):
                complain("\(program) cannot be run: no such program, or not executable")
                return Exit.usage
            case .events(let program): return try EventsRun(options, program: program).run()
            case .watch(let once, let big):
                return try WatchRun(options, once: once, big: big).run()
            case .doctor: return DoctorRun(options).run()
            case .setup: return try SetupRun(options).run()
            case .metrics(let output): return MetricsRun(options, output: output).run()
            }
            return Exit.ok
        } catch {
            if case .ask(let line) = options.action, line == "help" {
                // The list of verbs can be shown without a daemon.
                say(HelpText.lines(nil).joined(separator: "\n") + "\n")
            }
            complain(error.text)
            return Exit.noDaemon
        }
    }

    /// Writes to stdout, and waits where its reader is slow.
    ///
    /// - Returns: false where nobody reads any more, as behind `| head`.
    @discardableResult
    static func say(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

    /// Writes a line to stderr.
    static func complain(_ text: String) {
        _ = write("geotagctl: \(text)\n", to: STDERR_FILENO)
    }

    private static func write(_ text: String, to number: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// What `--help` says.
    static let usage = """
        geotagctl: gives geotagd commands, and shows what it does

        usage: geotagctl [--socket PATH] [--timeout SECONDS] [--plain|--json] VERB [ARGUMENT…]
               geotagctl watch [--big] [--once] [--units metric|imperial|si]
               geotagctl events [--json] [--exec PROGRAM]
               geotagctl doctor [--config FILE] [--json]
               geotagctl setup [--config FILE]
               geotagctl metrics [--output FILE]
               geotagctl track info|gpx|kml|geojson|clips|report|check FILE…
               geotagctl match|clip CLIP|FOLDER… [--track FILE|FOLDER…]
               geotagctl evening FOLDER…

          VERB              one of those below; `geotagctl VERB --help` explains it
          watch             a live screen; its last line names the keys
          events            a line for each event; --exec runs a program for each
          doctor            checks all that is needed, and says what to do
          setup             from nothing to the first drive, question by question
          metrics           the rig as numbers for Prometheus
          track …           what can be done with the files alone: geotagctl track --help
          match … clip …    when footage was filmed, and what it holds: geotagctl match --help
          evening …         a file for each clip and a report of the drive: geotagctl evening --help

          --socket PATH     the control socket; GEOTAGD_SOCKET, or
                            \(ControlOptions.standardSocket)
          --timeout SECONDS how long an answer may take: 1 to 3600
          --plain           the lines of the protocol, as in a pipe, on a terminal too
          --json            answers and events as one JSON object a line
          --units UNITS     of speed and height: metric, imperial or si; else as the locale says
          --version         print the version, and end
          --help            print this, and end

        Exit status: 0 done; 1 geotagd says ERR; 3 geotagd is not there; 64 usage.

        \(HelpText.lines(nil).joined(separator: "\n"))

        """
}
