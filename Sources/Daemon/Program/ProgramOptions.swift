package import Fleet
package import Navigation

/// The words behind `geotagd` (design section 1).
package struct ProgramOptions: Equatable, Sendable {
    /// Where the configuration is when no option names it.
    package static let standardPath = "/etc/geotagd.conf"
    /// Cameras in a simulation, at most.
    package static let mostSimulated = 50
    /// Of `--for`, seconds: a week.
    package static let longestRun = 604_800

    package enum Action: Equatable, Sendable { case run, checkConfiguration, version, help }

    package var action = Action.run
    /// nil for `standardPath`, whose absence is no error.
    package var configurationPath: String?
    /// Commands are taken from stdin.
    package var readsStandardInput = false
    /// Simulated cameras; nil for real ones.
    package var simulatedCameras: Int?
    /// How long a simulation goes on; nil until it is ended.
    package var duration: Span?
    package var logLevel = LogLevel.info
    /// Where frames are captured; nil for where the configuration says.
    package var capture: String?

    package init() {}

    /// A command line that cannot be understood: one sentence for stderr.
    package struct Misuse: Error, Equatable, Sendable {
        package var text: String
    }

    /// - Parameter words: without the program's own name.
    package init(_ words: [String]) throws(Misuse) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let (name, given) = Self.split(word)
            switch name {
            case "--stdin", "--check-config", "--version", "--help", "-h":
                guard given == nil else { throw Misuse(text: "\(name) takes no value") }
                takeFlag(name)
            case "--config", "--simulate", "--for", "--log-level", "--capture":
                guard let value = given ?? rest.popFirst(), !value.isEmpty else {
                    throw Misuse(text: "\(name) needs a value")
                }
                try take(name, value)
            default:
                throw Misuse(text: "unknown option \(word); see geotagd --help")
            }
        }
        guard duration == nil || simulatedCameras != nil else {
            throw Misuse(text: "--for goes with --simulate")
        }
    }

    private mutating func takeFlag(_ name: String) {
        switch name {
        case "--stdin": readsStandardInput = true
        case "--check-config": action = .checkConfiguration
        case "--version": action = .version
        default: action = .help
        }
    }

    private mutating func take(_ name: String, _ value: String) throws(Misuse) {
        switch name {
        case "--config": configurationPath = value
        case "--capture": capture = value
        case "--simulate":
            guard let count = Int(value), (1...Self.mostSimulated).contains(count) else {
                throw Misuse(
                    text: "--simulate takes a number of cameras, 1 to \(Self.mostSimulated)")
            }
            simulatedCameras = count
        case "--for":
            guard let seconds = Double(value), seconds > 0, seconds <= Double(Self.longestRun)
            else {
                throw Misuse(
                    text: "--for takes seconds, more than 0 and at most \(Self.longestRun)")
            }
            duration = .seconds(seconds)
        default:
            guard let level = LogLevel(rawValue: value) else {
                let allowed = LogLevel.allCases.map(\.rawValue).joined(separator: " ")
                throw Misuse(text: "--log-level takes one of: \(allowed)")
            }
            logLevel = level
        }
    }

    /// `--name=value` in two.
    private static func split(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// What `--help` prints.
    package static let help = """
        geotagd: positions from gpsd to DJI Osmo cameras, ten a second

          geotagd [--config FILE] [--stdin] [--log-level LEVEL] [--capture FILE]
          geotagd --simulate N [--for SECONDS] [--stdin]
          geotagd --check-config [--config FILE]

          --config FILE     the configuration (default: \(standardPath))
          --stdin           take commands from stdin, answer on stdout
          --check-config    say what is wrong in the configuration, and end
          --simulate N      N simulated cameras and a simulated drive: no gpsd, no Bluetooth
          --for SECONDS     end the simulation then, with one summary line
          --log-level LEVEL error, warning, notice, info or debug (default: info)
          --capture FILE    keep every frame both ways, with positions, for diagnosis
          --version, --help

        Exit status: 0 ended in order; 64 usage; 66 no such file; 70 internal; 73 a file cannot be
        made; 77 not permitted; 78 configuration. Commands: geotagctl help, or geotagd(8).
        """
}
