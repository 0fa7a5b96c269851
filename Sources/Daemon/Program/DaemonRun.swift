import BlueZ
import Clock
import Fleet
import GPSD
import Glibc
import LineProtocol
import OsmoProtocol
import Reactor

/// One run of the daemon: makes its parts in order, lets the loop run, and takes them down.
final class DaemonRun {
    /// Between two looks at the status line, and of a simulation's lines.
    private static let lookInterval = TimeSpan.seconds(1)

    private let options: LaunchOptions
    private let configuration: Configuration
    private let loop: EventLoop
    private let log: Log
    private var signals: Signals?
    private var daemon: Daemon?
    private var statusTimer: Timer?
    private var limit: Timer?
    private var lines = LiveLines()
    private var liveness = Liveness()

    init(options: LaunchOptions, configuration: Configuration) throws(SystemError) {
        self.options = options
        var configuration = configuration
        if let count = options.simulatedCameras {
            configuration.addSimulatedCameras(upTo: count)
        }
        self.configuration = configuration
        Signals.ignorePipe()
        loop = try EventLoop()
        log = Log(
            style: .suiting(STDERR_FILENO),
            level: options.logLevel ?? .info, on: loop)
        // Before any thread is made, so that all inherit the mask.
        signals = try Signals([SIGTERM, SIGINT, SIGHUP, SIGUSR1], on: loop) {
            [unowned self] signal, now in handle(signal, at: now)
        }
    }

    /// - Returns: the exit status.
    func run() throws(Program.StartFault) -> Int32 {
        var generator = SystemRandomNumberGenerator()
        let (launchState, paired) = try launchState(using: &generator)
        let daemon: Daemon
        let console: Console
        do throws(SystemError) {
            daemon = try Daemon(
                configuration: configuration, launchState: launchState, paired: paired, log: log,
                on: loop)
            console = Console(host: daemon, log: log, on: loop)
            daemon.console = console
            try attachHardware(to: daemon, seed: generator.next())
        } catch {
            throw Program.StartFault(lines: ["\(error)"], status: .software)
        }
        try open(console)
        try capture(for: daemon)
        self.daemon = daemon
        watchOver(daemon)
        log.write(
            .notice, .control, "start",
            [Field("version", Version.text), Field("cameras", "\(configuration.cameras.count)")])
        daemon.start()
        loop.run()
        log.write(.notice, .control, "end", [Field("status", "\(daemon.status)")])
        return daemon.status
    }

    /// Identity and paired cameras from the state folder, or for this run alone.
    private func launchState(
        using generator: inout SystemRandomNumberGenerator
    ) throws(Program.StartFault) -> (Daemon.LaunchState, paired: [RosterEntry]) {
        let seed = generator.next()
        guard let directory = configuration.state.directory else {
            let identity = ControllerIdentity.random(using: &generator)
            return (
                Daemon.LaunchState(
                    identity: identity, seed: seed, buildDate: Version.date, rosterFile: nil,
                    configurationPath: options.configurationPath,
                    simulatedCameras: options.simulatedCameras), []
            )
        }
        do throws(StateFault) {
            let (identity, damage) = try IdentityFile(directory: directory).load(using: &generator)
            let file = RosterFile(directory: directory)
            let (paired, rosterDamage) = try file.load()
            for line in [damage, rosterDamage].compactMap({ $0 }).flatMap(\.lines) {
                log.write(.warning, .control, "damaged", [Field("file", line)])
            }
            return (
                Daemon.LaunchState(
                    identity: identity, seed: seed, buildDate: Version.date, rosterFile: file,
                    configurationPath: options.configurationPath,
                    simulatedCameras: options.simulatedCameras), paired
            )
        } catch {
            throw Program.StartFault(lines: [error.text], status: error.exitStatus)
        }
    }

    private func attachHardware(to daemon: Daemon, seed: UInt64) throws(SystemError) {
        if options.simulatedCameras != nil {
            let hardware = SimulatedHardware(
                cameras: configuration.cameras.map(\.address), seed: seed, on: loop
            ) { [unowned daemon] input, now in daemon.submit(input, at: now) }
            return daemon.attach(radio: hardware, feed: hardware)
        }
        let address = Bus.systemAddress(
            environment: getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) })
        let radio = BlueZRadio(bus: address, on: loop, isExclusive: true) {
            [unowned daemon] event, now in daemon.submit(.radio(event), at: now)
        }
        radio.onTaken = { [unowned self, unowned daemon] process, isFromStart in
            let owner = process.map { "another geotagd (process \($0))" } ?? "another geotagd"
            log.write(
                .error, .control, "bluetooth", [Field("error", "\(owner) serves this Bluetooth")])
            if isFromStart { daemon.end(status: ExitStatus.unavailable.rawValue) }
        }
        daemon.attach(radio: radio, feed: try feed(configuration.gps, for: daemon))
        daemon.makeFeed = { [unowned self, unowned daemon] gps in try? feed(gps, for: daemon) }
    }

    private func feed(
        _ gps: Configuration.GPS, for daemon: Daemon
    ) throws(SystemError) -> GPSDClient {
        try GPSDClient(
            on: loop,
            settings: .init(host: gps.host, port: Int(gps.port), device: gps.device),
            receive: { [unowned daemon] input, now in daemon.submit(.receiver(input), at: now) },
            complain: { [unowned self] trouble, _ in
                log.write(
                    .warning, .gps, "gpsd",
                    [
                        Field("trouble", trouble.rawValue),
                        Field("at", "\(gps.host):\(gps.port)"),
                    ])
            })
    }

    private func capture(for daemon: Daemon) throws(Program.StartFault) {
        guard let path = options.capture ?? configuration.state.capture else { return }
        do throws(SystemError) {
            daemon.capture = try CaptureWriter(path: path, on: loop) { [log] line in
                log.write(.warning, .camera, "capture", [Field("reason", line)])
            }
        } catch {
            let hint = error.code == EEXIST ? "; it is never written over, name another" : ""
            throw Program.StartFault(lines: ["\(path): \(error)\(hint)"], status: .cannotCreate)
        }
    }

    private func open(_ console: Console) throws(Program.StartFault) {
        let isDemo = options.simulatedCameras != nil && Console.standardInputIsTerminal
        if options.standardInput || isDemo { console.openStandardInput() }
        do throws(ConsoleFault) { try console.open(configuration.control) } catch {
            throw Program.StartFault(lines: [error.text], status: error.exitStatus)
        }
    }
}

/// What the machine's people and service manager ask for.
extension DaemonRun {
    private func handle(_ signal: Int32, at now: Instant) {
        guard let daemon else { return }
        switch signal {
        case SIGHUP: daemon.reloadBySignal(at: now)
        case SIGUSR1:
            for line in daemon.status(at: now).lines {
                log.write(.notice, .control, "status", [Field("line", line.text)])
            }
        default: end()
        }
    }

    private func watchOver(_ daemon: Daemon) {
        let notifier = ServiceNotifier(on: loop)
        daemon.notifier = notifier
        notifier.ready { [unowned self, unowned daemon] in
            // Its answer counts at the next look, however soon that is.
            defer { daemon.pingBus() }
            return liveness.check(
                ticks: daemon.host.turns, busTurns: daemon.busMessages,
                busIsAwaited: !daemon.isBusConnected)
        }
        statusTimer = Timer(on: loop) { [unowned self] now in
            statusTimer?.set(at: now + Self.lookInterval)
            self.lookAround(at: now)
        }
        statusTimer?.set(at: loop.now + Self.lookInterval)
        guard let duration = options.runTime else { return }
        limit = Timer(on: loop) { [unowned self] _ in end() }
        limit?.set(at: loop.now + duration)
    }

    private func lookAround(at now: Instant) {
        guard let daemon else { return }
        let status = daemon.status(at: now)
        daemon.notifier?.setStatus(status.summary)
        guard options.simulatedCameras != nil, options.runTime == nil else { return }
        let text = lines.lines(status.rig, at: now).joined(separator: "\n") + "\n"
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Ends in order; a bounded simulation with one line of how it went until then.
    private func end() {
        guard let daemon, !daemon.isEnding else { return }
        let rig = daemon.status(at: loop.now).rig
        daemon.end { [options] in
            guard options.runTime != nil else { return }
            print(
                "summary cameras=\(rig.cameras.count { $0.pushed > 0 }) pushes=\(rig.push.sent)",
                "rate_hz=\(LineText.decimal(rig.push.rateHertz, decimals: 2))",
                "dropped=\(rig.push.dropped) void=\(rig.push.void)")
            fflush(nil)
        }
    }
}
