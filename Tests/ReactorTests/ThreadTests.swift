import Clock
import Glibc
import Reactor
import Testing

@Suite struct ThreadTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    @Test("jobs run in order on another thread and answer on the loop's")
    func jobsRunOrderAnotherThread() throws {
        let helper = try HelperThread<(Int, UInt)>(on: loop)
        let mine = UInt(pthread_self())
        var answers: [Int] = []
        for number in 0..<20 {
            helper.run(
                { (number, UInt(pthread_self())) },
                then: { output, _ in
                    answers.append(output.0)
                    #expect(output.1 != mine)
                    #expect(UInt(pthread_self()) == mine)
                })
        }
        #expect(helper.pending == 20)
        while helper.pending > 0 { loop.turn(until: .never) }
        #expect(answers == Array(0..<20))
    }

    @Test("a blocked job delays neither the loop nor the helper's end")
    func blockedJobDelaysNeitherLoop() throws {
        let pipe = Pipe()
        // A blocking read on a descriptor of its own.
        let end = pipe.readEnd
        _ = fcntl(end, F_SETFL, 0)
        var helper: HelperThread<Int>? = try HelperThread(on: loop)
        var answered = false
        helper?.run(
            {
                var byte: UInt8 = 0
                return read(end, &byte, 1)
            }, then: { _, _ in answered = true })
        var ticks = 0
        let timer = Timer(on: loop) { _ in ticks += 1 }
        timer.set(at: .zero)
        loop.turn(until: .zero)
        #expect(ticks == 1)
        #expect(helper?.pending == 1)
        helper = nil
        pipe.write()
        loop.turn(until: .zero)
        #expect(!answered)
    }

    @Test("many sends are one wake") func manySendsOneWake() throws {
        var wakes = 0
        let wakeup = try Wakeup(on: loop) { _ in wakes += 1 }
        for _ in 0..<1000 { wakeup.sender.send() }
        loop.turn(until: .zero)
        loop.turn(until: .zero)
        #expect(wakes == 1)
    }
}

/// Signals are sent to a thread: each test sends them to the thread that it runs on.
@Suite(.serialized) struct SignalsTests {
    @Test("a signal is an event of the loop") func signalEventLoop() throws {
        let loop = try EventLoop()
        var heard: [Int32] = []
        let signals = try Signals([SIGUSR1, SIGUSR2], on: loop) { signal, _ in
            heard.append(signal)
        }
        pthread_kill(pthread_self(), SIGUSR2)
        loop.turn(until: .zero)
        pthread_kill(pthread_self(), SIGUSR1)
        loop.turn(until: .zero)
        #expect(heard == [SIGUSR2, SIGUSR1])
        withExtendedLifetime(signals) {}
    }

    @Test("a pipe without a reader is an error, not the end") func pipeWithoutReaderErrorNot()
        throws
    {
        Signals.ignorePipe()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        let descriptor = Descriptor(owning: ends[1])
        var failure: SystemError?
        do throws(SystemError) {
            _ = try descriptor.write([1])
        } catch {
            failure = error
        }
        #expect(failure == SystemError(code: EPIPE))
    }
}

@Suite struct DescriptorTests {
    @Test("the owner's end closes it") func ownerSEndCloses() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        do { _ = Descriptor(owning: ends[1]) }
        // The pipe is at its end, because its only writer is closed.
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
    }

    @Test("a released one stays open") func releasedOneStaysOpen() {
        let number = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)).release()
        #expect(fcntl(number, F_GETFD) >= 0)
        close(number)
    }

    @Test("an error speaks as libc does") func errorSpeaksLibcDoes() {
        #expect(SystemError(code: ENOENT).description == "No such file or directory")
        #expect(SystemError(code: EAGAIN).isWouldBlock)
    }
}
