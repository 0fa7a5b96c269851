import Clock
import Glibc
import Reactor
import Testing

@Suite struct EventLoopTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    /// Turns the loop once without waiting: only what is ready now is handled.
    private func turn() { loop.turn(until: .zero) }

    @Test("a watch hears of a readable descriptor with the wake's instant")
    func watchHearsReadableDescriptorWake() throws {
        let pipe = Pipe()
        var heard: [(Readiness, Instant)] = []
        let watch = try loop.watch(pipe.readEnd, for: .readable) { heard.append(($0, $1)) }
        turn()
        #expect(heard.isEmpty)
        pipe.write()
        turn()
        #expect(heard.count == 1)
        #expect(heard.first?.0 == .readable)
        #expect(heard.first?.1 == loop.now)
        watch.cancel()
        turn()
        #expect(heard.count == 1)
    }

    @Test("a dropped watch is a cancelled one") func droppedWatchCancelledOne() throws {
        let pipe = Pipe()
        var count = 0
        var watch: Watch? = try loop.watch(pipe.readEnd, for: .readable) { _, _ in count += 1 }
        pipe.write()
        turn()
        #expect(watch != nil)
        watch = nil
        turn()
        #expect(count == 1)
    }

    @Test("all handlers of a wake see one now") func allHandlersWakeSeeOne() throws {
        let pipes = (0..<3).map { _ in Pipe() }
        var instants: Set<Instant> = []
        let watches = try pipes.map { pipe in
            try loop.watch(pipe.readEnd, for: .readable) { _, now in instants.insert(now) }
        }
        let timer = Timer(on: loop) { instants.insert($0) }
        timer.set(at: .zero)
        for pipe in pipes { pipe.write() }
        turn()
        #expect(instants == [loop.now])
        #expect(watches.count == 3)
    }

    @Test("two watches on one descriptor each hear what they asked for")
    func twoWatchesOneDescriptorEach() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var heard: [String] = []
        let reading = try loop.watch(ends[0], for: .readable) { ready, _ in
            heard.append("read \(ready.rawValue)")
        }
        let writing = try loop.watch(ends[0], for: []) { ready, _ in
            heard.append("write \(ready.rawValue)")
        }
        turn()
        #expect(heard == [])
        writing.interest = .writable
        turn()
        #expect(heard == ["write \(Readiness.writable.rawValue)"])
        writing.interest = []
        heard = []
        #expect(write(ends[1], "x", 1) == 1)
        turn()
        #expect(heard == ["read \(Readiness.readable.rawValue)"])
        reading.cancel()
        heard = []
        turn()
        #expect(heard == [])
    }

    @Test("a lost peer is reported to a watch that waits for nothing")
    func lostPeerReportedWatchWaits() throws {
        let pipe = Pipe()
        var heard: Readiness = []
        let watch = try loop.watch(pipe.readEnd, for: []) { ready, _ in heard = ready }
        pipe.closeWriteEnd()
        turn()
        #expect(heard == .hangup)
        watch.cancel()
    }

    @Test("a handler that cancels another watch silences its event of the same wake")
    func handlerCancelsAnotherWatchSilences() throws {
        let pipes = [Pipe(), Pipe()]
        var watches: [Watch?] = [nil, nil]
        var fired: [Int] = []
        for index in 0..<2 {
            watches[index] = try loop.watch(pipes[index].readEnd, for: .readable) { _, _ in
                fired.append(index)
                watches[1 - index] = nil
            }
        }
        for pipe in pipes { pipe.write() }
        turn()
        #expect(fired.count == 1)
    }

    @Test("the stale event of a descriptor whose number is used again is dropped")
    func staleEventDescriptorWhoseNumber() throws {
        let pipes = [Pipe(), Pipe()]
        let spare = Pipe()
        var watches: [Watch?] = [nil, nil]
        var replacement: Watch?
        var fired = 0
        var stale = 0
        for index in 0..<2 {
            watches[index] = try loop.watch(pipes[index].readEnd, for: .readable) { [loop] _, _ in
                fired += 1
                // The number of the other descriptor now means the spare pipe, which has nothing to
                // read.
                let other = 1 - index
                watches[other] = nil
                dup2(spare.readEnd, pipes[other].readEnd)
                replacement = try? loop.watch(pipes[other].readEnd, for: .readable) { _, _ in
                    stale += 1
                }
            }
        }
        for pipe in pipes { pipe.write() }
        turn()
        #expect(fired == 1)
        #expect(stale == 0)
        #expect(replacement != nil)
        spare.write()
        watches = [nil, nil]
        turn()
        #expect(stale == 1)
        replacement = nil
    }

    @Test("what cannot be waited for is an error value", arguments: ["/dev/null", "/etc/passwd"])
    func whatCannotWaitedErrorValue(path: String) throws {
        let file = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        #expect(throws: SystemError(code: EPERM)) {
            _ = try loop.watch(file.number, for: .readable) { _, _ in }
        }
    }

    @Test("a closed descriptor is an error value") func closedDescriptorErrorValue() {
        #expect(throws: SystemError(code: EBADF)) {
            _ = try loop.watch(1_000_000, for: .readable) { _, _ in }
        }
    }

    @Test("more ready descriptors than a wake takes are all heard in the next")
    func moreReadyDescriptorsThanWake() throws {
        let pipes = (0...EventLoop.eventsPerWake).map { _ in Pipe() }
        var heard = 0
        let watches = try pipes.map { pipe in
            try loop.watch(pipe.readEnd, for: .readable) { _, _ in
                heard += 1
                _ = pipe.drain()
            }
        }
        for pipe in pipes { pipe.write() }
        turn()
        #expect(heard == EventLoop.eventsPerWake)
        turn()
        #expect(heard == EventLoop.eventsPerWake + 1)
        #expect(watches.count == pipes.count)
    }

    @Test("stop ends run at the end of the wake") func stopEndsRunEndWake() {
        var order: [String] = []
        let first = Timer(on: loop) { [loop] _ in
            order.append("stop")
            loop.stop()
        }
        let second = Timer(on: loop) { _ in order.append("same wake") }
        first.set(at: .zero)
        second.set(at: .zero)
        loop.run()
        #expect(order == ["stop", "same wake"])
    }

    @Test("A sleep of the machine is told once, before anything that came in")
    func sleepToldOnceBeforeOthers() throws {
        var slept = TimeSpan.zero
        let loop = try EventLoop(suspension: { slept })
        var told: [String] = []
        loop.onResume = { span, _ in told.append("slept \(span.nanoseconds)") }
        let timer = Timer(on: loop) { _ in told.append("timer") }
        timer.set(at: loop.now)
        slept = EventLoop.minSleep
        loop.turn(until: loop.now)
        #expect(told == ["slept 500000000", "timer"])
        loop.turn(until: loop.now)
        slept = EventLoop.minSleep * 2 - TimeSpan(nanoseconds: 1)
        loop.turn(until: loop.now)
        #expect(told.count == 2)
    }
}
