/// One registration of interest in a descriptor; ends when it is cancelled or dropped.
package final class Watch {
    /// What it waits for; may change at any time.
    package var interest: Interest {
        didSet {
            if interest != oldValue { loop?.setInterest(interest, of: descriptor, id: id) }
        }
    }

    /// nil once cancelled.
    private var loop: EventLoop?
    private let descriptor: Int32
    private let id: UInt64

    init(loop: EventLoop, descriptor: Int32, id: UInt64, interest: Interest) {
        self.loop = loop
        self.descriptor = descriptor
        self.id = id
        self.interest = interest
    }

    deinit { cancel() }

    /// Nothing is delivered after this. Cancelling twice is no error.
    package func cancel() {
        loop?.cancel(descriptor, id: id)
        loop = nil
    }
}
