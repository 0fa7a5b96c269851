import RadioPort

/// What is still to happen in the air or in bluetoothd.
enum AirTask: Sendable {
    /// The adapter and the station find each other, or would.
    case meet(station: Int, generation: Int)
    /// BlueZ gives a Connect up.
    case giveUp(station: Int, generation: Int)
    /// A Connect that was cancelled ends.
    case cancelled(station: Int, generation: Int)
    /// Services are known, notifications are on.
    case setUp(station: Int, generation: Int)
    /// The link's end is told.
    case closed(station: Int, generation: Int)
    /// A link of a camera that went out of range times out.
    case supervision(station: Int, generation: Int)
    case endStall(station: Int)
    case sighting(station: Int, adapter: Int)
    case wakeHeard(station: Int)
    case emit(RadioEvent)
    case blueZReturns(epoch: Int)
    case adapterReturns(adapter: Int)
    case adapterPowered(adapter: Int)
    case unblock(adapter: Int)
}
