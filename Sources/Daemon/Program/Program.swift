import Glibc
import LineProtocol
import Reactor
import Service

/// `geotagd` from its first word to its exit status.
package enum Program {
    /// Why the daemon did not start: what stderr says, and the exit status.
    struct StartFault: Error {
        var lines: [String]
        var status: ExitStatus
    }

    /// - Parameter words: the command line without the program's own name.
    /// - Returns: the exit status.
    package static func run(_ words: [String]) -> Int32 {
        do throws(LaunchFault) {
            let options = try LaunchOptions(words)
            switch options.action {
            case .help: print(LaunchOptions.usage, terminator: "")
            case .version: print("geotagd \(Version.text)")
            case .checkConfiguration: return end(check(options))
            case .run: return end(start(options))
            }
            return ExitStatus.ok.rawValue
        } catch {
            complain([error.text])
            return ExitStatus.usage.rawValue
        }
    }

    private static func end(_ result: Result<Int32, StartFault>) -> Int32 {
        switch result {
        case .success(let status): return status
        case .failure(let fault):
            complain(fault.lines)
            return fault.status.rawValue
        }
    }

    private static func complain(_ lines: [String]) {
        let text = lines.map { "geotagd: \($0)\n" }.joined()
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func check(_ options: LaunchOptions) -> Result<Int32, StartFault> {
        do throws(StartFault) {
            let configuration = try configuration(options)
            let path = options.configurationPath ?? LaunchOptions.serviceConfiguration
            if let bytes = try? StateFile.read(path) {
                let faults = ConfigurationCheck.faults(bytes, configuration)
                let fault = ConfigurationFileFault.wrong(path: path, faults)
                guard faults.isEmpty else {
                    throw StartFault(lines: fault.lines, status: fault.exitStatus)
                }
            }
            let count = configuration.cameras.count
            print("\(path): right; \(count) camera\(count == 1 ? "" : "s")")
            return .success(ExitStatus.ok.rawValue)
        } catch { return .failure(error) }
    }

    /// Reads the configuration that the options name; a service without a file has the defaults.
    static func configuration(_ options: LaunchOptions) throws(StartFault) -> Configuration {
        let defaults = options.simulatedCameras == nil ? Configuration() : .simulation
        guard let path = options.configurationPath else { return defaults }
        let mayBeMissing = options.configuration == nil && options.action == .run
        do throws(ConfigurationFileFault) {
            return try Configuration.load(path, defaults: defaults, mayBeMissing: mayBeMissing)
        } catch { throw StartFault(lines: error.lines, status: error.exitStatus) }
    }

    private static func start(_ options: LaunchOptions) -> Result<Int32, StartFault> {
        do throws(StartFault) {
            let configuration = try configuration(options)
            let run: DaemonRun
            do throws(SystemError) {
                run = try DaemonRun(options: options, configuration: configuration)
            } catch { throw StartFault(lines: ["\(error)"], status: .software) }
            return .success(try run.run())
        } catch { return .failure(error) }
    }
}
