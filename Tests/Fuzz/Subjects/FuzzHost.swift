import Clock
import Daemon
import Fleet
import LineProtocol
import OsmoProtocol

/// The host of the console while it is fuzzed. It answers like a rig whose cameras all obey, some
/// commands later, and makes an event of each command.
final class FuzzHost: ConsoleHost {
    unowned var console: Console!
    private var open: [(ticket: Ticket, verb: String, turns: Int)] = []
    private var delay = 0
    private let rig: Rig

    init() {
        var settings = RigSettings(
            identity: ControllerIdentity(deviceID: 1, address: BluetoothAddress(value: 1)),
            buildDate: Version.date)
        settings.roster = ["front", "rear"].enumerated().map { index, name in
            RosterEntry(
                name: name, number: index + 1,
                address: BluetoothAddress(value: 0x6060_1F00_0000 + UInt64(index)))
        }
        rig = Rig(settings: settings)
    }

    /// A new input begins.
    ///
    /// - Parameter delay: turns of the loop that an answer takes; 0 for at once.
    func begin(delay: Int) {
        demand(open.isEmpty, "an answer is still owed")
        self.delay = delay
    }

    /// The loop has turned: sends the answers that are due.
    func turned() {
        for index in open.indices { open[index].turns -= 1 }
        let due = open.filter { $0.turns <= 0 }
        open.removeAll { $0.turns <= 0 }
        for request in due { answer(request.ticket, request.verb) }
    }

    func submit(_ ticket: Ticket, _ command: FleetCommand, _ target: Target, at now: Instant) {
        if case .these(let items) = target {
            demand(!items.isEmpty && !items.contains(""), "an empty target")
        }
        switch command {
        case .rename(let name): demand(CameraName.isValid(name), "no name: \(name)")
        case .pair(let span):
            demand(span >= .seconds(1) && span <= .seconds(600), "a window of \(span)")
        case .mode(let name): demand(CameraMode(name: name) != nil, "no mode: \(name)")
        case .raw(let frame): demand(frame.count >= Frame.overhead, "no frame")
        case .record, .timedStart, .photo, .modeCode, .key, .sleep, .forcedSleep, .wake, .snapshot,
            .restart, .forget,
            .connect, .disconnect, .reconnect, .version:
            break
        }
        console.notice(
            Notice(
                kind: .camera, name: "front", fields: [Field("state", "ready")], instant: now,
                utc: nil))
        take(ticket, command.verb)
    }

    func perform(_ ticket: Ticket, _ command: DaemonCommand, at now: Instant) {
        if case .mark(let text) = command {
            console.notice(
                Notice(
                    kind: .mark, name: "-", fields: [Field("text", text)], instant: now, utc: nil))
        }
        take(ticket, command.verb.name)
    }

    func status(at now: Instant) -> DaemonStatus {
        DaemonStatus(
            version: Version.text, uptime: .seconds(1), rig: rig.status(at: now),
            track: .off, logLevel: .info, instant: now)
    }

    private func take(_ ticket: Ticket, _ verb: String) {
        if delay > 0 { open.append((ticket, verb, delay)) } else { answer(ticket, verb) }
    }

    private func answer(_ ticket: Ticket, _ verb: String) {
        console.reply(
            ticket, ReplyLine(kind: verb, name: "front", fields: [Field("result", "ok")]))
        console.replyEnd(ticket, .ok)
    }
}
