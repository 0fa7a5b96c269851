import CLinux
import Clock
import Fleet
import Glibc
import Testing

@testable import Daemon

/// What the kernel tells about the machine's clock.
@Suite("The machine's clock")
struct MachineClockTests {
    @Test(
        "It is a reference only where the kernel's maxerror is at most 100 ms",
        arguments: [
            (TIME_OK, 0, 100_000, true), (TIME_OK, 0, 100_001, false),
            (TIME_OK, STA_UNSYNC, 10, false), (TIME_ERROR, 0, 10, false), (-1, 0, 10, false),
        ])
    func maxError(verdict: Int32, status: Int32, microseconds: Int, isPrecise: Bool) {
        var state = timex()
        state.status = status
        state.maxerror = microseconds
        let clock = MachineClock.reading(
            UnixTime(nanoseconds: 1), verdict: verdict, state: state)
        #expect(clock.isPrecise == isPrecise)
    }
}
