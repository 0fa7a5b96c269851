import Glibc

/// `geotag-sim`: the stand-in for hardware.
@main enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "bluez": exit(BlueZStand.main(rest))
        case "bench": exit(Bench.main())
        case "lab": exit(Lab.main(rest))
        case "motion": exit(MotionCommand.main(rest))
        case "replay": exit(Replay.main(rest))
        case "run": exit(Run.main(rest))
        default:
            Terminal.complain(usage)
            exit(Terminal.usageError)
        }
    }

    private static let usage = """
        usage: geotag-sim bench
               geotag-sim bluez --cameras N [OPTION…]
               geotag-sim lab --socket PATH --cameras N [OPTION…]
               geotag-sim motion TRACK.csv [--rate 1] [--latency 0.15] [--plot FILE.svg]
               geotag-sim replay FILE
               geotag-sim run [--seeds N] [--hours H] [--cameras C] [OPTION…]
        """
}
