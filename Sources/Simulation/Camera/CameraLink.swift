package import OsmoProtocol

/// A camera's side of one link.
package struct CameraLink: Equatable, Sendable {
    /// Where the handshake stands (protocol 3.1).
    package enum Handshake: Equatable, Sendable {
        /// Step 1 has not come.
        case awaited
        /// Step 1 came. `asksOwner` while the popup stands.
        case asked(ConnectionRequest, asksOwner: Bool)
        /// Step 3 went out with this number.
        case decided(sequence: UInt16, allowed: Bool)
        /// Step 4 came.
        case over
    }

    /// What ATT starts with.
    package static let defaultMTU = 23

    /// The ATT MTU of the link, bytes: what was negotiated, `defaultMTU` before.
    package internal(set) var mtu = CameraLink.defaultMTU
    /// The controller has switched notifications of FFF4 on. Until then the camera tells it
    /// nothing.
    package internal(set) var isNotifying = false
    /// Commands other than 0019 count only when it is over.
    package internal(set) var handshake = Handshake.awaited
    /// Which status pushes the controller asked for with 1D05.
    package internal(set) var subscription = StatusSubscription.Mode.off
}

/// What a camera has still to do.
enum CameraTask: Equatable, Sendable {
    case notify([UInt8])
    case decide(allowed: Bool)
    /// Send the status that says that the camera sleeps.
    case tellSleep
    /// A status that was on its way when the camera fell asleep.
    case lateStatus([UInt8])
    case text
    case record(Bool)
    case switchMode(CameraMode)
    case endExposure(sleeps: Bool)
    case settleQuickSwitch
    case awaken(byBroadcast: Bool)
    case dropLink
    case shutDown(backAfterSeconds: Int?)

    /// The task is dropped when the link ends.
    var needsLink: Bool {
        switch self {
        case .notify, .decide, .tellSleep, .lateStatus, .text, .dropLink: true
        case .record, .switchMode, .endExposure, .settleQuickSwitch, .awaken, .shutDown: false
        }
    }
}
