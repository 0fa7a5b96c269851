/// How the program ends (sysexits.h), so that systemd knows what is worth another try.
package enum ExitStatus: Int32, Sendable {
    case ok = 0
    /// The command line cannot be understood.
    case usage = 64
    /// The configuration file that was named cannot be read.
    case noInput = 66
    /// Another instance runs.
    case unavailable = 69
    /// Something that cannot happen happened.
    case software = 70
    /// A file, FIFO or socket cannot be made.
    case cannotCreate = 73
    case inputOutput = 74
    case noPermission = 77
    /// The configuration is wrong.
    case configuration = 78
}
