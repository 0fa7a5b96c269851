import Clock
import Daemon
import LineProtocol
import Service
import Testing

/// Reads a command line; nil where it cannot be understood.
private func options(_ words: String...) -> LaunchOptions? { try? LaunchOptions(words) }

/// Why it cannot be understood.
private func fault(_ words: String...) -> LaunchFault? {
    do throws(LaunchFault) {
        _ = try LaunchOptions(words)
        return nil
    } catch { return error }
}

@Suite struct LaunchOptionsTests {
    @Test("Without words it is a service") func withoutWordsService() {
        let plain = options()
        #expect(plain == LaunchOptions())
        #expect(plain?.configurationPath == "/etc/geotagd.conf")
        #expect(plain?.action == .run)
    }

    @Test("Each option is read, with its value beside it or behind =")
    func eachOptionReadValueBeside() {
        #expect(options("--config", "/a")?.configuration == "/a")
        #expect(options("--config=/a=b")?.configuration == "/a=b")
        #expect(options("--stdin")?.standardInput == true)
        #expect(options("--simulate", "4")?.simulatedCameras == 4)
        #expect(options("--simulate=99", "--for", "10.5")?.runTime == .milliseconds(10_500))
        #expect(options("--log-level=debug")?.logLevel == .debug)
        #expect(options("--capture", "/c")?.capture == "/c")
        #expect(options("--version")?.action == .version)
        #expect(options("--help")?.action == .help)
        #expect(options("-h")?.action == .help)
    }

    @Test("The file to check may stand behind --check-config or --config")
    func fileCheckMayStandBehind() {
        #expect(options("--check-config")?.configurationPath == "/etc/geotagd.conf")
        for words in [
            ["--check-config", "x.conf"], ["--check-config=x.conf"],
            ["--check-config", "--config", "x.conf"], ["--config", "x.conf", "--check-config"],
        ] {
            let read = try? LaunchOptions(words)
            #expect(read?.action == .checkConfiguration)
            #expect(read?.configurationPath == "x.conf")
        }
        #expect(fault("--check-config", "a", "b") == .unknown("b", among: LaunchOptions.names))
    }

    @Test("A simulation reads only the file that is named") func simulationReadsOnlyFileNamed() {
        #expect(options("--simulate", "1")?.configurationPath == nil)
        #expect(options("--simulate", "1", "--config", "/a")?.configurationPath == "/a")
    }

    @Test(
        "Other words are unknown",
        arguments: ["--nope", "-x", "file", "--", "--configuration=/a", "-", ""])
    func otherWordsUnknown(word: String) {
        let name = word.hasPrefix("--config") ? "--configuration" : word
        #expect(fault(word) == .unknown(name, among: LaunchOptions.names))
    }

    @Test(
        "An option without its value is named",
        arguments: ["--config", "--simulate", "--for", "--log-level", "--capture"])
    func optionWithoutValueNamed(option: String) {
        #expect(fault(option) == .missingValue(option))
        #expect(fault(option + "=") == .missingValue(option))
        #expect(fault(option, "") == .missingValue(option))
    }

    @Test("A flag takes no value", arguments: ["--stdin", "--version", "--help"])
    func flagTakesNoValue(option: String) {
        #expect(fault(option + "=1") == .surplusValue(option))
    }

    @Test(
        "A value beyond its bounds is named",
        arguments: [
            ("--simulate", "0"), ("--simulate", "100"), ("--simulate", "four"),
            ("--simulate", "-1"),
            ("--simulate", "1.5"), ("--log-level", "INFO"), ("--log-level", "7"),
        ])
    func valueBeyondBoundsNamed(option: String, value: String) {
        guard case .badValue(option, value, _)? = fault(option, value) else {
            Issue.record("\(option) \(value): \(String(describing: fault(option, value)))")
            return
        }
        #expect(
            fault(option, value)?.text.hasPrefix("\(option): \"\(value)\" is not allowed") == true)
    }

    @Test(
        "A run lasts more than nothing and less than for ever",
        arguments: ["0", "-1", "x", "1e3", "nan", "inf", "0x1", "315360001"])
    func runLastsMoreThanNothing(value: String) {
        #expect(fault("--simulate", "1", "--for", value) != nil)
        #expect(fault("--for", "10") == .needs("--for", "--simulate"))
    }

    @Test("The usage names every option") func usageNamesEveryOption() {
        for option in [
            "--config", "--check-config", "--stdin", "--simulate", "--for", "--log-level",
            "--capture", "--version", "--help",
        ] { #expect(LaunchOptions.usage.contains(option)) }
    }
}
