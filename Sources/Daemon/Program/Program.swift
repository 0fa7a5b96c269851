import BlueZ
import Fleet
import GPSD
import Glibc
import Navigation
import Reactor

/// `geotagd` from its first word to its exit status.
package enum Program {
    /// sysexits(3), as far as the daemon uses them.
    enum Exit {
        static let usage: Int32 = 64
        static let noInput: Int32 = 66
        static let software: Int32 = 70
        static let cannotCreate: Int32 = 73
        static let noPermission: Int32 = 77
        static let configuration: Int32 = 78
    }

    /// Why the daemon did not start: what stderr says, and the exit status.
    struct StartFault: Error {
        var lines: [String]
        var status: Int32
    }

    /// - Parameter words: the command line without the program's own name.
    /// - Returns: the exit status.
    package static func run(_ words: [String]) -> Int32 {
        do throws(ProgramOptions.Misuse) {
            let options = try ProgramOptions(words)
            switch options.action {
            case .help: print(ProgramOptions.help)
            case .version: print("geotagd \(Version.text)")
            case .checkConfiguration: return end(check(options))
            case .run: return end(start(options))
            }
            return 0
        } catch {
            complain([error.text])
            return Exit.usage
        }
    }

    private static func end(_ result: Result<Int32, StartFault>) -> Int32 {
        switch result {
        case .success(let status): return status
        case .failure(let fault):
            complain(fault.lines)
            return fault.status
        }
    }

    private static func complain(_ lines: [String]) {
        let text = lines.map { "geotagd: \($0)\n" }.joined()
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func check(_ options: ProgramOptions) -> Result<Int32, StartFault> {
        do throws(StartFault) {
            let configuration = try configuration(options)
            let path = options.configurationPath ?? ProgramOptions.standardPath
            let count = configuration.cameras.count
            print("\(path): right; \(count) camera\(count == 1 ? "" : "s")")
            return .success(0)
        } catch { return .failure(error) }
    }

    /// Reads the configuration that the options name.
    static func configuration(_ options: ProgramOptions) throws(StartFault) -> Configuration {
        var defaults = Configuration()
        if options.simulatedCameras != nil { defaults = .simulation }
        let path = options.configurationPath ?? ProgramOptions.standardPath
        // A simulation reads no configuration but one that it was given.
        if options.simulatedCameras != nil && options.configurationPath == nil { return defaults }
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try StateFile.read(path) } catch {
            let status = error.code == EACCES ? Exit.noPermission : Exit.noInput
            throw StartFault(lines: ["\(path): \(error)"], status: status)
        }
        guard let bytes else {
            guard options.configurationPath != nil || options.action == .checkConfiguration else {
                return defaults
            }
            throw StartFault(lines: ["\(path): no such file"], status: Exit.noInput)
        }
        let (configuration, faults) = Configuration.read(bytes, defaults: defaults)
        guard faults.isEmpty else {
            throw StartFault(
                lines: faults.map { $0.text(file: path) }, status: Exit.configuration)
        }
        return configuration
    }

    private static func start(_ options: ProgramOptions) -> Result<Int32, StartFault> {
        do throws(StartFault) {
            let configuration = try configuration(options)
            let run: DaemonRun
            do throws(SystemError) {
                run = try DaemonRun(options: options, configuration: configuration)
            } catch {
                throw StartFault(lines: ["\(error)"], status: Exit.software)
            }
            return .success(try run.run())
        } catch { return .failure(error) }
    }
}
