import CLinux
package import Clock
import Glibc
import Synchronization

/// A thread for calls that block (gps_open, fdatasync): jobs run there one after another, and what
/// each returns is handed back on the loop's thread.
///
/// Jobs share nothing with the loop: only what they captured goes out and their output comes back.
/// When the owner drops it, outputs are lost, and the thread ends once the job at hand returns.
package final class HelperThread<Output: Sendable> {
    /// What is done on the helper's own thread.
    package typealias Job = @Sendable () -> Output
    /// Runs on the loop's thread.
    package typealias Completion = (Output, _ now: Instant) -> Void

    private let mailbox: Mailbox<Output>
    private let wakeup: Wakeup
    private let completions: Completions<Output>

    /// - Throws: where no thread or descriptor can be had.
    package init(on loop: EventLoop) throws(SystemError) {
        let completions = Completions<Output>()
        let outputs = Outputs<Output>()
        wakeup = try Wakeup(on: loop) { now in
            for output in outputs.removeAll() { completions.next()?(output, now) }
        }
        self.completions = completions
        mailbox = try Mailbox(outputs: outputs, wake: wakeup.sender)
        try mailbox.startThread()
    }

    deinit { mailbox.close() }

    /// Jobs whose output has not been handed back.
    package var pending: Int { completions.count }

    /// Runs `job` on the thread, after those that were given before.
    package func run(_ job: @escaping Job, then completion: @escaping Completion) {
        completions.append(completion)
        mailbox.post(job)
    }
}

/// The loop's side: what becomes of outputs, in the order of the jobs.
private final class Completions<Output: Sendable> {
    private var waiting: [HelperThread<Output>.Completion] = []

    var count: Int { waiting.count }
    func append(_ completion: @escaping HelperThread<Output>.Completion) {
        waiting.append(completion)
    }
    func next() -> HelperThread<Output>.Completion? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

/// What goes back.
private final class Outputs<Output: Sendable>: Sendable {
    private let done = Mutex<[Output]>([])

    func append(_ output: Output) { done.withLock { $0.append(output) } }
    func removeAll() -> [Output] {
        done.withLock { outputs in
            defer { outputs = [] }
            return outputs
        }
    }
}

/// What goes out, and the thread's life. A semaphore eventfd counts the jobs, so that the thread
/// sleeps in the kernel.
private final class Mailbox<Output: Sendable>: Sendable {
    private struct State {
        var jobs: [HelperThread<Output>.Job] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let outputs: Outputs<Output>
    private let wake: Wakeup.Sender
    private let semaphore: Int32

    init(outputs: Outputs<Output>, wake: Wakeup.Sender) throws(SystemError) {
        self.outputs = outputs
        self.wake = wake
        semaphore = eventfd(0, Epoll.eventFlags | Epoll.eventSemaphore)
        guard semaphore >= 0 else { throw .last }
    }

    deinit { Glibc.close(semaphore) }

    func post(_ job: @escaping HelperThread<Output>.Job) {
        state.withLock { $0.jobs.append(job) }
        eventfd_write(semaphore, 1)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.jobs = []
        }
        eventfd_write(semaphore, 1)
    }

    /// The thread owns a reference to this until it ends. It takes no signals: they are the
    /// loop's.
    func startThread() throws(SystemError) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let work = Work { [self] in serve() }
        let context = Unmanaged.passRetained(work)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw SystemError(code: result)
        }
        pthread_detach(thread)
    }

    private func serve() {
        while true {
            var count: eventfd_t = 0
            guard eventfd_read(semaphore, &count) == 0 else { return }
            let job = state.withLock { state -> HelperThread<Output>.Job? in
                state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            guard let job else { return }
            outputs.append(job())
            wake.send()
        }
    }
}

/// What a C thread entry can be handed.
private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
