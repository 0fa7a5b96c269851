package import OsmoProtocol

/// What happens to a camera.
package enum CameraInput: Equatable, Sendable {
    case linkUp
    /// The ATT MTU, bytes.
    case mtu(Int)
    /// Notifications of FFF4 were turned on.
    case subscribed
    case unsubscribed
    /// One write to FFF5.
    case write([UInt8])
    case linkDown
    /// Its wake broadcast was on the air.
    case wakeHeard
    /// Somebody touched it.
    case hand(Hand)
    /// The time that it asked for has come.
    case timer
}

/// What a person does to a camera.
package enum Hand: String, Sendable, CaseIterable {
    /// The record or shutter button.
    case record
    /// A long press of the power button: asleep; any press: awake again.
    case power
    /// Tap "allow" in the popup.
    case confirm
    /// Tap "refuse" in the popup.
    case refuse
}

/// What a camera does.
package enum CameraOutput: Equatable, Sendable {
    /// One notification of FFF4.
    case notify([UInt8])
    case advertise(Advertising)
    case dropLink
    /// Something that it understood; put out only where `narrates` is set.
    case noted(CameraNote)
}

/// How a camera is on the air.
package enum Advertising: String, Sendable {
    /// Can be found and connected.
    case on
    /// Not to be heard: linked, or switched off.
    case off
    /// Not to be heard, but it listens for its wake broadcast.
    case asleep
}

/// What a camera understood of what it received, or did by itself.
package enum CameraNote: Equatable, Sendable {
    case handshake(code: UInt16, forced: Bool)
    case decided(allowed: Bool)
    case authenticated(cameraNumber: UInt32)
    case push(GPSPush)
    case command(Opcode, ReturnCode?)
    case recording(Bool)
    case photo
    case mode(CameraMode)
    case slept
    case woke
    case restarted
    case violation(Violation)
}

/// What no controller may do to a camera.
package enum Violation: String, Sendable, CaseIterable {
    /// A frame other than the handshake's before the handshake was over.
    case beforeHandshake = "before-handshake"
    /// A write before notifications were on: its answer is lost.
    case beforeSubscription = "before-subscription"
    /// Bytes to a camera that sleeps.
    case whileAsleep = "while-asleep"
    /// Not exactly one frame.
    case malformed
    /// A write that the MTU does not carry.
    case overMTU = "over-mtu"
    /// A number in a push that is not finite.
    case notANumber = "not-a-number"
    /// A latitude or longitude that does not exist.
    case outOfRange = "out-of-range"
    /// 0,0 as a position.
    case zeroZero = "zero-zero"
    /// A void frame that carries a place or a speed.
    case voidWithPlace = "void-with-place"
    /// Step 4 without a step 3, or with another number.
    case strayAnswer = "stray-answer"
    /// A frame whose opcode no camera knows.
    case unknownCommand = "unknown-command"
}
