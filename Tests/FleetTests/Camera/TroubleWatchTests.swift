import Clock
import LineProtocol
import OsmoProtocol
import Testing

@testable import Fleet

@Suite("What will end a recording soon")
struct TroubleWatchTests {
    /// The alarms of statuses that come at these seconds.
    static func alarms(_ statuses: [(Int, CameraStatus)]) -> [String] {
        var watch = TroubleWatch()
        var effects: [SessionEffect] = []
        for (second, status) in statuses {
            watch.observe(status, at: .zero + .seconds(second), &effects)
        }
        return effects.map { effect in
            guard case .notice(.alarm, let fields) = effect else { return "?" }
            return fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
    }

    @Test("a battery is low at 20 %, with the time left by what it lost") func battery() {
        // A percent in 60 s: at 20 % there are 20 minutes left.
        let slow = (0...50).map { ($0 * 60, CameraStatus.of(.video, battery: UInt8(60 - $0))) }
        #expect(Self.alarms(slow) == ["reason=battery-low percent=20 remaining_s=1200"])
        // A percent in 15 s: ten minutes are left at 40 %.
        let fast = (0...50).map { ($0 * 15, CameraStatus.of(.video, battery: UInt8(60 - $0))) }
        #expect(Self.alarms(fast) == ["reason=battery-low percent=40 remaining_s=600"])
        // Low when first seen: nobody can say for how long.
        #expect(Self.alarms([(0, .of(.video, battery: 12))]) == ["reason=battery-low percent=12"])
    }

    @Test("charged again, and low again: told again") func batteryAgain() {
        let charges: [UInt8] = [20, 21, 24, 20, 25, 26, 20]
        let statuses = charges.enumerated().map {
            ($0 * 3600, CameraStatus.of(.video, battery: $1))
        }
        #expect(
            Self.alarms(statuses) == [
                "reason=battery-low percent=20",
                "reason=battery-low percent=20 remaining_s=12000",
            ])
    }

    @Test("a card is low at ten minutes, and only where its mode tells") func card() {
        #expect(
            Self.alarms([
                (0, .of(.video, cardFree: 8000, remaining: 601)),
                (1, .of(.video, cardFree: 7990, remaining: 600)),
                (2, .of(.video, cardFree: 7980, remaining: 599)),
                (3, .of(.video, cardFree: 9000, remaining: 900)),
                (4, .of(.video, cardFree: 7980, remaining: 598)),
                (5, .of(.video, cardFree: 60000, remaining: 901)),
                (6, .of(.video, cardFree: 7980, remaining: 597)),
                (7, .of(.video, cardFree: 60000, remaining: 0)),
                (8, .of(.photo, cardFree: 100, remaining: 10)),
            ]) == [
                "reason=card-low free_mb=7990 remaining_s=600",
                "reason=card-low free_mb=7980 remaining_s=597",
            ])
    }
}
