package import Glibc

/// Unix sockets as the C library wants them.
package enum UnixSocket {
    /// Non-blocking, closed in children.
    package static let stream =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    /// A socket that keeps the bounds of messages, not blocking, closed at exec.
    package static let datagram =
        Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// Calls `body` with the address of a path; a path that begins with `@` is an abstract name.
    ///
    /// - Returns: what `body` says; -1 with ENAMETOOLONG for a path that does not fit.
    package static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path) - (isAbstract ? 0 : 1)
        guard bytes.count <= room else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let length = socklen_t(head + bytes.count + (isAbstract ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// A connection that waits, non-blocking and closed in children; -1 with errno otherwise.
    package static func accept(_ number: Int32) -> Int32 {
        // accept4 would be one call, but is not in the module.
        let client = Glibc.accept(number, nil, nil)
        guard client >= 0 else { return -1 }
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return client
    }

    /// Who is at the other end, for the log.
    package static func peer(_ number: Int32) -> String {
        guard let peer = credentials(number) else { return "socket" }
        return "socket,pid=\(peer.process),uid=\(peer.user)"
    }

    /// The process at the other end; nil where it is not of our process namespace.
    package static func peerProcess(_ number: Int32) -> Int32? {
        credentials(number).flatMap { $0.process > 0 ? Int32(bitPattern: $0.process) : nil }
    }

    private static func credentials(_ number: Int32) -> (process: UInt32, user: UInt32)? {
        // struct ucred, which is not in the module either: process, user, group.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            return nil
        }
        return (credentials[0], credentials[1])
    }
}
