import Glibc
import OsmoProtocol
import Reactor
import Simulation
import SimulatorTool

/// `lab-cameras`: the simulated cameras behind the virtual radio of the lab.
///
/// It serves a Unix stream socket with a protocol of lines. Each client first gets a list of all
/// cameras:
///
///     camera INDEX ADDRESS MODEL NAME MANUFACTURERHEX
///     advertise INDEX on|off|asleep
///     end
///
/// The client that is the radio sends `radio`, or an event, and from then on gets what the cameras
/// do:
///
///     connected I    disconnected I    mtu I N    subscribed I    unsubscribed I
///     write I HEX    wake I                                              radio to simulator
///     notify I HEX   advertise I on|off|asleep    drop I                 simulator to radio
///
/// Each client may send commands. The answer is a line of JSON for each camera that the command
/// concerns; I may be `all`:
///
///     status [I]    press I record|power    confirm I    refuse I    set I KEY VALUE    clear I
@main enum LabProgram {
    private static let usage = """
        usage: lab-cameras --socket PATH --cameras N [--models action4,action5pro,…]
                           [--behaviour KEY=VALUE,…] [--seed N] [--log FILE]
        """

    static func main() { exit(run(Array(CommandLine.arguments.dropFirst()))) }

    private static func run(_ arguments: [String]) -> Int32 {
        let names: Set = ["socket", "cameras", "models", "behaviour", "seed", "log"]
        let options = Options(arguments, names: names)
        guard options.problem == nil, let path = options["socket"], options["cameras"] != nil
        else { return refuse(options.problem ?? "--socket and --cameras are needed") }
        let count: Int
        let seed: Int
        do throws(OptionFault) {
            count = try options.number("cameras", in: 1...1000, standard: 1)
            seed = try options.number("seed", in: 0...Int.max, standard: 1)
        } catch {
            return refuse(error.text)
        }
        var models = CameraCatalog.models
        if let words = options["models"] {
            models = words.split(separator: ",").compactMap { CameraModel(word: $0) }
            guard !models.isEmpty, models.count == words.split(separator: ",").count else {
                return refuse("--models takes action4, action5pro, action6, osmo360")
            }
        }
        let cameras: [SimulatedCamera]
        do throws(CameraCatalog.UnknownWord) {
            cameras = try CameraCatalog.cameras(
                count: count, models: models, behaviour: options["behaviour"] ?? "",
                seed: UInt64(seed))
        } catch {
            return refuse("--behaviour: \(error.word)")
        }
        do throws(SystemError) {
            try serve(cameras, at: path, log: options["log"])
            return 0
        } catch {
            Terminal.complain("lab-cameras: \(path): \(error)")
            return Terminal.unavailable
        }
    }

    private static func refuse(_ problem: String) -> Int32 {
        Terminal.complain("lab-cameras: \(problem)\n\(usage)")
        return Terminal.usageError
    }

    private static func serve(
        _ cameras: [SimulatedCamera], at path: String, log: String?
    ) throws(SystemError) {
        Signals.ignorePipe()
        let loop = try EventLoop()
        let signals = try Signals([SIGTERM, SIGINT], on: loop) { _, _ in loop.stop() }
        let simulator = LabSimulator(cameras: cameras, log: try log.map(LabLog.init), on: loop)
        let server = try LabServer(path: path, simulator: simulator, on: loop)
        loop.run()
        server.close()
        withExtendedLifetime(signals) {}
    }
}

/// The log: `MONO INDEX EVENT key=value…`, a line each.
struct LabLog {
    private let descriptor: Int32

    /// Appends to the file, and makes it where it does not exist.
    init(path: String) throws(SystemError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .last }
    }

    func write(_ line: String) { Terminal.put(line, on: descriptor) }
}
