import Clock
import Simulation
import Testing

@Suite struct CourseTests {
    private let course = Course()

    @Test("a lap ends where and as it began") func lapEndsWhereBegan() {
        let start = course.truth(after: .zero)
        let end = course.truth(after: Course.lapTime - TimeSpan(nanoseconds: 1))
        #expect(Course.distance(start.latitudeDegrees, start.longitudeDegrees, end) < 0.001)
        #expect(abs(start.heightMetres - end.heightMetres) < 0.001)
        #expect(abs(start.speedMetresPerSecond - end.speedMetresPerSecond) < 0.001)
        #expect(course.truth(after: Course.lapTime) == start)
    }

    @Test("place, speed, course and climb belong together") func placeSpeedCourseClimbBelong() {
        let step = 0.01
        for index in 0..<Int(Course.lapTime.seconds / step) {
            let before = course.truth(after: .seconds(Double(index) * step))
            let after = course.truth(after: .seconds(Double(index + 1) * step))
            let metres = Course.distance(
                before.latitudeDegrees, before.longitudeDegrees, after)
            let speed = (before.speedMetresPerSecond + after.speedMetresPerSecond) / 2
            #expect(abs(metres - speed * step) < 0.001, "at \(Double(index) * step) s")
            let climbed = after.heightMetres - before.heightMetres
            let climbs = [before.climbMetresPerSecond, after.climbMetresPerSecond]
            #expect(climbs.contains { abs($0 * step - climbed) < 0.011 })
            guard metres > 0.01 else { continue }
            // The step goes as far north as the course in its middle says.
            let north = after.latitudeDegrees - before.latitudeDegrees
            let isNorthward = before.courseDegrees < 89 || before.courseDegrees > 271
            let isSouthward = before.courseDegrees > 91 && before.courseDegrees < 269
            #expect(!isNorthward || north > 0)
            #expect(!isSouthward || north < 0)
        }
    }

    @Test("there are stops, bends both ways, hills and a tunnel") func thereStopsBendsBothWays() {
        var stopped = 0
        var left = 0
        var right = 0
        var tunnel = 0
        var heights: Set<Int> = []
        var before = course.truth(after: .zero)
        for second in 1..<Int(Course.lapTime.seconds) {
            let truth = course.truth(after: .seconds(second))
            if truth.speedMetresPerSecond == 0 { stopped += 1 }
            let turn =
                (truth.courseDegrees - before.courseDegrees + 540)
                .truncatingRemainder(dividingBy: 360) - 180
            if turn > 1 { right += 1 }
            if turn < -1 { left += 1 }
            if truth.isInTunnel { tunnel += 1 }
            heights.insert(Int(truth.heightMetres))
            before = truth
        }
        #expect(stopped >= 32 && left >= 20 && right >= 50 && tunnel == 12 && heights.count > 15)
    }
}
