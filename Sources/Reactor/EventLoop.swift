import CLinux
package import Clock
import Glibc

/// The one thread's one wait: descriptors that become ready and timers that come due.
///
/// Within a wake `now` is read once and handed to every handler; descriptors come first, in the
/// kernel's order, then the timers that are due, earliest first, so that a tick sees the newest
/// data. Whatever a handler asks for takes effect at once: a watch that it cancelled hears
/// nothing more, even if its event was reported in the same wake.
///
/// Several watches may share a descriptor; the kernel gets their interests merged. Before a
/// descriptor is closed its watches have to be cancelled. Its number may then be used again
/// within the same wake: events carry the registration's id, and late ones are dropped.
///
/// Handlers live in the loop, watches in their owner: capture the owner `unowned` or `weak`.
package final class EventLoop {
    /// Runs on the loop's thread with what happened and when the wake began.
    package typealias Handler = (_ readiness: Readiness, _ now: Instant) -> Void

    /// The machine slept, and for how long: called at the begin of the first wake after that, before
    /// anything that came in.
    package var onResume: (_ slept: TimeSpan, _ now: Instant) -> Void = { _, _ in }

    /// When the current wake began; for code that no handler passed it to.
    package private(set) var now = MonotonicClock.now()

    private struct Registration {
        let id: UInt64
        var interest: Interest
        let handler: Handler
    }

    private struct Entry {
        /// Stands in the kernel's event beside the number.
        let generation: UInt32
        var registrations: [Registration]
        /// What the kernel was told last.
        var applied: Interest

        var wanted: Interest { registrations.reduce(into: []) { $0.formUnion($1.interest) } }
    }

    private let epoll: Descriptor
    private let clock: Descriptor
    private var entries: [Int32: Entry] = [:]
    /// Descriptors whose interest may differ from what the kernel was told.
    private var changed: Set<Int32> = []
    private var nextGeneration: UInt32 = 1
    private var nextID: UInt64 = 1
    private var timers = TimerHeap()
    private var armed = Instant.never
    private let suspension: () -> TimeSpan
    private var suspended: TimeSpan
    private var isStopped = false
    private var events = [epoll_event](repeating: epoll_event(), count: EventLoop.eventsPerWake)

    /// More than this many ready descriptors are seen in the next wake.
    package static let eventsPerWake = 64
    /// The clock's own mark among the events; generations of descriptors start at 1.
    private static let clockMark: UInt64 = 0

    /// What seems to be a shorter sleep of the machine is not taken for one: it comes from reading
    /// the two clocks one after the other.
    package static let minSleep = TimeSpan.milliseconds(500)

    /// - Parameter suspension: for how long the machine has slept since its start.
    /// - Throws: where the kernel has no descriptor left for it.
    package init(
        suspension: @escaping () -> TimeSpan = MonotonicClock.suspension
    ) throws(SystemError) {
        self.suspension = suspension
        suspended = suspension()
        let epoll = epoll_create1(Epoll.closeOnExec)
        guard epoll >= 0 else { throw .last }
        self.epoll = Descriptor(owning: epoll)
        let clock = timerfd_create(CLOCK_MONOTONIC, Epoll.timerFlags)
        guard clock >= 0 else { throw .last }
        self.clock = Descriptor(owning: clock)
        // Edge-triggered: each expiry is reported once and never needs to be read.
        var event = epoll_event()
        event.events = Interest.readable.rawValue | Epoll.edgeTriggered
        event.data.u64 = Self.clockMark
        guard epoll_ctl(epoll, Epoll.add, clock, &event) == 0 else { throw .last }
    }

    /// Handles wakes until `stop`.
    package func run() {
        isStopped = false
        while !isStopped { turn(until: .never) }
    }

    /// `run` returns at the end of the wake that calls this.
    package func stop() { isStopped = true }

    /// Sleeps until something happens, at most until `limit`, and handles that one wake.
    package func turn(until limit: Instant) {
        applyInterests()
        let count = wait(until: limit)
        now = MonotonicClock.now()
        noticeSleep()
        for index in 0..<count { deliver(events[index]) }
        // What handlers set from here on waits for the next wake, or two could keep it for ever.
        let order = timers.nextOrder
        while let timer = timers.popDue(at: now, insertedBefore: order) { timer.fire(at: now) }
    }

    /// Calls `handler` whenever the descriptor is ready, until the watch is cancelled or dropped.
    ///
    /// - Throws: `EPERM` for what is always ready and cannot be waited for: regular files and
    ///   `/dev/null`. `EBADF` for a descriptor that is not open.
    package func watch(
        _ descriptor: Int32, for interest: Interest, handler: @escaping Handler
    ) throws(SystemError) -> Watch {
        let id = nextID
        let registration = Registration(id: id, interest: interest, handler: handler)
        if entries[descriptor] != nil {
            entries[descriptor]?.registrations.append(registration)
            changed.insert(descriptor)
        } else {
            let generation = nextGeneration
            try control(Epoll.add, descriptor, interest, generation)
            nextGeneration = nextGeneration == .max ? 1 : nextGeneration + 1
            entries[descriptor] = Entry(
                generation: generation, registrations: [registration], applied: interest)
        }
        nextID += 1
        return Watch(loop: self, descriptor: descriptor, id: id, interest: interest)
    }

    func setInterest(_ interest: Interest, of descriptor: Int32, id: UInt64) {
        guard let index = index(of: id, on: descriptor) else { return }
        entries[descriptor]?.registrations[index].interest = interest
        changed.insert(descriptor)
    }

    func cancel(_ descriptor: Int32, id: UInt64) {
        guard let index = index(of: id, on: descriptor) else { return }
        entries[descriptor]?.registrations.remove(at: index)
        if entries[descriptor]?.registrations.isEmpty == true {
            entries[descriptor] = nil
            changed.remove(descriptor)
            // Fails only if the descriptor was closed first, and then the kernel forgot it too.
            _ = epoll_ctl(epoll.number, Epoll.remove, descriptor, nil)
        } else {
            changed.insert(descriptor)
        }
    }

    /// A past instant counts as now, so that it queues behind what was due before.
    func schedule(_ timer: Timer, at instant: Instant) {
        timers.insert(timer, at: max(instant, now))
    }

    func unschedule(_ timer: Timer) { timers.remove(timer) }

    private func index(of id: UInt64, on descriptor: Int32) -> Int? {
        entries[descriptor]?.registrations.firstIndex { $0.id == id }
    }

    /// Tells the kernel only what differs at the end of a wake: libdbus turns its write watch on
    /// and off at every message.
    private func applyInterests() {
        guard !changed.isEmpty else { return }
        for descriptor in changed {
            guard let entry = entries[descriptor], entry.applied != entry.wanted else { continue }
            do throws(SystemError) {
                try control(Epoll.modify, descriptor, entry.wanted, entry.generation)
                entries[descriptor]?.applied = entry.wanted
            } catch {
                preconditionFailure("descriptor \(descriptor) was closed while watched: \(error)")
            }
        }
        changed.removeAll(keepingCapacity: true)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ generation: UInt32
    ) throws(SystemError) {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        guard epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else { throw .last }
    }

    private func wait(until limit: Instant) -> Int {
        let next = min(timers.earliest, limit)
        var timeout: Int32 = -1
        if next <= now {
            timeout = 0
        } else if next != armed {
            arm(next)
        }
        let count = epoll_wait(epoll.number, &events, Int32(events.count), timeout)
        if count >= 0 { return Int(count) }
        precondition(errno == EINTR, "epoll_wait failed: \(SystemError.last)")
        return 0
    }

    private func noticeSleep() {
        let total = suspension()
        let slept = total - suspended
        guard slept >= Self.minSleep else { return }
        suspended = total
        onResume(slept, now)
    }

    private func arm(_ instant: Instant) {
        var setting = itimerspec()
        // An empty setting disarms, which is what `never` wants.
        if instant != .never {
            setting.it_value.tv_sec = time_t(clamping: instant.nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(instant.nanoseconds % 1_000_000_000)
        }
        let result = timerfd_settime(clock.number, Epoll.timerAbsolute, &setting, nil)
        precondition(result == 0, "the loop's timer cannot be set: \(SystemError.last)")
        armed = instant
    }

    private func deliver(_ event: epoll_event) {
        let mark = event.data.u64
        if mark == Self.clockMark {
            armed = .never
            return
        }
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: mark))
        let generation = UInt32(truncatingIfNeeded: mark >> 32)
        guard let entry = entries[descriptor], entry.generation == generation else { return }
        let always: UInt32 = EPOLLHUP.rawValue | EPOLLERR.rawValue
        for registration in entry.registrations {
            // An earlier handler may have cancelled this one, or changed what it waits for.
            guard let current = entries[descriptor], current.generation == generation,
                let live = current.registrations.first(where: { $0.id == registration.id })
            else { continue }
            let readiness = event.events & (live.interest.rawValue | always)
            if readiness != 0 { live.handler(Readiness(rawValue: readiness), now) }
        }
    }
}
