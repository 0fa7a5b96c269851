import Glibc
import Testing

@testable import Navigation

@Suite struct MotionBridgeTests {
    /// A rig on a circle of 50 m at 15 m/s, a fix a second.
    private func onCircle(_ seconds: Double) -> (place: Place, velocity: GroundVector) {
        let angle = seconds * 0.3
        let centre = Place(latitudeDegrees: 48, longitudeDegrees: 11)
        let way = GroundVector(north: 50 * sin(angle), east: -50 * cos(angle))
        let velocity = GroundVector(north: 15 * cos(angle), east: 15 * sin(angle))
        return (centre.moved(by: way, carrying: .zero).0, velocity)
    }

    @Test("Between two fixes of a bend a second apart it errs by less than a centimetre")
    func followsBend() {
        for second in 0..<20 {
            let (start, end) = (onCircle(Double(second)), onCircle(Double(second + 1)))
            let bridge = MotionBridge(
                from: start.place, velocity: start.velocity, to: end.place,
                endVelocity: end.velocity, seconds: 1)
            for tenth in 0...10 {
                let share = Double(tenth) / 10
                let truth = onCircle(Double(second) + share).place
                let off = bridge.place(after: share).displacement(to: truth).length
                #expect(off < 0.01, "\(second).\(tenth): \(off) m")
            }
        }
    }

    @Test("A velocity that does not fit the way leaves a straight line")
    func straightWhereVelocityDoesNotFit() {
        let (start, end) = (onCircle(0), onCircle(1))
        for velocity in [nil, GroundVector(north: -90, east: 0)] {
            let bridge = MotionBridge(
                from: start.place, velocity: velocity, to: end.place, endVelocity: end.velocity,
                seconds: 1)
            let middle = bridge.place(after: 0.5)
            let half = start.place.displacement(to: end.place) * 0.5
            #expect((start.place.displacement(to: middle) - half).length < 0.001)
        }
    }

    @Test("It begins and ends where the fixes are, across the date line too")
    func endsAtFixes() {
        let start = Place(latitudeDegrees: -17, longitudeDegrees: 179.9999)
        let end = Place(latitudeDegrees: -17, longitudeDegrees: -179.9999)
        let bridge = MotionBridge(
            from: start, velocity: GroundVector(north: 0, east: 21), to: end,
            endVelocity: GroundVector(north: 0, east: 21), seconds: 1)
        #expect(bridge.place(after: 0) == start)
        #expect(bridge.place(after: 1).displacement(to: end).length < 0.001)
        #expect(bridge.place(after: 7).displacement(to: end).length < 0.001)
    }
}
