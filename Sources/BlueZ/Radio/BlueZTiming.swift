package import Navigation

/// How long the radio waits for what.
package struct BlueZTiming: Equatable, Sendable {
    /// For Connect's answer. Its user gives up long before, with Disconnect.
    package var connect = Span.seconds(45)
    package var disconnect = Span.seconds(10)
    package var call = Span.seconds(10)
    package var write = Span.seconds(2)
    /// For all objects, while bluetoothd may have to be started on a small board.
    package var load = Span.seconds(25)
    /// From the loss of bluetoothd to the first call that may start it.
    package var firstActivation = Span.seconds(1)
    /// Between such calls.
    package var activation = Span.seconds(5)
    /// From finding a link that stands to its services, before it is ended and made anew.
    package var found = Span.seconds(1)
    /// From ServicesResolved to the characteristics' objects (field note D4).
    package var characteristics = Span.seconds(2)
    /// From the write descriptor's hang-up to Connected false.
    package var hangup = Span.seconds(1)
    /// From Disconnect's answer to Connected false.
    package var disconnected = Span.seconds(3)
    /// Between two sightings of one camera by one adapter.
    package var sighting = Span.seconds(1)

    package init() {}
}
