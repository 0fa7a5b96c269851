import Glibc

/// Work shared among threads: seeds have nothing to do with each other, and share nothing.
enum Workers {
    /// Runs `work` on `count` threads and adds up what they came to.
    static func run(count: Int, _ work: @escaping (Int) -> Total) -> Total {
        var running: [(thread: pthread_t, job: Job)] = []
        for number in 0..<count {
            let job = Job(number: number, work: work)
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let job = Unmanaged<Job>.fromOpaque(context).takeUnretainedValue()
                    job.result = job.work(job.number)
                    return nil
                }, Unmanaged.passUnretained(job).toOpaque())
            if failure == 0 { running.append((thread, job)) }
        }
        var total = Total()
        for (thread, job) in running {
            pthread_join(thread, nil)
            total.add(job.result)
        }
        return total
    }

    /// What one thread works on; looked at by others only after that thread has ended.
    private final class Job {
        let number: Int
        let work: (Int) -> Total
        var result = Total()

        init(number: Int, work: @escaping (Int) -> Total) {
            self.number = number
            self.work = work
        }
    }
}
