import BlueZ
import GPSD
package import RadioPort

/// The radio as the daemon drives it: BlueZ, or virtual air.
package protocol FleetRadio: AnyObject {
    /// Events may come from now on.
    func start()
    /// Does one request; what comes of it comes as events, never within the call.
    func perform(_ request: RadioRequest)
    /// One frame to many links, in one pass.
    func write(_ frame: [UInt8], to links: [LinkID])
    /// Ends what is ours without waiting for answers. No event comes after it.
    func close()
    /// Whether the bus is there; false while the radio itself is trying to get it back.
    var isBusConnected: Bool { get }
    /// Messages that came over the bus since the start.
    var busMessages: Int { get }
    /// Makes the bus send one, if it is alive.
    func pingBus()
}

extension BlueZRadio: FleetRadio {}

/// Where positions come from: gpsd, or a simulated receiver.
package protocol PositionFeed: AnyObject {
    /// Inputs may come from now on.
    func start()
    /// Nothing is told any more.
    func stop()
    /// Only that receiver counts from now on; nil for all.
    func listen(to device: String?)
}

extension GPSDClient: PositionFeed {}
