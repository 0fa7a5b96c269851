import BlueZ
import Clock
import Fleet
import GPSD
import Glibc
import LineProtocol
import OsmoProtocol
import Reactor
import Service

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
    /// What a bounded simulation came to.
    private var summary: String?
    /// How long the end waits for readers of stdout and of stderr each.
    private static let outputLimit = TimeSpan.milliseconds(100)

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
        let transports = try openTransports()
        let capture: CaptureWriter?
        do throws(Program.StartFault) { capture = try openCapture() } catch {
            transports.revert()
            throw error
        }
        let daemon: Daemon
        do throws(Program.StartFault) { daemon = try makeDaemon(transports, capture) } catch {
            // A start that fails leaves nothing behind.
            transports.revert()
            if capture != nil, let capturePath { unlink(capturePath) }
            throw error
        }
        self.daemon = daemon
        watchOver(daemon)
        log.write(
            .notice, .control, "start",
            [Field("version", Version.text), Field("cameras", "\(configuration.cameras.count)")])
        if daemon.host.rig.settings.roster.isEmpty, configuration.fleet.admit == .roster {
            log.write(
                .notice, .control, "no-camera",
                [Field("try", "geotagctl pair, or name cameras in the configuration")])
        }
        daemon.start()
        loop.run()
        log.write(.notice, .control, "end", [Field("status", "\(daemon.status)")])
        writeSummary()
        log.drain(until: MonotonicClock.now() + Self.outputLimit)
        return daemon.status
    }

    private func makeDaemon(
        _ transports: PreparedTransports, _ capture: CaptureWriter?
    ) throws(Program.StartFault) -> Daemon {
        var generator = SystemRandomNumberGenerator()
        let (launchState, paired) = try launchState(using: &generator)
        do throws(SystemError) {
            let daemon = try Daemon(
                configuration: configuration, launchState: launchState, paired: paired, log: log,
                on: loop)
            let console = Console(host: daemon, log: log, on: loop)
            daemon.console = console
            daemon.capture = capture
            try attachHardware(to: daemon, seed: generator.next())
            let isDemo = options.simulatedCameras != nil && Console.standardInputIsTerminal
            if options.standardInput || isDemo { console.openStandardInput() }
            console.adopt(transports)
            return daemon
        } catch { throw Program.StartFault(lines: ["\(error)"], status: .software) }
    }

    /// The line of a bounded simulation; a reader that does not take it ends nothing.
    private func writeSummary() {
        guard let summary else { return }
        let output = TextOutput(STDOUT_FILENO, on: loop, bound: 4096)
        output.send(Array((summary + "\n").utf8))
        output.drain(until: MonotonicClock.now() + Self.outputLimit)
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
            // What only reads comes first: a start that fails leaves nothing behind.
            let file = RosterFile(directory: directory)
            let roster = try file.load()
            let identity = try IdentityFile(directory: directory).load(using: &generator)
            for line in [identity.damage, roster.damage].compactMap({ $0 }).flatMap(\.lines) {
                log.write(.warning, .control, "damaged", [Field("file", line)])
            }
            if let fault = identity.fault {
                let hint = "; this run has an identity of its own, and each camera asks for a tap"
                log.write(.warning, .control, "identity", [Field("error", fault.text + hint)])
            }
            if let fault = roster.fault {
                log.write(.warning, .control, "roster", [Field("error", fault.text)])
            }
            return (
                Daemon.LaunchState(
                    identity: identity.identity, unsavedIdentity: identity.fault, seed: seed,
                    buildDate: Version.date, rosterFile: file,
                    configurationPath: options.configurationPath,
                    simulatedCameras: options.simulatedCameras), roster.entries
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
            complain: { [unowned self] trouble, device, _ in
                var fields = [
                    Field("trouble", trouble.rawValue), Field("at", "\(gps.host):\(gps.port)"),
                ]
                if let device { fields.append(Field("streams", device)) }
                log.write(.warning, .gps, "gpsd", fields)
            })
    }

    private var capturePath: String? { options.capture ?? configuration.state.capture }

    private func openCapture() throws(Program.StartFault) -> CaptureWriter? {
        guard let path = capturePath else { return nil }
        do throws(SystemError) {
            return try CaptureWriter(path: path, on: loop) { [log] line in
                log.write(.warning, .camera, "capture", [Field("reason", line)])
            }
        } catch {
            let hint = error.code == EEXIST ? "; it is never written over, name another" : ""
            throw Program.StartFault(lines: ["\(path): \(error)\(hint)"], status: .cannotCreate)
        }
    }

    private func openTransports() throws(Program.StartFault) -> PreparedTransports {
        do throws(ConsoleFault) { return try PreparedTransports(configuration.control) } catch {
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
                isTicking: daemon.host.isTicking(at: loop.now), busTurns: daemon.busMessages,
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
        log.show(lines.lines(status.rig, at: now))
    }

    /// Ends in order; a bounded simulation notes how it went until then.
    private func end() {
        guard let daemon, !daemon.isEnding else { return }
        let rig = daemon.status(at: loop.now).rig
        daemon.end()
        guard options.runTime != nil else { return }
        summary =
            "summary cameras=\(rig.cameras.count { $0.pushed > 0 }) pushes=\(rig.push.sent)"
            + " rate_hz=\(LineText.decimal(rig.push.rateHertz, decimals: 2))"
            + " dropped=\(rig.push.dropped) void=\(rig.push.void)"
    }
}
