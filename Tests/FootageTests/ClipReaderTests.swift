import Clock
import OsmoProtocol
import Testing

@testable import Film
@testable import Footage

@Suite struct ClipReaderTests {
    static let models: [(CameraModel, String, String)] = [
        (.action4, "Osmo Action 4", "DJI AC003"), (.action5Pro, "Osmo Action 5 Pro", "DJI AC004"),
        (.action6, "Osmo Action 6", "DJI AC006"), (.osmo360, "Osmo 360", "Osmo OQ001"),
    ]

    @Test("What a camera was told stands in its clip", arguments: models)
    func toldStands(model: CameraModel, name: String, code: String) throws {
        var drive = Drive(FilmSettings(model: model, serial: "5XKABC1"))
        let files = drive.film(2...12, of: 15)
        let clip = try ClipReader.read(MemorySource(bytes: files[0].bytes))
        #expect(clip.camera.model == name)
        #expect(clip.cameraCode == code)
        #expect(clip.camera.serial == "5XKABC1")
        #expect(clip.camera.firmware == "10.00.15.21")
        #expect(clip.camera.width == 3840)
        #expect(abs(clip.camera.framesPerSecond - 29.97) < 0.001)
        #expect(clip.frames == files[0].frames)
        #expect(clip.firstClock == Int64(files[0].firstClock))
        #expect(clip.damagedFrames == 0)
        #expect(clip.framesWithFix == clip.frames)
        #expect(clip.framesOffGrid == 0)
        // One position at the start, then ten a second for ten seconds.
        #expect((100...102).contains(clip.runs.count))
        let told = Set(drive.pushes.map { HeldPlace($0.push) })
        #expect(clip.runs.allSatisfy { told.contains($0.place) })
        #expect(clip.flips.count == 10)
        #expect(abs(clip.durationSeconds - 10) < 0.1)
        #expect(!clip.isTimelapse)
    }

    @Test("Heights below the sea keep their sign", arguments: [-430_000, -1, 0, 8_848_000])
    func heights(height: Int32) throws {
        var drive = Drive(FilmSettings(model: .action5Pro, serial: "A"))
        drive.heightMillimetres = height
        let files = drive.film(0...3, of: 3)
        let clip = try ClipReader.read(MemorySource(bytes: files[0].bytes))
        #expect(clip.runs[0].place.heightMillimetres == height)
    }

    @Test(
        "Files with the index first and long offsets read alike", arguments: [false, true],
        [false, true])
    func layouts(indexFirst: Bool, longOffsets: Bool) throws {
        var settings = FilmSettings(model: .osmo360, serial: "B")
        settings.indexFirst = indexFirst
        settings.longOffsets = longOffsets
        var drive = Drive(settings)
        let clip = try ClipReader.read(
            MemorySource(bytes: drive.film(1...5, of: 6)[0].bytes))
        #expect(clip.frames == 120)
    }

    @Test("A clip without a fix has no positions and no seconds")
    func withoutFix() throws {
        var camera = FilmCamera(
            FilmSettings(model: .action6, serial: "C"), on: Drive.start, utcAhead: Drive.utcAhead,
            seed: 1)
        _ = camera.record(true, at: Drive.start + .seconds(1))
        let files = camera.record(false, at: Drive.start + .seconds(4))
        let clip = try ClipReader.read(MemorySource(bytes: files[0].bytes))
        #expect(clip.frames == 90)
        #expect(clip.framesWithFix == 0)
        #expect(clip.runs.isEmpty)
        #expect(clip.flips.isEmpty)
    }

    @Test("A recording in chapters goes on by the camera's clock")
    func chapters() throws {
        var settings = FilmSettings(model: .action4, serial: "D")
        settings.chapterFrames = 100
        var drive = Drive(settings)
        let files = drive.film(0...10, of: 10)
        #expect(files.count == 3)
        let clips = try files.map { try ClipReader.read(MemorySource(bytes: $0.bytes)) }
        #expect(clips.map(\.frames) == [100, 100, 100])
        #expect(abs(clips[1].firstClock - clips[0].lastClock - 33_366) <= 2)
        #expect(files.map { ClipName($0.name)?.chapter } == [1, 2, 3])
    }

    @Test("A timelapse is known by its clock")
    func timelapse() throws {
        var settings = FilmSettings(model: .action4, serial: "E")
        settings.keptFrames = 30
        var drive = Drive(settings)
        let clip = try ClipReader.read(
            MemorySource(bytes: drive.film(0...60, of: 61)[0].bytes))
        #expect(clip.isTimelapse)
        #expect(abs(clip.speedUp - 30) < 0.1)
    }

    @Test("Whatever is no clip is refused in a sentence")
    func refusals() throws {
        var drive = Drive(FilmSettings(model: .action4, serial: "F"))
        let bytes = drive.film(0...3, of: 3)[0].bytes
        func fault(_ bytes: [UInt8]) -> ClipFault? {
            do throws(ClipFault) {
                _ = try ClipReader.read(MemorySource(bytes: bytes))
                return nil
            } catch { return error }
        }
        #expect(fault([]) == .notClip)
        #expect(fault(Array("utc,mono_s,event\n2026".utf8)) == .notClip)
        #expect(fault(Array(bytes.prefix(bytes.count / 2))) == .cut)
        #expect(fault(Array(bytes.prefix(28))) == .cut)
        #expect(fault(renamed(bytes, "djmd", "djmx")) == .noTelemetry(maker: nil))
        #expect(fault(renamed(bytes, "djmd", "gpmd")) == .noTelemetry(maker: "gpmd"))
        #expect(fault(renamed(bytes, "nmhd", "nmhd")) == nil)
        #expect(fault(renamed(bytes, "mvhd", "mvex")) == .fragmented)
    }

    private func renamed(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        var bytes = bytes
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        for index in 0..<bytes.count - 4 where Array(bytes[index..<index + 4]) == old {
            bytes.replaceSubrange(index..<index + 4, with: new)
        }
        return bytes
    }

    @Test("A file that lost its end behind the index says what is left")
    func cutBehindIndex() throws {
        var settings = FilmSettings(model: .action4, serial: "G")
        settings.indexFirst = true
        var drive = Drive(settings)
        let bytes = drive.film(0...10, of: 10)[0].bytes
        let clip = try ClipReader.read(MemorySource(bytes: Array(bytes.dropLast(20_000))))
        #expect(clip.isCut)
        #expect((60..<300).contains(clip.frames))
    }
}

extension HeldPlace {
    init(_ push: GPSPush) {
        self.init(
            latitudeE7: push.latitudeE7, longitudeE7: push.longitudeE7,
            heightMillimetres: push.heightMillimetres)
    }
}
