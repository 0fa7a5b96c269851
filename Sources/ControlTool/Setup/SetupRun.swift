import Clock
import ControlClient
import Glibc
import LineProtocol
import Reactor

/// `geotagctl setup`: from nothing to the first drive, question by question, through the daemon.
///
/// Each step does one thing and completes it: cameras are paired and renamed by the daemon itself,
/// the test recording is stopped before anything else is asked, and the configuration is written
/// last, in one piece. So a person may stop at any question and leaves nothing half done.
final class SetupRun {
    /// How long `setup` waits for gpsd and for a fix, and how long the test recording lasts.
    static let gpsdPatience = TimeSpan.seconds(5)
    static let fixPatience = TimeSpan.seconds(20)
    static let recording = TimeSpan.seconds(5)
    /// The share of the positions that each camera must get in the test, at least.
    static let minShare = 0.8
    /// How long a window of `pair` is open, seconds.
    static let pairSeconds = 60

    private let options: ControlOptions
    private let terminal = Terminal()
    private let dialog: SetupDialog

    init(_ options: ControlOptions) throws(ControlFault) {
        self.options = options
        dialog = SetupDialog(hasColours: terminal.hasColours, width: terminal.size.columns)
    }

    /// - Returns: the exit status.
    func run() throws(ControlFault) -> Int32 {
        guard terminal.hasKeys else {
            ControlCommand.complain(
                "setup asks questions and needs a terminal; see geotagctl doctor")
            return ControlCommand.Exit.usage
        }
        dialog.say("Each step can be skipped with s. Ctrl-C ends, and leaves nothing half done.")
        for step in [findDaemon, findReceiver, findAdapter, pairCameras, testRecording] {
            if step() == .end { return finish() }
        }
        _ = writeConfiguration()
        return finish()
    }

    private func finish() -> Int32 {
        dialog.say("")
        dialog.say("geotagctl watch shows the drive, geotagctl doctor what is missing.")
        return ControlCommand.Exit.ok
    }

    private enum Next { case goOn, end }

    // MARK: Steps

    private func findDaemon() -> Next {
        dialog.head("1 of 6: geotagd")
        while StatusQuestion.status(options.socket) == nil {
            dialog.say("It does not answer at \(options.socket).", .attention)
            switch dialog.ask("Start it now, and at each boot?", "ynse") {
            case "y":
                let words = ["systemctl", "enable", "--now", "geotagd"]
                let result = ProgramOutput.run(getuid() == 0 ? words : ["sudo"] + words)
                if result?.status != 0 {
                    dialog.say(result?.text ?? "systemctl cannot be run", .alarm)
                }
                dialog.wait(.seconds(2))
            case "e": return .end
            default:
                dialog.say("Without it nothing more can be done: systemctl start geotagd")
                return .end
            }
        }
        dialog.say("It runs.", .good)
        return .goOn
    }

    private func findReceiver() -> Next {
        dialog.head("2 of 6: the receiver")
        while true {
            let begin = MonotonicClock.now()
            while MonotonicClock.now() - begin < Self.fixPatience {
                guard let gps = StatusQuestion.status(options.socket)?["gps"] else { break }
                let state = gps["state"]?.word ?? "?"
                if state == "fix3d" || state == "fix2d" {
                    let satellites = gps["satellites"]?.word.map { " with \($0) satellites" }
                    dialog.say("A fix\(satellites ?? "").", .good)
                    return .goOn
                }
                // gpsd answers at once or is not there; a receiver may need a while.
                let waited = MonotonicClock.now() - begin
                if state == "disconnected", waited >= Self.gpsdPatience { break }
                dialog.wait(.seconds(1))
            }
            let state = StatusQuestion.status(options.socket)?["gps"]?["state"]?.word
            let words =
                switch state {
                case "disconnected": "gpsd does not answer: apt install gpsd"
                case "nodata": "gpsd has no receiver: plug it in, DEVICES in /etc/default/gpsd"
                default: "no fix yet: the antenna needs sight of the sky"
                }
            dialog.say(words, .attention)
            switch dialog.ask("Look again?", "yse") {
            case "y": continue
            case "e": return .end
            default: return .goOn
            }
        }
    }

    private func findAdapter() -> Next {
        dialog.head("3 of 6: Bluetooth")
        while true {
            if case .list(let list)? = StatusQuestion.status(options.socket)?["adapters"] {
                let usable = list.filter { $0["usable"]?.word == "true" }
                if !usable.isEmpty {
                    let names = usable.compactMap { $0["hci"]?.word }.joined(separator: ", ")
                    dialog.say("\(usable.count == 1 ? "Adapter" : "Adapters") \(names).", .good)
                    return .goOn
                }
            }
            let reason = StatusQuestion.status(options.socket)?["bluetooth"]?["reason"]?.word
            dialog.say(reason ?? "No adapter that can be used: geotagctl doctor", .attention)
            switch dialog.ask("Look again?", "yse") {
            case "y": continue
            case "e": return .end
            default: return .goOn
            }
        }
    }

    private func pairCameras() -> Next {
        dialog.head("4 of 6: cameras")
        let known = roster
        if !known.isEmpty { dialog.say("Yours: " + known.joined(separator: ", ")) }
        while true {
            dialog.say("Turn a camera on, close DJI's app, and hold the camera near.")
            switch dialog.ask("Pair a camera?", "yse") {
            case "y": break
            case "e": return .end
            default: return .goOn
            }
            pairOne()
        }
    }

    private var roster: [String] {
        guard case .list(let cameras)? = StatusQuestion.status(options.socket)?["cameras"] else {
            return []
        }
        return cameras.filter { $0["number"]?.word != nil }.compactMap { $0["name"]?.word }
    }

    private func pairOne() {
        var paired: String?
        let answer = StatusQuestion.ask(
            "pair \(Self.pairSeconds)", options.socket,
            patience: .seconds(Self.pairSeconds) + AskRun.patience
        ) { [dialog] text in
            guard let line = ReplyLine(text: text) else { return }
            if line.kind == "pairing", let code = line["code"] {
                dialog.say("\(line.name) shows a code. If it is this one, tap the camera:")
                dialog.large(code)
            } else {
                paired = line.name
            }
        }
        guard let paired, case .success(let whole)? = answer, whole.end == .ok else {
            if case .success(let whole)? = answer, case .error(_, let message) = whole.end {
                dialog.say(message, .attention)
            }
            return
        }
        dialog.say("\(paired) is yours.", .good)
        while true {
            let name = dialog.line(
                "What is it to be called? (front, rear, …; Enter keeps \(paired))")
            if name.isEmpty { return }
            let renamed = StatusQuestion.ask(
                "rename \(paired) \(name)", options.socket, patience: AskRun.patience)
            if case .success(let whole)? = renamed, case .error(_, let message) = whole.end {
                dialog.say(message, .attention)
            } else {
                return
            }
        }
    }

    private func testRecording() -> Next {
        dialog.head("5 of 6: a test")
        guard !roster.isEmpty else {
            dialog.say("No camera to test.")
            return .goOn
        }
        switch dialog.ask("Record five seconds on all cameras?", "yse") {
        case "y": break
        case "e": return .end
        default: return .goOn
        }
        // An interrupt during the test takes effect only when the recordings have stopped.
        signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, SIG_DFL) }
        tell("record start")
        let before = pushed
        dialog.wait(Self.recording)
        let after = pushed
        let rate =
            StatusQuestion.status(options.socket)?["push"]?["target_hz"]?.word
            .flatMap { Double($0) } ?? 10
        tell("record stop")
        for (name, count) in after {
            let came = count - (before.first { $0.name == name }?.count ?? count)
            let isFine = Double(came) >= Self.minShare * rate * Self.recording.seconds
            dialog.say(
                "\(name): \(came) positions in five seconds", isFine ? .good : .attention)
        }
        return .goOn
    }

    /// How many positions each camera of the roster got so far.
    private var pushed: [(name: String, count: Int)] {
        guard case .list(let cameras)? = StatusQuestion.status(options.socket)?["cameras"] else {
            return []
        }
        return cameras.filter { $0["number"]?.word != nil }.map { camera in
            (
                camera["name"]?.word ?? "?",
                camera["pushed"]?.word.flatMap { Int($0) } ?? 0
            )
        }
    }

    private func tell(_ line: String) {
        guard
            case .success(let answer)? = StatusQuestion.ask(
                line, options.socket, patience: AskRun.patience)
        else { return dialog.say("geotagd does not answer", .alarm) }
        var sentences = AnswerText(verb: "record", width: terminal.size.columns)
        for text in answer.lines { dialog.say(sentences.add(text)) }
    }

    private func writeConfiguration() -> Next {
        dialog.head("6 of 6: the configuration")
        let path = options.configuration ?? ControlOptions.standardConfiguration
        let old = SettingText(MachineProbe().text(path) ?? "")
        var new = old
        if let status = StatusQuestion.status(options.socket) { new.adopt(status) }
        guard new != old else {
            dialog.say("\(path) has nothing to add.", .good)
            return .goOn
        }
        dialog.say("To be written to \(path):")
        for line in new.lines where !old.lines.contains(line) || line.hasPrefix("[camera ") {
            dialog.say("  " + line)
        }
        guard dialog.ask("Write it?", "yse") == "y" else { return .goOn }
        do throws(SystemError) {
            try WholeFile.write(new.text, to: path)
            tell("reload")
            dialog.say("Written, and taken over.", .good)
        } catch {
            dialog.say("\(path): \(error); try again with sudo", .alarm)
        }
        return .goOn
    }
}

extension SettingText {
    /// Adds the roster of a `status json`: a section for each camera, under its own name.
    mutating func adopt(_ status: JSONValue) {
        guard case .list(let cameras)? = status["cameras"] else { return }
        for camera in cameras {
            guard let name = camera["name"]?.word, let address = camera["address"]?.word,
                let number = camera["number"]?.word,
                !self.cameras.contains(where: { $0.address.lowercased() == address.lowercased() })
            else { continue }
            set("camera " + name, "address", to: address)
            set("camera " + name, "number", to: number)
        }
    }
}
