import CLinux

/// What a watch waits for. A lost peer and an error are always reported, also for an empty set.
package struct Interest: OptionSet, Hashable, Sendable {
    /// As epoll_ctl(2) wants it.
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There are bytes to read, or a peer has gone.
    package static let readable = Interest(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
}

/// What a watched descriptor is ready for.
package struct Readiness: OptionSet, Hashable, Sendable {
    /// As epoll_wait(2) gives it.
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There are bytes to read.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other end is gone; what it wrote before may still be read.
    package static let hangup = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The descriptor has failed.
    package static let error = Readiness(rawValue: EPOLLERR.rawValue)
}

/// The kernel's interface, its constants retyped: they import as enums, Ints and UInt32s by turns.
enum Epoll {
    static let closeOnExec = Int32(EPOLL_CLOEXEC)
    static let add = Int32(EPOLL_CTL_ADD)
    static let modify = Int32(EPOLL_CTL_MOD)
    static let remove = Int32(EPOLL_CTL_DEL)
    static let edgeTriggered = EPOLLET.rawValue
    static let timerFlags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
    static let timerAbsolute = Int32(TFD_TIMER_ABSTIME)
    static let signalFlags = Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)
    static let eventFlags = Int32(EFD_CLOEXEC)
    static let eventSemaphore = Int32(EFD_SEMAPHORE)
    static let eventNonBlocking = Int32(EFD_NONBLOCK)
}
