package import Clock

/// How long the radio waits for what.
package struct BlueZTiming: Equatable, Sendable {
    /// For Connect's answer. Its user gives up long before, with Disconnect.
    package var connect = TimeSpan.seconds(45)
    /// How long Disconnect may take until it counts as failed.
    package var disconnect = TimeSpan.seconds(10)
    /// How long any other call may take until it counts as failed.
    package var call = TimeSpan.seconds(10)
    /// How long a WriteValue may take until its frame counts as dropped.
    package var write = TimeSpan.seconds(2)
    /// For all objects, while bluetoothd may have to be started on a small board.
    package var load = TimeSpan.seconds(25)
    /// From the loss of bluetoothd to the first call that may start it.
    package var firstActivation = TimeSpan.seconds(1)
    /// Between such calls.
    package var activation = TimeSpan.seconds(5)
    /// Between attempts to get this bus's Bluetooth from another daemon.
    package var claim = TimeSpan.seconds(10)
    /// Another daemon that has it this soon after the start had it before us.
    package var claimAtStart = TimeSpan.seconds(5)
    /// From finding a link that stands to its services, before it is ended and made anew.
    package var found = TimeSpan.seconds(1)
    /// From ServicesResolved to the characteristics' objects (field note D4).
    package var characteristics = TimeSpan.seconds(2)
    /// From the write descriptor's hang-up to Connected false.
    package var hangup = TimeSpan.seconds(1)
    /// From Disconnect's answer to Connected false.
    package var disconnected = TimeSpan.seconds(3)
    /// Between two sightings of one camera by one adapter.
    package var sighting = TimeSpan.seconds(1)

    /// The times that the daemon uses.
    package init() {}
}
