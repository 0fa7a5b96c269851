import RadioPort

/// What is still to happen in the air or in bluetoothd.
enum AirTask: Sendable {
    /// The adapter and the camera find each other, if the camera can still be heard.
    case meet(peripheral: Int, generation: Int)
    /// BlueZ gives up a Connect.
    case giveUp(peripheral: Int, generation: Int)
    /// A Connect that was cancelled ends.
    case cancelled(peripheral: Int, generation: Int)
    /// The services are resolved and notifications are on.
    case setUp(peripheral: Int, generation: Int)
    /// bluetoothd tells that the link has ended.
    case closed(peripheral: Int, generation: Int)
    /// A link of a camera that went out of range times out.
    case supervision(peripheral: Int, generation: Int)
    case endStall(peripheral: Int)
    case sighting(peripheral: Int, adapter: Int)
    case wakeHeard(peripheral: Int)
    case emit(RadioEvent)
    case blueZReturns(epoch: Int)
    case adapterReturns(adapter: Int)
    case adapterPowered(adapter: Int)
    case unblock(adapter: Int)
}
