import Clock
import Glibc
import Navigation
import Reactor
import Simulation

/// `geotag-sim run`: the seeded simulation of a whole fleet in virtual time.
enum Run {
    static let usage = """
        usage: geotag-sim run [--seeds N] [--seed FIRST] [--hours H | --minutes M] [--cameras C]
                              [--faults N] [--commands N] [--strangers N] [--workers N] [--trace yes]
        Lives through N virtual drives, one a seed, and judges every event. Prints each seed that
        breaks a rule with the command that replays it.
        """

    /// Times real time, over all workers, of ten cameras.
    private static let goal = 25_000.0

    /// What is to be run.
    struct Order {
        var first = 1
        var seeds = 1
        var duration = TimeSpan.seconds(3600)
        var cameras = 10
        var faults = 60
        var commands = 40
        var strangers = 4
        var workers = 2
        var traces = false

        init(_ options: Options) throws(OptionFault) {
            if let problem = options.problem { throw OptionFault(text: problem) }
            first = try options.number("seed", in: 0...Int.max, standard: 1)
            seeds = try options.number("seeds", in: 1...1_000_000, standard: 1)
            duration = try Self.duration(options)
            cameras = try options.number("cameras", in: 1...90, standard: 10)
            faults = try options.number("faults", in: 0...100_000, standard: 60)
            commands = try options.number("commands", in: 0...100_000, standard: 40)
            strangers = try options.number("strangers", in: 0...1000, standard: 4)
            let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            workers = min(
                try options.number("workers", in: 1...64, standard: processors), seeds)
            traces = options["trace"] == "yes"
        }

        /// An hour where nothing is said.
        private static func duration(_ options: Options) throws(OptionFault) -> TimeSpan {
            let units = [("hours", 3600.0), ("minutes", 60.0)]
            var total = 0.0
            for (name, seconds) in units where options[name] != nil {
                total += try options.decimal(name, in: 0.001...100_000, standard: 0) * seconds
            }
            return total > 0 ? .seconds(total) : .seconds(3600)
        }

        func plan(seed: Int) -> Plan {
            var plan = Plan(seed: UInt64(seed), cameras: cameras, duration: duration)
            plan.faultsAnHour = faults
            plan.commandsAnHour = commands
            plan.strangers = strangers
            return plan
        }

        /// The one command that lives through a seed again.
        func replay(seed: Int) -> String {
            let seconds = duration.seconds
            let length =
                seconds.truncatingRemainder(dividingBy: 3600) == 0
                ? "--hours \(Int(seconds / 3600))" : "--minutes \(seconds / 60)"
            return "geotag-sim run --seed \(seed) \(length) --cameras \(cameras)"
                + " --faults \(faults) --commands \(commands) --strangers \(strangers) --trace yes"
        }
    }

    static func main(_ arguments: [String]) -> Int32 {
        let names: Set = [
            "seeds", "seed", "hours", "minutes", "cameras", "faults", "commands", "strangers",
            "workers", "trace",
        ]
        let options = Options(arguments, names: names)
        let order: Order
        do throws(OptionFault) {
            order = try Order(options)
        } catch {
            Terminal.complain("geotag-sim run: \(error.text)\n\(usage)")
            return Terminal.usageError
        }
        let start = MonotonicClock.now()
        let total =
            order.workers == 1
            ? live(order, every: 1, from: 0)
            : Workers.run(count: order.workers) { live(order, every: order.workers, from: $0) }
        let seconds = (MonotonicClock.now() - start).seconds
        let ratio = total.virtualSeconds / max(seconds, 1e-9)
        Terminal.say(
            "summary seeds=\(total.seeds) failed=\(total.failed) "
                + "virtual_h=\(Int(total.virtualSeconds / 3600)) wall_s=\(tenths(seconds)) "
                + "x_real_time=\(Int(ratio)) pushes=\(total.pushes) deliveries=\(total.deliveries) "
                + "faults=\(total.faults) commands=\(total.commands) "
                + "handshakes=\(total.handshakes) worst_m=\(tenths(total.worstMetres)) "
                + "slowest_ready_s=\(tenths(total.slowestReady))")
        let short = (1 - ratio / Self.goal) * 100
        Terminal.say(
            "goal: x_real_time at least \(Int(Self.goal)): "
                + (short <= 0 ? "met" : "MISSED by \(tenths(short)) %"))
        return total.failed == 0 && total.seeds == order.seeds ? 0 : 1
    }

    /// Lives through every n-th seed.
    private static func live(_ order: Order, every: Int, from offset: Int) -> Total {
        var total = Total()
        for index in stride(from: offset, to: order.seeds, by: every) {
            let seed = order.first + index
            var world = World(plan: order.plan(seed: seed))
            if order.traces {
                world.trace = { instant, line in Terminal.say("\(instant.seconds) \(line)") }
            }
            let report = world.run()
            total.add(report)
            guard let violation = report.violation else { continue }
            Terminal.say(
                "FAILED seed=\(seed) at_s=\(tenths(violation.at.seconds)) rule=\(violation.rule.rawValue) "
                    + "\(violation.detail)\n  replay: \(order.replay(seed: seed))")
        }
        return total
    }

    private static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(abs(scaled % 10))"
    }
}

/// Sums over seeds; plain numbers, so that they fit through a pipe.
struct Total {
    var seeds = 0
    var failed = 0
    var virtualSeconds = 0.0
    var pushes = 0
    var deliveries = 0
    var faults = 0
    var commands = 0
    var handshakes = 0
    var worstMetres = 0.0
    var slowestReady = 0.0

    mutating func add(_ report: World.Report) {
        seeds += 1
        failed += report.violation == nil ? 0 : 1
        virtualSeconds += report.virtual.seconds
        pushes += report.pushes
        deliveries += report.deliveries
        faults += report.faults
        commands += report.commands
        handshakes += report.handshakes
        worstMetres = max(worstMetres, report.worstMetres)
        slowestReady = max(slowestReady, report.slowestReady.seconds)
    }

    mutating func add(_ other: Total) {
        seeds += other.seeds
        failed += other.failed
        virtualSeconds += other.virtualSeconds
        pushes += other.pushes
        deliveries += other.deliveries
        faults += other.faults
        commands += other.commands
        handshakes += other.handshakes
        worstMetres = max(worstMetres, other.worstMetres)
        slowestReady = max(slowestReady, other.slowestReady)
    }
}
