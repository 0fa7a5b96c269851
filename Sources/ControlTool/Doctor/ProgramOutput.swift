import Glibc
import Reactor

/// Runs a short program and reads what it prints.
enum ProgramOutput {
    /// Bytes of its output that are read.
    static let maxBytes = 65536

    /// Both outputs of the program, and its exit status; nil where it cannot be run.
    static func run(_ words: [String]) -> (text: String, status: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reading = Descriptor(owning: ends[0])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        let strings = CStrings(words)
        var process = pid_t()
        let result = posix_spawnp(&process, words[0], &actions, nil, strings.list, environ)
        close(ends[1])
        guard result == 0 else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < maxBytes {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        withExtendedLifetime(reading) {}
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        // The exit status stands in the second byte; a signal in the first.
        let exit = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
        return (String(decoding: bytes, as: UTF8.self), exit)
    }
}
