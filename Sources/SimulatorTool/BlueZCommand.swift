import FakeBlueZ
import Glibc
import OsmoProtocol
import Reactor
import Simulation

/// `geotag-sim bluez`: org.bluez on a bus of its own, with simulated cameras in the air.
///
/// Says first what there is, then `ready` once org.bluez is served, then what happens:
///
///     adapter ADDRESS
///     camera NAME ADDRESS MODEL
///     ready
///     MONO_NS NAME gps seq=… lat_e7=… lon_e7=… height_mm=… vn=… ve=… vd=… sats=… …
///     MONO_NS NAME record start|stop, mode 0xNN, sleep, handshake step=…, violation …, …
///
/// Lines on standard input are `FakeBluetoothd.command`s; one that is not understood is answered by
/// `error LINE: reason`. Their end changes nothing: SIGTERM ends it.
enum BlueZCommand {
    static let usage = """
        usage: geotag-sim bluez --cameras N [--adapters N] [--models action4,action5pro,…]
                                [--strangers N] [--behaviour KEY=VALUE,…]
                                [--faults TARGET:KEY=VALUE,…] [--slowness FACTOR] [--seed N]
                                [--film FOLDER] [--filming [NAME:]KEY=VALUE,…]
        serves org.bluez on the bus in DBUS_SYSTEM_BUS_ADDRESS

        --faults TARGET:KEY=VALUE: TARGET is a camera, an adapter, or all. Keys of cameras:
          in_progress abort late_objects no_objects unresolved software_abort establish no_reply
          hold_disconnect           how many of the next ones fail so
          stale vanish stale_cache deaf auto_connect no_acquire
                                    yes or no
          mtu                       bytes
        Keys of adapters:
          links refuse_scan hold_scan
                                    how many
          one_connect scan_stall fatal_connect shared_buffers
                                    yes or no
        Example: --faults cam1:abort=2,all:mtu=185
        """

    static func main(_ arguments: [String]) -> Int32 {
        let names: Set = [
            "cameras", "adapters", "models", "strangers", "behaviour", "faults", "slowness", "seed",
            "film", "filming",
        ]
        let options = Options(arguments, names: names)
        if let problem = options.problem { return refuse(problem) }
        guard let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map({ String(cString: $0) }) else {
            return refuse("DBUS_SYSTEM_BUS_ADDRESS has to name a bus of its own")
        }
        do throws(OptionFault) {
            let settings = try settings(from: options)
            let studio = try studio(from: options, settings)
            return try serve(settings, studio, on: address)
        } catch {
            return refuse(error.text)
        }
    }

    private static func refuse(_ problem: String) -> Int32 {
        Terminal.complain("geotag-sim bluez: \(problem)\n\(usage)")
        return Terminal.usageError
    }

    private static func settings(from options: Options) throws(OptionFault) -> FakeSettings {
        let count = try options.number("cameras", in: 0...1000, standard: 0)
        let adapters = try options.number("adapters", in: 1...16, standard: 1)
        let strangers = try options.number("strangers", in: 0...1000, standard: 0)
        let seed = try options.number("seed", in: 0...Int.max, standard: 1)
        var settings = FakeSettings()
        settings.seed = UInt64(seed)
        settings.adapters = (0..<adapters).map(FakeSettings.adapter)
        settings.strangers = (0..<strangers).map(FakeSettings.stranger)
        let words = options["models"].map { $0.split(separator: ",").map { String($0) } } ?? []
        let models = words.compactMap { CameraModel(word: $0) }
        guard models.count == words.count else {
            throw OptionFault(text: "--models takes action4, action5pro, action6, osmo360")
        }
        settings.cameras = (0..<count).map {
            FakeSettings.camera($0, models: models.isEmpty ? CameraCatalog.models : models)
        }
        // A factor of bluetoothd's own time.
        let slowness = try options.decimal("slowness", in: 0...100, standard: 1)
        settings.timing = settings.timing.scaled(by: slowness)
        settings.commands = try commands(from: options)
        return settings
    }

    /// Where cameras' clips go; nil where none are wanted.
    private static func studio(
        from options: Options, _ settings: FakeSettings
    ) throws(OptionFault) -> FilmStudio? {
        guard let folder = options["film"] else { return nil }
        var filming = FilmOptions(cameras: settings.cameras.map { ($0.name, $0.model) })
        if let word = filming.set(options["filming"] ?? "") {
            throw OptionFault(text: "--filming: \(word) is not understood\n\(FilmOptions.usage)")
        }
        guard
            let studio = FilmStudio(
                folder, filming, on: MonotonicClock.now(), utcAhead: FilmStudio.systemAhead,
                seed: settings.seed)
        else { throw OptionFault(text: "\(folder): \(String(cString: strerror(errno)))") }
        return studio
    }

    /// `--behaviour` and `--faults` as control lines.
    private static func commands(from options: Options) throws(OptionFault) -> [String] {
        let behaviour = (options["behaviour"] ?? "").split(separator: ",").map { "set all \($0)" }
        var faults: [String] = []
        for word in (options["faults"] ?? "").split(separator: ",") {
            // Addresses hold colons too.
            guard let colon = word.lastIndex(of: ":") else {
                throw OptionFault(text: "--faults takes TARGET:KEY=VALUE,…")
            }
            faults.append("fault \(word[..<colon]) \(word[word.index(after: colon)...])")
        }
        return behaviour + faults
    }

    private static func serve(
        _ settings: FakeSettings, _ studio: FilmStudio?, on address: String
    ) throws(OptionFault) -> Int32 {
        Signals.ignorePipe()
        let loop: EventLoop
        let signals: Signals
        do throws(SystemError) {
            loop = try EventLoop()
            signals = try Signals([SIGTERM, SIGINT], on: loop) { [unowned loop] _, _ in loop.stop()
            }
        } catch {
            Terminal.complain("geotag-sim bluez: \(error)")
            return Terminal.unavailable
        }
        let fake = FakeBluetoothd(bus: address, on: loop, settings: settings) {
            Terminal.say($0)
        }
        for command in settings.commands {
            if let reason = fake.command(command) {
                throw OptionFault(text: "\(command): \(reason)")
            }
        }
        for adapter in settings.adapters { Terminal.say("adapter \(adapter)") }
        for camera in settings.cameras {
            Terminal.say("camera \(camera.name) \(camera.address) \(camera.model.word)")
        }
        if let studio {
            fake.onNote = { name, note, now in
                for line in studio.add(note, of: name, at: now) { Terminal.say(line) }
            }
        }
        fake.onReady = { Terminal.say("ready") }
        fake.start()
        let input = Input(on: loop, fake)
        loop.run()
        fake.stop()
        for line in studio?.stop(at: MonotonicClock.now()) ?? [] { Terminal.say(line) }
        withExtendedLifetime((signals, input)) {}
        return 0
    }

    /// Control lines from standard input.
    private final class Input {
        private var lines = LineReader()
        private var watch: Watch?
        private let fake: FakeBluetoothd

        init(on loop: EventLoop, _ fake: FakeBluetoothd) {
            self.fake = fake
            // /dev/null cannot be waited for, and has nothing to say.
            watch = try? loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _, _ in read() }
        }

        private func read() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count > 0 {
                lines.append(buffer.prefix(count)) { execute($0) }
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                watch?.cancel()
            }
        }

        private func execute(_ line: LineReader.Line) {
            guard case .text(let text) = line else {
                return Terminal.say("error: a line that is no text")
            }
            if let reason = fake.command(text) { Terminal.say("error \(text): \(reason)") }
        }
    }
}
