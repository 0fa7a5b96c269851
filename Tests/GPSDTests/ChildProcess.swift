import Glibc
import Reactor

/// A child process that ends with the test.
final class ChildProcess {
    private var process: pid_t = 0

    /// Its standard output and error go to /dev/null, or both into `output`.
    init(_ words: [String], output: Int32? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in [STDOUT_FILENO, STDERR_FILENO] {
            if let output {
                posix_spawn_file_actions_adddup2(&actions, output, standard)
            } else {
                posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_WRONLY, 0)
            }
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let result = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
        guard result == 0 else { throw SystemError(code: result) }
    }

    deinit { stop() }

    func stop() {
        guard process > 0 else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        process = 0
    }

    /// Waits for the end; returns the exit code, or nil after a signal.
    func wait() -> Int32? {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        process = 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Runs a program to its end; returns its exit code and output.
    static func run(_ words: [String]) throws -> (code: Int32?, text: String) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = try ChildProcess(words, output: ends[1])
        close(ends[1])
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &chunk, chunk.count)
            if count <= 0 { break }
            text += chunk[..<count]
        }
        close(ends[0])
        return (child.wait(), String(decoding: text, as: UTF8.self))
    }
}

/// Finds files of the repository.
enum Repository {
    static func path(_ relative: String, from file: String = #filePath) -> String {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/" + relative
    }
}
