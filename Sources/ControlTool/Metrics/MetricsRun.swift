import Clock
import Glibc
import LineProtocol
import Metrics
import Reactor

/// Prints the metrics once, or writes them to a file.
struct MetricsRun {
    /// Others read what node_exporter shows to everybody.
    private static let mode: mode_t = 0o644

    private let options: ControlOptions
    private let output: String?

    init(_ options: ControlOptions, output: String?) {
        self.options = options
        self.output = output
    }

    /// - Returns: the exit status.
    func run() -> Int32 {
        let status = StatusQuestion.status(options.socket)
        let families = status.map { RigMetrics.families($0, at: Self.systemTime()) }
        let text = MetricText.prometheus.write(families ?? RigMetrics.down)
        if let output {
            do throws(SystemError) {
                let draft = try FileDraft(replacing: output, mode: Self.mode)
                try draft.write(Array(text.utf8))
                try draft.commit(isSynced: false)
            } catch {
                ControlCommand.complain("\(output): \(error)")
                return ControlCommand.Exit.inputOutput
            }
        } else {
            ControlCommand.say(text)
        }
        guard status == nil else { return ControlCommand.Exit.ok }
        ControlCommand.complain("geotagd does not answer at \(options.socket)")
        return ControlCommand.Exit.noDaemon
    }

    private static func systemTime() -> UnixTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
