import Glibc
import Testing

@testable import Navigation

@Suite("Places on the ground")
struct GeodesyTests {
    @Test(
        "A degree of latitude and of longitude have their lengths",
        arguments: [
            (0.0, 110_574.3, 111_319.5), (45, 111_132.0, 78_846.8), (60, 111_412.2, 55_800.0),
        ])
    func degrees(latitude: Double, north: Double, east: Double) {
        let place = Place(latitudeDegrees: latitude, longitudeDegrees: 10)
        let up = Place(latitudeDegrees: latitude + 0.001, longitudeDegrees: 10)
        let right = Place(latitudeDegrees: latitude, longitudeDegrees: 10.001)
        #expect(abs(place.displacement(to: up).north - north / 1000) < 0.01)
        #expect(abs(place.displacement(to: right).east - east / 1000) < 0.01)
    }

    @Test(
        "To move and to measure are each other's inverse",
        arguments: [-89.9, -60, 0, 0.00001, 48, 89.5])
    func inverse(latitude: Double) {
        for longitude in [-180.0, -179.9999, -0.00001, 11, 179.9999] {
            for way in [(3.0, 4.0), (-700, 20), (0.001, -0.002), (0, 600)] {
                let start = Place(latitudeDegrees: latitude, longitudeDegrees: longitude)
                let vector = GroundVector(north: way.0, east: way.1)
                let (end, _) = start.moved(by: vector, carrying: .zero)
                let back = start.displacement(to: end)
                #expect(
                    (back - vector).length < 1e-3 + vector.length
                        * (abs(latitude) > 89 ? 0.05 : 1e-3))
                #expect(abs(end.longitudeDegrees) <= 180)
                #expect(abs(end.latitudeDegrees) <= 90)
            }
        }
    }

    @Test("East over the date line comes out in the west")
    func dateLine() {
        let start = Place(latitudeDegrees: -17, longitudeDegrees: 179.9999)
        let (end, velocity) = start.moved(
            by: GroundVector(north: 0, east: 30), carrying: GroundVector(north: 0, east: 30))
        #expect(end.longitudeDegrees < -179.9)
        #expect(abs(velocity.east - 30) < 1e-6)
        #expect(abs(start.displacement(to: end).east - 30) < 1e-4)
    }

    @Test("Straight over a pole, north becomes south", arguments: [1.0, -1.0])
    func pole(sign: Double) {
        let start = Place(latitudeDegrees: sign * 89.9999, longitudeDegrees: 30)
        let (end, velocity) = start.moved(
            by: GroundVector(north: sign * 30, east: 0),
            carrying: GroundVector(north: sign * 30, east: 0))
        #expect(abs(end.longitudeDegrees + 150) < 1e-6)
        #expect(abs(end.latitudeDegrees) < 90)
        #expect(abs(velocity.north + sign * 30) < 1e-6)
    }

    @Test("At the pole itself nothing is divided by zero", arguments: [90.0, -90.0])
    func atThePole(latitude: Double) {
        let start = Place(latitudeDegrees: latitude, longitudeDegrees: 0)
        let (end, velocity) = start.moved(
            by: GroundVector(north: 10, east: 10), carrying: GroundVector(north: 10, east: 10))
        #expect(end.latitudeDegrees.isFinite && end.longitudeDegrees.isFinite)
        #expect(abs(velocity.length - 200.0.squareRoot()) < 1e-9)
        #expect(start.displacement(to: end).length.isFinite)
    }

    @Test("Speed is kept whatever the way")
    func speedKept() {
        let start = Place(latitudeDegrees: 71, longitudeDegrees: -12)
        let velocity = GroundVector(length: 600, courseDegrees: 77)
        let (_, moved) = start.moved(by: velocity * 2.5, carrying: velocity)
        #expect(abs(moved.length - 600) < 1e-9)
        #expect(moved.courseDegrees > 77, "on a great circle the course turns")
    }

    @Test(
        "Courses are 0 up to but not 360",
        arguments: [(1.0, 0.0, 0.0), (0, 1, 90), (-1, 0, 180), (0, -1, 270), (1, -1e-20, 0)])
    func courses(north: Double, east: Double, degrees: Double) {
        let vector = GroundVector(north: north, east: east)
        #expect(abs(vector.courseDegrees - degrees) < 1e-9)
        #expect(vector.courseDegrees < 360)
    }
}
