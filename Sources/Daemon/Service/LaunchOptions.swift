package import Clock
package import LineProtocol
package import Service

/// The command line of geotagd (contract 1.1).
package struct LaunchOptions: Equatable, Sendable {
    /// What is to be done.
    package enum Action: Sendable {
        case run
        /// Read the configuration, name its faults, end.
        case checkConfiguration
        case version
        case help
    }

    /// The configuration of a service.
    package static let serviceConfiguration = "/etc/geotagd.conf"
    /// Cameras that can be simulated.
    package static let cameras = 1...99
    /// Seconds that a simulation can be told to run, ten years at most.
    package static let maxRunSeconds = 315_360_000.0

    /// What the program is asked to do.
    package var action = Action.run
    /// `--config`; nil for the service's.
    package var configuration: String?
    /// `--stdin`: commands are read from there.
    package var standardInput = false
    /// `--simulate`: so many cameras and a receiver, all made up.
    package var simulatedCameras: Int?
    /// `--for`: how long the simulation runs; nil until it is ended.
    package var runTime: TimeSpan?
    /// `--log-level`; nil for `info`.
    package var logLevel: LogLevel?
    /// `--capture`: goes before the configuration's.
    package var capture: String?

    /// A run with the defaults.
    package init() {}

    /// The file to read; nil for none: a simulation that names none has nothing configured.
    package var configurationPath: String? {
        configuration ?? (simulatedCameras == nil ? Self.serviceConfiguration : nil)
    }

    /// Reads the words behind the program's name.
    package init(_ arguments: [String]) throws(LaunchFault) {
        var words = OptionWords(arguments)
        while let word = words.next() {
            switch word.name {
            case "--config", "-c": configuration = try words.value(of: word)
            case "--stdin": standardInput = try words.flag(word)
            case "--simulate": simulatedCameras = try Self.count(words.value(of: word))
            case "--for": runTime = try Self.span(words.value(of: word))
            case "--log-level": logLevel = try Self.level(words.value(of: word))
            case "--capture": capture = try words.value(of: word)
            case "--version": if try words.flag(word) { action = .version }
            case "--help", "-h": if try words.flag(word) { action = .help }
            case "--check-config":
                if action == .run { action = .checkConfiguration }
                if let path = word.value { configuration = path }
            default:
                // `--check-config FILE` is what one writes.
                guard action == .checkConfiguration, configuration == nil,
                    !word.name.hasPrefix("-")
                else { throw .unknown(word.name, among: Self.names) }
                configuration = word.name
            }
        }
        if runTime != nil, simulatedCameras == nil { throw .needs("--for", "--simulate") }
    }

    private static func count(_ text: String) throws(LaunchFault) -> Int {
        guard text.utf8.count <= 3, let count = Int(text), cameras.contains(count) else {
            throw .badValue("--simulate", text, allowed: "1 to 99 cameras")
        }
        return count
    }

    private static func span(_ text: String) throws(LaunchFault) -> TimeSpan {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
            let seconds = Double(text), seconds > 0, seconds <= maxRunSeconds
        else { throw .badValue("--for", text, allowed: "seconds, more than 0") }
        return .seconds(seconds)
    }

    private static func level(_ text: String) throws(LaunchFault) -> LogLevel {
        guard let level = LogLevel(rawValue: text) else {
            let allowed = LogLevel.allCases.map(\.rawValue).joined(separator: " ")
            throw .badValue("--log-level", text, allowed: allowed)
        }
        return level
    }

    /// All options in their long form.
    package static let names = [
        "--config", "--check-config", "--stdin", "--simulate", "--for", "--log-level", "--capture",
        "--version", "--help",
    ]

    /// What `--help` says.
    package static let usage = """
        geotagd: positions from gpsd to DJI Osmo cameras, ten times a second

        usage: geotagd [--config FILE] [--stdin] [--log-level LEVEL] [--capture FILE]
               geotagd --simulate N [--for SECONDS] [--stdin] [--config FILE]
               geotagd --check-config [FILE]

          --config FILE        the configuration; /etc/geotagd.conf without
          --check-config       name everything that is wrong in it, and end
          --stdin              take commands from stdin, answer on stdout
          --simulate N         N made-up cameras and a made-up drive: no gpsd, no Bluetooth, no root
          --for SECONDS        how long the simulation runs; for ever without
          --log-level LEVEL    error, warning, notice, info or debug; info without
          --capture FILE       write every frame from and to the cameras there
          --version            print the version, and end
          --help               print this, and end

        Commands: see `help` over stdin, or geotagctl(1). Files: geotagd.conf(5).

        """
}
