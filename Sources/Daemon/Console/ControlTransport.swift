import Glibc

/// What takes commands at a path: the control socket or the FIFO.
protocol ControlTransport: AnyObject {
    associatedtype Opened: OpenedTransport

    var path: String { get }
    /// Whose members may use it; nil for the process's own group.
    var group: gid_t? { get }

    init(_ path: String, group: gid_t?, console: Console)
    func setGroup(_ group: gid_t?) throws(ConsoleFault)
    func serve(_ opened: Opened)
    func complain(_ fault: ConsoleFault)
    func close()
}

/// A transport at its path, open and not served yet.
protocol OpenedTransport: AnyObject {
    var path: String { get }

    init(path: String, group: gid_t?) throws(ConsoleFault)
    /// Removes it from its path, unless something else stands there now.
    func remove()
}
