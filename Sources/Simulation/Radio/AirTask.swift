import RadioPort

/// What is still to happen in the air or in bluetoothd.
enum AirTask: Sendable {
    /// The adapter and the station find each other, or would.
    case meet(peripheral: Int, generation: Int)
    /// BlueZ gives a Connect up.
    case giveUp(peripheral: Int, generation: Int)
    /// A Connect that was cancelled ends.
    case cancelled(peripheral: Int, generation: Int)
    /// Services are known, notifications are on.
    case setUp(peripheral: Int, generation: Int)
    /// The link's end is told.
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
