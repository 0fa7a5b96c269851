import Clock
import OsmoProtocol
import Testing

@testable import Film
@testable import Footage

@Suite struct MatchTests {
    /// The clips of a drive, read again, and an index of its pushes.
    private static func film(
        _ drive: inout Drive, _ recording: ClosedRange<Double>, of seconds: Double
    ) throws -> (clips: [FilmedClip], files: [FilmedRecording]) {
        let files = drive.film(recording, of: seconds)
        return (try files.map { try ClipReader.read(MemorySource(bytes: $0.bytes)) }, files)
    }

    private static func index(_ clips: [FilmedClip], _ drive: Drive) -> PushIndex {
        var index = PushIndex(clips)
        for (sent, push) in drive.pushes { index.take(SentPush(push, at: sent)) }
        return index
    }

    private static func truth(_ file: FilmedRecording) -> Double {
        Double((UnixTime(nanoseconds: file.first.nanoseconds) + Drive.utcAhead).nanoseconds) / 1e3
    }

    private static func settings(_ rate: String = "29.97") -> FilmSettings {
        var settings = FilmSettings(model: .action5Pro, serial: "M")
        settings.rate = FilmSettings.Rate(word: rate) ?? settings.rate
        settings.driftPPM = 37
        settings.lostPercent = 5
        return settings
    }

    @Test("Chapters of one recording are laid along UTC together") func chapters() throws {
        var settings = Self.settings()
        settings.chapterFrames = 900
        var drive = Drive(settings)
        let (clips, files) = try Self.film(&drive, 5...95, of: 100)
        #expect(clips.count == 3)
        let index = Self.index(clips, drive)
        let matches = try clips.enumerated().map { ($0, try PushMatcher.match($1, in: index)) }
        let groups = PowerUp.groups(
            matches.map { (clip: $0.0, match: $0.1) }, frame: clips[0].frameInterval)
        #expect(groups.map(\.clips) == [[0, 1, 2]])
        for number in clips.indices {
            let start = clips[number].placed(by: groups[0].match).startMicroseconds
            let early = (Self.truth(files[number]) - start) / 1e6
            #expect((0.010...0.050).contains(early), "\(early)")
        }
    }

    @Test("A camera that was turned off and on again has two clocks") func restart() throws {
        var first = Drive(Self.settings())
        let (before, _) = try Self.film(&first, 5...35, of: 40)
        var second = Drive(Self.settings())
        second.poweredOn = Drive.start + .seconds(47)
        var camera = FilmCamera(
            second.settings, on: second.poweredOn, utcAhead: Drive.utcAhead, seed: 3)
        var files: [FilmedRecording] = []
        for tenth in 500..<900 {
            let now = Drive.start + .seconds(Double(tenth) / 10)
            if tenth == 510 { files += camera.record(true, at: now) }
            let push = second.push(at: Double(tenth) / 10)
            first.pushes.append((now, push))
            files += camera.send(push, at: now)
        }
        files += camera.record(false, at: Drive.start + .seconds(90))
        let clips = before + [try ClipReader.read(MemorySource(bytes: files[0].bytes))]
        let index = Self.index(clips, first)
        let matches = try clips.enumerated().map {
            (clip: $0, match: try PushMatcher.match($1, in: index))
        }
        let groups = PowerUp.groups(matches, frame: clips[0].frameInterval)
        #expect(groups.map(\.clips) == [[0], [1]])
        let start = clips[1].placed(by: groups[1].match).startMicroseconds
        #expect((0.010...0.050).contains((Self.truth(files[0]) - start) / 1e6))
    }

    @Test(
        "The zone that a camera stored is found, over midnight and on any side of Greenwich",
        arguments: [0, 60, 330, -300, 720])
    func zones(minutes: Int) throws {
        var settings = Self.settings()
        settings.zoneMinutes = minutes
        var drive = Drive(settings)
        let (clips, _) = try Self.film(&drive, 2...30, of: 32)
        let match = try PushMatcher.match(clips[0], in: Self.index(clips, drive))
        #expect(match.storedMinutes == -minutes)
        #expect(ClipName("DJI_20260701235959_0001_D.MP4")?.localSeconds == 1_782_950_399)
    }

    @Test("A log of rounded rows still finds its clips") func rounded() throws {
        var drive = Drive(Self.settings())
        drive.heightMillimetres = -3_004
        let (clips, files) = try Self.film(&drive, 2...40, of: 42)
        var index = PushIndex(clips)
        for (sent, push) in drive.pushes {
            var row = SentPush(push, at: sent)
            row.isRounded = true
            row.place.latitudeE7 += 1
            row.place.heightMillimetres =
                Int32((Double(push.heightMillimetres) / 10).rounded()) * 10
            index.take(row)
        }
        let match = try PushMatcher.match(clips[0], in: index)
        let start = clips[0].placed(by: match).startMicroseconds
        #expect((0.010...0.050).contains((Self.truth(files[0]) - start) / 1e6))
    }

    @Test("Too few matches are refused, at one below the bound and not at it") func few() throws {
        var drive = Drive(Self.settings())
        drive.settings.lostPercent = 0
        let (clips, _) = try Self.film(&drive, 2...40, of: 42)
        func match(_ count: Int) throws -> PushMatch {
            var index = PushIndex(clips)
            for (sent, push) in drive.pushes[100..<100 + count] {
                index.take(SentPush(push, at: sent))
            }
            return try PushMatcher.match(clips[0], in: index)
        }
        #expect(throws: PushRefusal.few(19)) { try match(PushMatcher.minMatches - 1) }
        #expect(try match(PushMatcher.minMatches).fit.matches == 20)
        #expect(throws: PushRefusal.few(0)) {
            try PushMatcher.match(clips[0], in: PushIndex(clips))
        }
    }

    @Test("A clock that runs off further than any camera's is refused", arguments: [190, 260])
    func drift(ppm: Int) throws {
        var seeded = SeededClip(seed: 5)
        seeded.drift = Double(ppm)
        seeded.seconds = 240
        let (clip, pushes) = seeded.make()
        var index = PushIndex([clip])
        for push in pushes { index.take(push) }
        var refusal: PushRefusal?
        do throws(PushRefusal) { _ = try PushMatcher.match(clip, in: index) } catch {
            refusal = error
        }
        if ppm < 200 {
            #expect(refusal == nil)
        } else if case .drift(let found)? = refusal {
            #expect(abs(found - Double(ppm)) < 10)
        } else {
            Issue.record("not refused")
        }
    }

    @Test("The same drive twice in the log is ambiguous") func ambiguous() throws {
        var drive = Drive(Self.settings())
        let (clips, _) = try Self.film(&drive, 2...40, of: 42)
        var index = Self.index(clips, drive)
        for (sent, push) in drive.pushes {
            index.take(SentPush(push, at: sent + .seconds(3600)))
        }
        #expect(throws: PushRefusal.ambiguous) { try PushMatcher.match(clips[0], in: index) }
    }

    @Test("Positions that repeat say nothing, at one beyond the bound") func common() {
        let place = HeldPlace(latitudeE7: 1, longitudeE7: 2, heightMillimetres: 3)
        var clip = FilmedClip()
        clip.runs = [HeldRun(place: place, first: 10, before: 0, last: 20)]
        var index = PushIndex([clip])
        for count in 1...PushIndex.maxHits + 1 {
            index.take(
                SentPush(
                    log: 0, monotonicMicroseconds: Int64(count) * 100_000, utcMicroseconds: nil,
                    place: place))
            #expect(index.hits(place).count == (count <= PushIndex.maxHits ? count : 0))
        }
    }

    @Test("A rig that stands is not laid along the track") func standing() throws {
        var clip = FilmedClip()
        for number in 0..<400 as Range<Int32> {
            let place = HeldPlace(
                latitudeE7: 481_000_000 + number % 7, longitudeE7: 115_000_000,
                heightMillimetres: 520_000 + number)
            clip.runs.append(
                HeldRun(
                    place: place, first: Int64(number) * 100_000 + 30_000,
                    before: Int64(number) * 100_000, last: Int64(number) * 100_000 + 90_000))
        }
        clip.lastClock = 40_000_000
        #expect(throws: TrackRefusal.standing) { try TrackMatcher(clip) }
    }

    @Test("A clip without a fix is laid by another one of its power-up, and else by the calendar")
    func kept() throws {
        var clip = FilmedClip()
        clip.camera.serial = "S"
        clip.firstClock = 500_000_000
        clip.lastClock = 510_000_000
        clip.frames = 301
        let utc: Int64 = 1_782_900_000_000_000
        let kept = KeptOffset(
            serial: "S", camera: "front", model: "Osmo Action 4", clock: 100_000_000, utc: utc,
            uncertainty: 0.02, driftPPM: 20, calendarAhead: 7200.4, storedMinutes: 0)
        clip.creation = UnixTime(nanoseconds: (utc / 1_000_000 + 400 + 7201) * 1_000_000_000)
        let same = try #require(KeptOffset.place(clip, by: [kept]))
        #expect(same.tier == .pushes)
        #expect(abs(same.startMicroseconds - Double(utc) - 400e6 / 1.00002) < 1)
        // The camera was turned off for a quarter of an hour meanwhile.
        clip.creation = UnixTime(nanoseconds: (utc / 1_000_000 + 1300 + 7201) * 1_000_000_000)
        let other = try #require(KeptOffset.place(clip, by: [kept]))
        #expect(other.tier == .container)
        #expect(abs(other.startMicroseconds - Double(utc) - 1300.6e6) < 1)
        #expect((other.uncertainty ?? 0) >= 2.5)
        clip.camera.serial = "T"
        #expect(KeptOffset.place(clip, by: [kept]) == nil)
    }

    @Test("Recordings are told apart by their lengths and pauses") func recordings() throws {
        func clip(_ first: Double, _ length: Double) -> FilmedClip {
            var clip = FilmedClip()
            clip.firstClock = Int64(first * 1e6)
            clip.lastClock = Int64((first + length) * 1e6)
            clip.frames = 100
            return clip
        }
        func seen(_ start: Double, _ length: Double, _ camera: String = "front") -> SeenRecording {
            SeenRecording(
                camera: camera, start: Int64(start * 1e6), stop: Int64((start + length) * 1e6),
                startUncertainty: 0.5, isOpen: false)
        }
        let clips = [clip(50, 20), clip(100, 20), clip(170, 33)]
        let all = [seen(1000, 20), seen(1050, 20), seen(1120, 33), seen(2000, 20)]
        let found = try #require(RecordingMatcher.match(clips, all))
        #expect(abs(found.offset - 950e6) < 1e6)
        #expect(found.camera == "front")
        // A single clip fits three recordings.
        #expect(RecordingMatcher.match([clips[0]], all) == nil)
        #expect(RecordingMatcher.match([clip(5, 77)], all) == nil)
    }

    @Test(
        "Names of clips are read, and others are not",
        arguments: [
            ("DJI_20260701120000_0007_D.MP4", 7), ("DJI_20260701120000_0007_D_002.MP4", 7),
            ("CAM_20260701120000_0001_D.OSV", 1), ("dji_20260701120000_0001_d.lrf", 1),
            ("DJI_20261301120000_0007_D.MP4", nil), ("DJI_2026070112000_0007_D.MP4", nil),
            ("GX010007.MP4", nil), ("DJI_20260701120000_0007_D.JPG", nil), ("", nil),
        ] as [(String, Int?)])
    func names(name: String, index: Int?) {
        #expect(ClipName(name)?.index == index)
    }
}
