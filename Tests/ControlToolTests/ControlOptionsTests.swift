import Clock
import LineProtocol
import Testing

@testable import ControlTool

private func options(_ words: String...) -> ControlOptions? { try? ControlOptions(words) }

private func misuse(_ words: String...) -> ControlMisuse? {
    do throws(ControlMisuse) {
        _ = try ControlOptions(words)
        return nil
    } catch { return error }
}

@Suite struct ControlOptionsTests {
    @Test("A verb and its words are one request") func verbWordsOneRequest() {
        #expect(options("record", "start", "front,rear")?.action == .ask("record start front,rear"))
        #expect(options("mark", "lap 2", "now")?.action == .ask("mark lap 2 now"))
        #expect(options("track", "rotate")?.action == .ask("track rotate"))
        #expect(options("events", "off")?.action == .ask("events off"))
        #expect(options("status")?.action == .ask("status"))
    }

    @Test("Options stand before or right behind the verb") func optionsStandBeforeOrRight() {
        let read = options("--socket", "/s", "--timeout=5", "--json", "photo", "front")
        #expect(read?.socket == "/s")
        #expect(read?.timeout == .seconds(5))
        #expect(read?.json == true)
        #expect(read?.action == .ask("photo front"))
        #expect(options("status", "--json")?.action == .ask("status json"))
        #expect(options("--json", "status")?.action == .ask("status json"))
        #expect(options("status", "json")?.action == .ask("status json"))
        #expect(options("-s", "/a", "gps")?.socket == "/a")
    }

    @Test("Words of a request are left as they are") func wordsRequestLeftThey() {
        #expect(options("mark", "see", "--json")?.action == .ask("mark see --json"))
        #expect(options("mark", "--json", "see")?.action == .ask("mark see"))
        #expect(options("mark", "--", "--json")?.action == .ask("mark --json"))
        #expect(options("record", "start", "--json", "front")?.action == .ask("record start front"))
    }

    @Test("Without --socket the environment or the service says where")
    func withoutSocketEnvironmentOrService() throws {
        #expect(options("gps")?.socket == "/run/geotagd/control.sock")
        #expect(try ControlOptions(["gps"], standardSocket: "/x").socket == "/x")
    }

    @Test("Watch and events are this program's own") func watchEventsThisProgramS() {
        #expect(options("watch")?.action == .watch(once: false, big: false))
        #expect(options("watch", "--once")?.action == .watch(once: true, big: false))
        #expect(options("--big", "watch")?.action == .watch(once: false, big: true))
        #expect(options("watch", "--units", "si")?.units == .si)
        #expect(options("doctor", "--config", "/c")?.configuration == "/c")
        #expect(options("doctor")?.action == .doctor)
        #expect(options("setup")?.action == .setup)
        #expect(options("events")?.action == .events(program: nil))
        #expect(options("events", "--exec", "/bin/buzz")?.action == .events(program: "/bin/buzz"))
        #expect(options("events", "--json")?.json == true)
        #expect(options("--help")?.action == .help)
        #expect(options("--version")?.action == .version)
        #expect(options("gps", "--plain")?.form == .plain)
        #expect(options("gps")?.form == nil)
    }

    @Test("Each verb explains itself without a daemon", arguments: Verb.all)
    func eachVerbExplainsItself(verb: Verb) {
        guard verb.name != "events" else { return }
        #expect(options(verb.name, "--help")?.action == .helpVerb(verb))
        #expect(options("-h", verb.name, "front")?.action == .helpVerb(verb))
    }

    @Test("What geotagctl does itself explains itself too", arguments: OwnVerb.allCases)
    func ownVerbsExplainThemselves(verb: OwnVerb) {
        #expect(options(verb.rawValue, "--help")?.action == .helpOwn(verb))
        #expect(verb.usage.hasPrefix("usage: geotagctl \(verb.rawValue)"))
        for line in verb.usage.split(separator: "\n") { #expect(line.count <= 100) }
    }

    @Test("Verbs are taken in any case") func verbsInAnyCase() {
        #expect(options("RECORD", "start")?.action == .ask("record start"))
        #expect(options("Watch")?.action == .watch(once: false, big: false))
    }

    @Test("What cannot be understood is named") func whatCannotUnderstoodNamed() {
        #expect(misuse() == .noVerb)
        #expect(misuse("--json") == .noVerb)
        #expect(misuse("sattus") == .unknownVerb("sattus", "status"))
        #expect(misuse("wacth") == .unknownVerb("wacth", "watch"))
        #expect(misuse("frobnicate") == .unknownVerb("frobnicate", nil))
        #expect(
            ControlMisuse.unknownVerb("sattus", "status").text
                == "\"sattus\" is no verb; did you mean status?")
        #expect(misuse("--nope", "gps") == .unknownOption("--nope", nil))
        #expect(misuse("gps", "--jsno") == .unknownOption("--jsno", "--json"))
        #expect(misuse("watch", "--units", "miles") == .badUnits("miles"))
        #expect(misuse("gps", "--big") == .misplaced("--big", "watch"))
        #expect(misuse("gps", "--config", "/c") == .misplaced("--config", "doctor and setup"))
        #expect(misuse("--socket") == .missingValue("--socket"))
        #expect(misuse("--socket=", "gps") == .missingValue("--socket"))
        #expect(misuse("--json=1", "gps") == .surplusValue("--json"))
        #expect(misuse("watch", "now") == .surplus("now"))
        #expect(misuse("gps", "--exec", "x") == .misplaced("--exec", "events"))
        #expect(misuse("gps", "--once") == .misplaced("--once", "watch"))
        #expect(misuse("mark", "a\nquit") == .controlByte)
        #expect(misuse("mark", String(repeating: "x", count: 1019)) == .tooLong)
        #expect(misuse("mark", String(repeating: "x", count: 1018)) == nil)
    }

    @Test("A timeout has its bounds", arguments: ["0", "3601", "-1", "1.5", "x", "99999", "+5"])
    func timeoutHasBounds(text: String) {
        #expect(misuse("--timeout", text, "gps") == .badTimeout(text))
        #expect(options("--timeout", "3600", "gps")?.timeout == .seconds(3600))
        #expect(options("--timeout", "1", "gps")?.timeout == .seconds(1))
    }

    @Test("An answer is waited for as long as the verb may take") func answerWaitedLongVerbMay() {
        #expect(AskRun.patience(for: "gps") == .seconds(30))
        #expect(AskRun.patience(for: "pair") == .seconds(90))
        #expect(AskRun.patience(for: "pair 600") == .seconds(630))
        #expect(AskRun.patience(for: "record start") == .seconds(30))
        #expect(
            AskRun.patience(for: "record start at=2026-07-01T10:00:00Z cam1") == .seconds(90))
    }

    @Test("The daemon's track verbs are told from the files' tools") func daemonSTrackVerbsTold() {
        for words in [["on"], ["off"], ["rotate"], ["ON"], ["on", "x"], ["on", "--help"]] {
            #expect(ControlCommand.isTrackRequest(words))
        }
        for words in [[], ["info"], ["gpx", "a.csv"], ["--help"]] {
            #expect(!ControlCommand.isTrackRequest(words))
        }
    }
}
