package import Clock
package import Fleet
package import Reactor

/// Holds the core on the loop: hands it what happens, in order, and what it wants done to the
/// interpreter, in order.
///
/// What an interpreter reports while it acts is handed in after the effects that it is in the
/// middle of, so that the core never sees itself half done.
package final class RigHost {
    /// Does one effect.
    package typealias Interpreter = (RigEffect, _ now: Instant) -> Void

    /// The core, as it stands.
    package private(set) var rig: Rig
    /// Set once, before the first input.
    package var interpreter: Interpreter = { _, _ in }

    private var timer: Timer?
    private var inputs: [RigInput] = []
    private var isBusy = false
    /// How far behind its time the core's next wake may be.
    static let maxDelay = TimeSpan.seconds(2)

    /// A rig whose timers run on this loop.
    package init(settings: RigSettings, on loop: EventLoop) {
        rig = Rig(settings: settings)
        timer = Timer(on: loop) { [unowned self] now in submit(.wake, at: now) }
    }

    /// Whether the schedule ticks: the core's next wake is set for when the core wants it, and not
    /// overdue. Inputs alone prove nothing, since they come from elsewhere.
    package func isTicking(at now: Instant) -> Bool {
        guard !isBusy else { return false }
        // Before the end a next frame is always due.
        guard let due = rig.nextDeadline, let deadline = timer?.deadline else { return false }
        return deadline <= max(due, now) && now - due <= Self.maxDelay
    }

    /// Hands the core an input, at once or, from within an effect, right after it.
    package func submit(_ input: RigInput, at now: Instant) {
        inputs.append(input)
        drain(at: now)
    }

    /// The rig's part of `status`.
    package func status(at now: Instant) -> RigStatus { rig.status(at: now) }

    /// Takes a changed configuration over.
    ///
    /// - Returns: what cannot change in a running rig, as sections and keys.
    package func apply(_ settings: RigSettings, at now: Instant) -> [String] {
        let outcome = rig.apply(settings, at: now)
        for effect in outcome.effects { interpreter(effect, now) }
        drain(at: now)
        return outcome.restart
    }

    private func drain(at now: Instant) {
        guard !isBusy else { return }
        isBusy = true
        var next = 0
        while next < inputs.count {
            for effect in rig.handle(inputs[next], at: now) { interpreter(effect, now) }
            next += 1
        }
        inputs.removeAll(keepingCapacity: true)
        isBusy = false
        timer?.set(at: rig.nextDeadline)
    }
}
