package import Clock
package import Fleet
import LineProtocol
import Navigation
import RadioPort
package import Reactor
import Service

/// The composition root: owns the loop's participants and does what the core wants done.
///
/// The way of the data: a feed tells the core of positions, a radio of cameras, the console of
/// commands; the core's effects go to the radio, the console, the track and the log. Nothing is
/// decided here that the core could decide.
package final class Daemon {
    /// Between two readings of the system clock for the core.
    static let clockInterval = TimeSpan.seconds(10)
    /// How long an orderly end waits for cameras and links: the core's own bounds add up to 3.6 s.
    static let endLimit = TimeSpan.milliseconds(3800)
    /// When it is over for the disk too, so that the whole of it takes less than 5 s.
    static let diskLimit = TimeSpan.milliseconds(4600)

    let loop: EventLoop
    let log: Log
    let host: RigHost
    let started: Instant
    var configuration: Configuration
    /// Settings that the configuration does not hold, for a reload.
    let launchState: LaunchState
    var track: TrackWriter?
    /// Writers for folders of an earlier configuration that are not through yet.
    var formerTracks: [TrackWriter] = []
    /// So many at most: each has two threads.
    static let maxFormerTracks = 4
    /// nil where nothing is captured.
    package var capture: CaptureWriter?
    var console: Console?
    var notifier: ServiceNotifier?
    /// Another feed for another `[gps]`; nil where none can be made.
    package var makeFeed: ((Configuration.GPS) -> (any PositionFeed)?)?
    private var keeper: RosterKeeper?
    var bluetooth = BluetoothWatch()
    private var bluetoothTimer: Timer?
    private var radio: (any FleetRadio)?
    private var feed: (any PositionFeed)?
    private var clock: Timer?
    private var endTimer: Timer?
    /// When the end began.
    private var endStart = Instant.zero
    private(set) var isEnding = false
    /// The exit status.
    private(set) var status: Int32 = 0

    /// What stays as it was at the start, whatever a reload says.
    package struct LaunchState: Sendable {
        /// By which cameras know this controller.
        package var identity: ControllerIdentity
        /// Why the identity is not saved yet; nil where it is, or is not to be.
        package var unsavedIdentity: StateFault?
        /// Of all choices that are made at random, for replay.
        package var seed: UInt64
        /// No receiver's time before this is believed.
        package var buildDate: UnixTime
        /// nil where nothing is kept.
        package var rosterFile: RosterFile?
        /// nil where there is nothing to read again.
        package var configurationPath: String?
        /// Cameras that are made up; nil for real ones.
        package var simulatedCameras: Int?

        /// What a start has read and decided before the daemon is made.
        package init(
            identity: ControllerIdentity, unsavedIdentity: StateFault? = nil, seed: UInt64,
            buildDate: UnixTime, rosterFile: RosterFile?, configurationPath: String?,
            simulatedCameras: Int? = nil
        ) {
            self.unsavedIdentity = unsavedIdentity
            self.identity = identity
            self.seed = seed
            self.buildDate = buildDate
            self.rosterFile = rosterFile
            self.configurationPath = configurationPath
            self.simulatedCameras = simulatedCameras
        }
    }

    /// - Parameters:
    ///   - paired: the cameras that the roster file holds.
    ///   - log: outlives the daemon.
    /// - Throws: where no thread can be had for the track.
    package init(
        configuration: Configuration, launchState: LaunchState, paired: [RosterEntry], log: Log,
        on loop: EventLoop
    ) throws(SystemError) {
        self.configuration = configuration
        self.launchState = launchState
        self.log = log
        self.loop = loop
        started = loop.now
        var settings = configuration.rigSettings(
            identity: launchState.identity, roster: configuration.roster(with: paired),
            seed: launchState.seed, buildDate: launchState.buildDate)
        if let path = launchState.configurationPath { settings.configurationPath = path }
        host = RigHost(settings: settings, on: loop)
        track = try makeTrack(configuration.trackSettings)
        track?.setRoster(settings.roster, at: loop.now)
        host.interpreter = { [unowned self] effect, now in interpret(effect, at: now) }
        clock = Timer(on: loop) { [unowned self] now in readClock(at: now) }
        endTimer = Timer(on: loop) { [unowned self] _ in finish(isLate: true) }
        if let file = launchState.rosterFile { keeper = try RosterKeeper(file, on: loop) }
        keeper?.failed = { [unowned self] fault in
            let hint = Field("hint", "tried again every 30 s")
            self.log.write(.error, .control, "roster", [Field("error", fault.text), hint])
        }
        keeper?.recovered = { [unowned self] in
            self.log.write(.notice, .control, "roster", [Field("state", "saved")])
        }
        if let fault = launchState.unsavedIdentity {
            keeper?.keep(launchState.identity, after: fault, at: loop.now)
        }
    }

    /// Hands the daemon its hardware; events come once `start` was called.
    package func attach(radio: any FleetRadio, feed: any PositionFeed) {
        self.radio = radio
        self.feed = feed
    }

    /// Gets positions from elsewhere from now on.
    func replace(_ feed: any PositionFeed, at now: Instant) {
        self.feed?.stop()
        host.submit(.receiver(.disconnected), at: now)
        self.feed = feed
        feed.start()
    }

    /// Gets positions from one receiver, or for nil from the best.
    func listen(to device: String?) { feed?.listen(to: device) }

    /// A writer for the track of a configuration.
    ///
    /// - Throws: where no thread can be had.
    func makeTrack(_ settings: TrackSettings) throws(SystemError) -> TrackWriter {
        try TrackWriter(settings: settings, loop: loop) { [unowned self] notice in
            log.write(notice)
            console?.notice(notice)
        }
    }

    /// Begins to listen to receivers and cameras.
    package func start() {
        readClock(at: loop.now)
        tellZone(at: loop.now)
        loop.onResume = { [unowned self] span, now in resumed(after: span, at: now) }
        bluetoothTimer = Timer(on: loop) { [unowned self] now in checkBluetooth(at: now) }
        checkBluetooth(at: loop.now)
        radio?.start()
        feed?.start()
    }

    /// Hands the core what happened.
    package func submit(_ input: RigInput, at now: Instant) {
        defer { if case .radio(let event) = input { watchBluetooth(event, at: now) } }
        if let capture, case .radio(let event) = input {
            let roster = host.rig.settings.roster
            capture.record(event, at: now, utc: host.rig.utc(at: now)) { address in
                roster.contains { $0.address == address }
            }
        }
        if case .radio(.frameDropped(let link, let frame)) = input {
            track?.frameDropped(link, frame: frame, at: now)
        }
        host.submit(input, at: now)
    }

    /// The machine slept: what was fresh before is not fresh after.
    ///
    /// The monotonic clock stood still meanwhile, so by its measure the last fix would still do. What
    /// gpsd sent before the sleep may also wait in the connection: it is made anew.
    private func resumed(after span: TimeSpan, at now: Instant) {
        guard !isEnding else { return }
        log.write(
            .notice, .control, "resumed",
            [Field("slept_s", LineText.decimal(span.seconds, decimals: 1))])
        if let feed = makeFeed?(configuration.gps) {
            replace(feed, at: now)
        } else {
            host.submit(.receiver(.disconnected), at: now)
        }
        readClock(at: now)
    }

    /// Bluetooth came or went, or may have lasted long enough to be said.
    private func watchBluetooth(_ event: RadioEvent, at now: Instant) {
        switch event {
        case .available(let isAvailable): bluetooth.isServiceThere = isAvailable
        case .adapter, .adapterGone: break
        default: return
        }
        checkBluetooth(at: now)
    }

    /// What stands in the way of Bluetooth now, if anything does.
    func bluetoothState(at now: Instant) -> BluetoothState {
        bluetooth.state(isBusConnected: isBusConnected, adapters: host.status(at: now).adapters)
    }

    private func checkBluetooth(at now: Instant) {
        guard !isEnding else { return }
        if let news = bluetooth.update(bluetoothState(at: now), at: now) {
            let notice = Notice(
                kind: .bluetooth, name: "-", fields: news.fields, instant: now,
                utc: host.rig.utc(at: now))
            tell(notice, at: now)
        }
        bluetoothTimer?.set(at: now + BluetoothWatch.interval)
    }

    /// Whether the bus is there, for the service manager's watchdog.
    package var isBusConnected: Bool { radio?.isBusConnected ?? true }
    /// Messages from the bus so far; 0 without a radio.
    package var busMessages: Int { radio?.busMessages ?? 0 }
    /// Asks the bus for an answer, which shows that it is alive.
    package func pingBus() { radio?.pingBus() }

    /// Ends in order: voids, recordings as configured, links, files; then the loop.
    package func end(status: Int32 = 0) {
        guard !isEnding else { return }
        isEnding = true
        self.status = status
        notifier?.stopping()
        // The wake at hand may have taken its time already.
        endStart = MonotonicClock.now()
        endTimer?.set(at: endStart + Self.endLimit)
        feed?.stop()
        host.submit(.shutdown, at: loop.now)
    }

    private func interpret(_ effect: RigEffect, at now: Instant) {
        switch effect {
        case .radio(let request):
            radio?.perform(request)
            if let capture, case .write(let link, let frame) = request {
                capture.record(frame, to: link, at: now, utc: host.rig.utc(at: now))
            }
        case .push(let push):
            if let capture {
                let utc = host.rig.utc(at: now)
                for link in push.links { capture.record(push.frame, to: link, at: now, utc: utc) }
            }
            radio?.write(push.frame, to: push.links)
            track?.record(push, at: now)
        case .reply(let ticket, let line): console?.reply(ticket, line)
        case .replyEnd(let ticket, let end): console?.replyEnd(ticket, end)
        case .notice(let notice): tell(notice, at: now)
        case .epoch(let epoch): track?.record(epoch, at: now)
        case .saveRoster(let entries): save(entries, at: now)
        case .finished: finish(isLate: false)
        }
    }

    /// Something happened that the log, the events file and clients want to know.
    func tell(_ notice: Notice, at now: Instant) {
        log.write(notice)
        console?.notice(notice)
        track?.record(notice, at: now)
    }

    private func save(_ entries: [RosterEntry], at now: Instant) {
        track?.setRoster(host.rig.settings.roster, at: now)
        keeper?.keep(entries)
    }

    /// Tells the core this machine's time zone, if times are pushed in it.
    func tellZone(at now: Instant) {
        guard host.rig.settings.timeField == .local else { return }
        host.submit(.localZone(MachineClock.zone(from: launchState.buildDate)), at: now)
    }

    private func readClock(at now: Instant) {
        let reading = MachineClock.read()
        host.submit(.systemClock(reading), at: now)
        clock?.set(at: now + Self.clockInterval)
        formerTracks.removeAll { $0.isOver }
    }

    /// - Parameter isLate: the roster is not waited for any more.
    private func finish(isLate: Bool) {
        if isEnding, !isLate, let keeper, keeper.close() {
            keeper.idle = { [unowned self] in finish(isLate: false) }
            return
        }
        guard isEnding, let console else { return loop.stop() }
        endTimer?.cancel()
        clock?.cancel()
        // Whoever asked for the end still gets the answer that stands in their queue.
        console.close()
        self.console = nil
        radio?.close()
        capture?.close()
        let deadline = endStart + Self.diskLimit
        let left = max(.zero, deadline - MonotonicClock.now())
        var isWhole = track?.close(within: min(left, TrackWriter.closeLimit)) ?? true
        for track in formerTracks where !track.waitForEnd(until: deadline) { isWhole = false }
        if !isWhole { log.write(.error, .track, "unfinished") }
        loop.stop()
    }
}
