import Daemon
import Fleet
import Navigation
import Testing

/// Reads a command line; nil where it cannot be understood.
private func options(_ words: String...) -> LaunchOptions? { try? LaunchOptions(words) }

/// Why it cannot.
private func fault(_ words: String...) -> LaunchFault? {
    do throws(LaunchFault) {
        _ = try LaunchOptions(words)
        return nil
    } catch { return error }
}

@Suite struct LaunchOptionsTests {
    @Test func `Without words it is a service`() {
        let plain = options()
        #expect(plain == LaunchOptions())
        #expect(plain?.configurationPath == "/etc/geotagd.conf")
        #expect(plain?.action == .run)
    }

    @Test func `Each option is read, with its value beside it or behind =`() {
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

    @Test func `The file to check may stand behind --check-config or --config`() {
        #expect(options("--check-config")?.configurationPath == "/etc/geotagd.conf")
        for words in [
            ["--check-config", "x.conf"], ["--check-config=x.conf"],
            ["--check-config", "--config", "x.conf"], ["--config", "x.conf", "--check-config"],
        ] {
            let read = try? LaunchOptions(words)
            #expect(read?.action == .checkConfiguration)
            #expect(read?.configurationPath == "x.conf")
        }
        #expect(fault("--check-config", "a", "b") == .unknown("b"))
    }

    @Test func `A simulation reads only the file that is named`() {
        #expect(options("--simulate", "1")?.configurationPath == nil)
        #expect(options("--simulate", "1", "--config", "/a")?.configurationPath == "/a")
    }

    @Test(arguments: ["--nope", "-x", "file", "--", "--configuration=/a", "-", ""])
    func `Other words are unknown`(word: String) {
        let name = word.hasPrefix("--config") ? "--configuration" : word
        #expect(fault(word) == .unknown(name))
    }

    @Test(arguments: ["--config", "--simulate", "--for", "--log-level", "--capture"])
    func `An option without its value is named`(option: String) {
        #expect(fault(option) == .missingValue(option))
        #expect(fault(option + "=") == .missingValue(option))
        #expect(fault(option, "") == .missingValue(option))
    }

    @Test(arguments: ["--stdin", "--version", "--help"])
    func `A flag takes no value`(option: String) {
        #expect(fault(option + "=1") == .surplusValue(option))
    }

    @Test(arguments: [
        ("--simulate", "0"), ("--simulate", "100"), ("--simulate", "four"), ("--simulate", "-1"),
        ("--simulate", "1.5"), ("--log-level", "INFO"), ("--log-level", "7"),
    ])
    func `A value beyond its bounds is named`(option: String, value: String) {
        guard case .badValue(option, value, _)? = fault(option, value) else {
            Issue.record("\(option) \(value): \(String(describing: fault(option, value)))")
            return
        }
        #expect(
            fault(option, value)?.text.hasPrefix("\(option): \"\(value)\" is not allowed") == true)
    }

    @Test(arguments: ["0", "-1", "x", "1e3", "nan", "inf", "0x1", "315360001"])
    func `A run lasts more than nothing and less than for ever`(value: String) {
        #expect(fault("--simulate", "1", "--for", value) != nil)
        #expect(fault("--for", "10") == .needsSimulation)
    }

    @Test func `The usage names every option`() {
        for option in [
            "--config", "--check-config", "--stdin", "--simulate", "--for", "--log-level",
            "--capture", "--version", "--help",
        ] { #expect(LaunchOptions.usage.contains(option)) }
    }
}
