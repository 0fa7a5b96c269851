package import Clock

/// A one-shot alarm at an absolute instant; set again and again by its owner.
///
/// Any number of them share the loop's one timerfd. It ends when its owner drops it.
package final class Timer {
    /// Runs on the loop's thread; `now` is when the wake began, at or after the instant set.
    package typealias Handler = (_ now: Instant) -> Void

    /// When it will fire; nil while it is not set.
    package private(set) var deadline: Instant?

    private let loop: EventLoop
    private let handler: Handler
    /// Where it stands in the loop's heap; -1 while it does not.
    var position = -1

    /// - Parameter handler: lives as long as the timer: capture the owner `unowned` or `weak`.
    package init(on loop: EventLoop, handler: @escaping Handler) {
        self.loop = loop
        self.handler = handler
    }

    deinit { cancel() }

    /// Fires once at `instant`; replaces what was set. nil and `never` cancel.
    ///
    /// What is past fires when the descriptors of this wake are done, or, set by another timer, in
    /// the next wake; never within this method.
    package func set(at instant: Instant?) {
        if let instant, instant == deadline { return }
        cancel()
        guard let instant, instant != .never else { return }
        deadline = instant
        loop.schedule(self, at: instant)
    }

    /// Does not fire, even if it is due in the wake that is being handled.
    package func cancel() {
        if deadline != nil { loop.unschedule(self) }
        deadline = nil
    }

    /// Called by the loop after it took the timer from its heap.
    func fire(at now: Instant) {
        deadline = nil
        handler(now)
    }
}
