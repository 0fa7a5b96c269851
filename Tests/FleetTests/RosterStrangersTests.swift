import Clock
import OsmoProtocol
import RadioPort
import Testing

@testable import Fleet

@Suite struct RosterStrangersTests {
    static func sighting(
        _ number: Int, rssi: Int? = -70, _ advertisement: CameraAdvertisement = .supported(.action4)
    ) -> Sighting {
        Sighting(
            link: .test(number), advertisement: advertisement, name: "OA\(number)", rssi: rssi)
    }

    static func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    @Test("32 strangers are listed and a 33rd of the same strength is not")
    func n32StrangersListed33rdSame() {
        var strangers = Strangers()
        for number in 1...32 { strangers.hear(Self.sighting(number), at: Self.at(1)) }
        strangers.hear(Self.sighting(33), at: Self.at(2))
        #expect(strangers.members.count == Strangers.bound)
        #expect(strangers[QueueBench.camera(33)] == nil)
    }

    @Test("one that is 10 dB stronger takes the weakest one's place") func one10DBStrongerTakes() {
        var strangers = Strangers()
        for number in 1...32 { strangers.hear(Self.sighting(number), at: Self.at(1)) }
        strangers.hear(Self.sighting(5, rssi: -72), at: Self.at(1))
        strangers.hear(Self.sighting(33, rssi: -63), at: Self.at(2))
        #expect(strangers[QueueBench.camera(33)] == nil)
        strangers.hear(Self.sighting(33, rssi: -62), at: Self.at(2))
        #expect(strangers[QueueBench.camera(33)] != nil)
        #expect(strangers[QueueBench.camera(5)] == nil)
        #expect(strangers.members.count == Strangers.bound)
    }

    @Test("a stranger that is not heard for a minute is gone") func strangerNotHeardMinuteGone() {
        var strangers = Strangers()
        strangers.hear(Self.sighting(1), at: Self.at(10))
        #expect(strangers.nextDeadline == Self.at(70))
        strangers.expire(at: Self.at(70) - TimeSpan(nanoseconds: 1))
        #expect(strangers.members.count == 1)
        strangers.expire(at: Self.at(70))
        #expect(strangers.members.isEmpty)
        #expect(strangers.nextDeadline == .never)
    }

    @Test("what BlueZ remembers and does not hear, and what is no camera, is not listed")
    func whatBlueZRemembersDoesNot() {
        var strangers = Strangers()
        strangers.hear(Self.sighting(1, rssi: nil), at: Self.at(1))
        strangers.hear(Self.sighting(2, .notACamera), at: Self.at(1))
        #expect(strangers.members.isEmpty)
    }

    @Test("the strongest supported one that was heard lately is chosen for pairing")
    func strongestSupportedOneHeardLately() {
        var strangers = Strangers()
        strangers.hear(Self.sighting(1, rssi: -40), at: Self.at(1))
        strangers.hear(Self.sighting(2, rssi: -50), at: Self.at(10))
        strangers.hear(Self.sighting(3, rssi: -60), at: Self.at(12))
        strangers.hear(Self.sighting(4, rssi: -30, .unsupported("Osmo Pocket 3")), at: Self.at(12))
        #expect(strangers.strongest(at: Self.at(11))?.address == QueueBench.camera(1))
        #expect(strangers.strongest(at: Self.at(12))?.address == QueueBench.camera(2))
        strangers.refused(QueueBench.camera(2), until: Self.at(60))
        #expect(strangers.strongest(at: Self.at(12))?.address == QueueBench.camera(3))
        strangers.expire(at: Self.at(60))
        strangers.hear(Self.sighting(2, rssi: -50), at: Self.at(60))
        #expect(strangers.strongest(at: Self.at(60))?.address == QueueBench.camera(2))
    }

    @Test("a refusal is remembered for its time although the camera is silent")
    func refusalRememberedTimeAlthoughCamera() {
        var strangers = Strangers()
        strangers.hear(Self.sighting(1), at: Self.at(0))
        strangers.refused(QueueBench.camera(1), until: Self.at(300))
        strangers.expire(at: Self.at(200))
        #expect(strangers[QueueBench.camera(1)]?.refusedUntil == Self.at(300))
        strangers.expire(at: Self.at(300))
        #expect(strangers.members.isEmpty)
    }

    @Test(
        "a stranger is listed by kind and last octets",
        arguments: [
            (CameraAdvertisement.supported(.osmo360), "osmo360-0001"),
            (.unsupported("Osmo Pocket 3"), "osmopocket3-0001"),
        ])
    func strangerListedKindLastOctets(
        advertisement: CameraAdvertisement, name: String
    ) {
        var strangers = Strangers()
        strangers.hear(Self.sighting(1, advertisement), at: Self.at(0))
        #expect(Strangers.listName(strangers.members[0]) == name)
    }
}
