import Clock
import Foundation
import LineProtocol
import Testing
import TrackFormat

@testable import TrackTools

@Suite struct ClipTests {
    private static func event(
        _ tenths: Int, _ camera: String, _ state: String, _ more: [Field] = []
    ) -> (Int, Notice.Kind, String, [Field]) {
        (tenths, .record, camera, [Field("state", state)] + more)
    }

    /// The clips that events show; times in seconds since the start.
    ///
    /// - Parameter rows: the track's rows by tenths of a second, with the cameras that recorded.
    private func clips(
        _ events: [(Int, Notice.Kind, String, [Field])], rows: [Int: [String]]? = nil
    ) throws -> [String] {
        let fixture = try TrackFixture()
        var finder = RecordingFinder()
        _ = try EventReader.read([try fixture.events(events)]) { finder.add($0) }
        if let rows {
            let stream = TrackStream([try fixture.track(rows.keys.sorted()) { rows[$0] ?? [] }])
            while let record = try stream.next() { finder.add(record) }
        }
        return finder.finish().map { clip in
            let start = Double(clip.start - TrackFixture.start) / 1000
            let stop = Double(clip.stop - TrackFixture.start) / 1000
            return "\(clip.camera) \(start) \(clip.startBasis) \(stop) \(clip.stopBasis)"
        }
    }

    @Test("A command's own instants are nearer than the status after it")
    func commandSOwnInstantsNearer() throws {
        let start = [Field("action", "start")]
        let stop = [Field("action", "stop")]
        #expect(
            try clips([
                Self.event(10, "front", "sent", start),
                Self.event(11, "front", "acknowledged", start),
                Self.event(15, "front", "started", [Field("record_s", "0")]),
                Self.event(100, "front", "sent", stop),
                Self.event(105, "front", "stopped", [Field("cause", "command")]),
            ]) == ["front 1.1 acknowledged 10.0 sent"])
    }

    @Test("A shutter pressed by hand is known by the status") func shutterPressedHandKnownStatus()
        throws
    {
        #expect(
            try clips([
                Self.event(15, "front", "started", [Field("record_s", "0")]),
                Self.event(100, "front", "stopped", [Field("cause", "camera")]),
                // A command of long ago does not explain the status.
                Self.event(110, "front", "sent", [Field("action", "start")]),
                Self.event(165, "front", "started", [Field("record_s", "0")]),
                Self.event(200, "front", "stopped"),
            ]) == ["front 1.5 status 10.0 status", "front 16.5 status 20.0 status"])
    }

    @Test("A recording found running is counted back, once") func recordingFoundRunningCountedBack()
        throws
    {
        let seen = [Field("record_s", "20"), Field("seen", "connect")]
        #expect(
            try clips([
                Self.event(300, "front", "started", seen),
                Self.event(
                    400, "front", "started", [Field("record_s", "30"), Field("seen", "connect")]),
                Self.event(500, "front", "stopped"),
            ]) == ["front 10.0 counted 50.0 status"])
    }

    @Test("What nobody saw end goes to the last that was heard") func whatNobodySawEndGoes() throws
    {
        #expect(
            try clips([
                Self.event(10, "front", "started"), Self.event(20, "rear", "started"),
                Self.event(50, "rear", "stopped", [Field("cause", "unseen")]),
                Self.event(90, "front", "started", [Field("record_s", "0")]),
                (120, .gps, "-", [Field("state", "nofix")]),
            ]) == [
                "front 1.0 status 9.0 unseen", "rear 2.0 status 5.0 unseen",
                "front 9.0 status 12.0 unseen",
            ])
    }

    /// Rows at these tenths of a second, all of which name these cameras.
    private static func rows(_ numbers: some Sequence<Int>, _ names: [String]) -> [Int: [String]] {
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, names) })
    }

    private static let newRun = (
        800_000, Notice.Kind.track, "-", [Field("state", "open"), Field("reason", "start")]
    )

    @Test("A power cut ends a recording with the last row that names the camera")
    func powerCutEndsWithLastRow() throws {
        let started = Self.event(10, "front", "started", [Field("record_s", "0")])
        let rows = Self.rows(11..<300, ["front"])
        #expect(try clips([started], rows: rows) == ["front 1.0 status 29.9 unseen"])
        // 22 hours later there is another run, and perhaps another recording.
        let later = Self.rows(800_000..<800_050, [])
        let again = Self.event(800_050, "front", "started", [Field("record_s", "0")])
        let end = Self.event(800_100, "front", "stopped", [Field("record_s", "5")])
        let unseen = Self.event(
            800_001, "front", "stopped", [Field("cause", "unseen"), Field("record_s", "28")])
        let both = rows.merging(later) { $1 }
        for events in [[started, Self.newRun], [started, Self.newRun, unseen]] {
            #expect(try clips(events, rows: both) == ["front 1.0 status 29.9 unseen"])
        }
        #expect(
            try clips([started, Self.newRun, again, end], rows: both) == [
                "front 1.0 status 29.9 unseen", "front 80005.0 status 80010.0 status",
            ])
        // Without rows only the last event of the run is known.
        let battery = (200, Notice.Kind.battery, "front", [Field("percent", "20")])
        #expect(
            try clips([started, battery, Self.newRun]) == ["front 1.0 status 20.0 unseen"])
    }

    @Test(
        "A recording whose start is in other files begins where the camera's count says",
        arguments: [
            ("20", "10.0 counted"), ("0", "5.0 track"), ("9223372036854775807", "5.0 track"),
            ("99999999999999999999", "5.0 track"), ("2678401", "5.0 track"), ("x", "5.0 track"),
        ])
    func stoppedWithoutStart(recorded: String, start: String) throws {
        let stopped = Self.event(300, "front", "stopped", [Field("record_s", recorded)])
        let rows = Self.rows(50..<300, ["front"]).merging(Self.rows(300..<310, [])) { $1 }
        #expect(try clips([stopped], rows: rows) == ["front \(start) 30.0 status"])
    }

    @Test("A recording that events do not know is known by its rows")
    func recordingOfRowsAlone() throws {
        let events = [Self.event(10, "front", "started"), Self.event(60, "front", "stopped")]
        let rows = Self.rows(10..<60, ["front"]).merging(Self.rows(60..<200, [])) { $1 }
            .merging(Self.rows(200..<250, ["front"])) { $1 }
        #expect(
            try clips(events, rows: rows) == [
                "front 1.0 status 6.0 status", "front 20.0 track 24.9 unseen",
            ])
    }

    @Test("clips and info agree") func clipsAndInfoAgree() throws {
        for span in [[], ["--to", "2026-07-01T10:00:10Z"]] { try agree(span) }
    }

    private func agree(_ span: [String]) throws {
        let fixture = try TrackFixture()
        try fixture.track(0..<400) { (20..<350).contains($0) ? ["front"] : [] }
        try fixture.events([Self.event(18, "front", "started")])
        let words = try Arguments(["x"] + span, options: ["--to"]).span()
        let inputs = try TrackInputs([fixture.path])
        let output = try TextOutput(fixture.path + "/clips.csv")
        _ = try ClipsCommand(inputs: inputs, camera: nil, folder: nil, span: words).run(to: output)
        let rows = fixture.text(fixture.path + "/clips.csv").split(separator: "\n")
        #expect(rows.count == 2 && rows[1].contains(",33.100,"))
        let info = try fixture.output(["info", fixture.path] + span)
        #expect(info.contains("camera    front, recordings 1, in all 33.1 s\n"))
    }

    @Test("An unknown camera is an error that lists the known")
    func unknownCameraListsKnown() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<10) { _ in ["rear", "front"] }
        let inputs = try TrackInputs([track])
        let command = ClipsCommand(
            inputs: inputs, camera: "fornt", folder: nil, span: Int64.min...Int64.max)
        let fault = TrackToolFault.unknownCamera("fornt", known: ["front", "rear"])
        #expect(throws: fault) { try command.run(to: TextOutput(nil)) }
        #expect(fault.message.hasSuffix("cameras that did: front, rear"))
        #expect(TrackCommand.run(["clips", track, "--camera", "fornt"]) == 64)
    }

    @Test("Events before time was trusted are dated by the clock they share")
    func eventsBeforeTimeTrustedDated() throws {
        var clock = EventClock()
        func event(_ utc: Int64?, _ monotonic: Int64) throws -> EventRecord {
            let notice = Notice(
                kind: .gps, name: "-", fields: [], instant: Instant(nanoseconds: monotonic * 1000),
                utc: utc.map { UnixTime(nanoseconds: $0 * 1_000_000) })
            return try EventRow.line(notice, place: nil).dropLast().withUnsafeBytes {
                try EventRecord($0)
            }
        }
        let before = try event(nil, 5_000_000)
        #expect(clock.milliseconds(of: before) == nil)
        let known = try event(TrackFixture.start, 6_000_000)
        #expect(clock.milliseconds(of: known) == TrackFixture.start)
        #expect(clock.milliseconds(of: before) == TrackFixture.start - 1000)
    }

    @Test("Clips are rows and files, cut between rows") func clipsRowsFilesCutBetween() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<200)
        try fixture.events([
            Self.event(10, "front", "started"), Self.event(60, "front", "stopped"),
            Self.event(20, "rear", "started"), Self.event(80, "rear", "stopped"),
        ])
        // Between two rows: 1.05 s and 6.02 s.
        var finder = RecordingFinder()
        _ = try EventReader.read([fixture.path + "/events-20260701T100000Z.csv"]) {
            finder.add($0)
        }
        var clip = finder.finish()[0]
        clip.start += 50
        clip.stop += 20
        var clipped = ClipTrack(clip)
        let stream = TrackStream([track])
        var before: TrackRecord?
        var points: [TrackRecord] = []
        while let record = try stream.next() {
            points += clipped.add(record, before: before)
            before = record
        }
        #expect(points.first?.milliseconds == TrackFixture.start + 1050)
        #expect(points.last?.milliseconds == TrackFixture.start + 6020)
        #expect(points.count == 52)
        #expect(clipped.rows == 50)
        #expect(abs(clipped.metres - 49.7) < 0.01)
        let expected = Int64((10.5 * TrackFixture.metre * 1e8).rounded())
        #expect(abs(try #require(points.first).longitudeE8 - expected) <= 1)

        let output = try TextOutput(fixture.path + "/clips.csv")
        let command = ClipsCommand(
            inputs: try TrackInputs([track]), camera: "rear", folder: fixture.path + "/gpx",
            span: Int64.min...Int64.max)
        _ = try command.run(to: output)
        let rows = fixture.text(fixture.path + "/clips.csv").split(separator: "\n")
        #expect(rows.count == 2)
        #expect(
            rows[1] == "rear,2026-07-01T10:00:02.000Z,2026-07-01T10:00:08.000Z,6.000,0.00000000,"
                + "0.00017966,0.00000000,0.00071865,60.0,10.000,61,status,status")
        let gpx = XMLReader(fixture.text(fixture.path + "/gpx/rear-20260701T100002000Z.gpx"))
        #expect(gpx.isWellFormed && gpx.elements["trkpt"] == 61)
    }

    @Test("Two recordings of one name and instant get a file each")
    func twoRecordingsOneNameFileEach() throws {
        let fixture = try TrackFixture()
        _ = try fixture.track(0..<100) { _ in [] }
        // A damaged events file told this: a slash cannot be a part of a file's name.
        _ = try fixture.events(
            ["front", "fr/ont"].flatMap { name in
                [
                    (20, .record, name, [Field("state", "started"), Field("record_s", "0")]),
                    (80, .record, name, [Field("state", "stopped")]),
                ] as [(Int, Notice.Kind, String, [Field])]
            })
        let folder = fixture.path + "/gpx"
        let command = ClipsCommand(
            inputs: try TrackInputs([fixture.path]), camera: nil, folder: folder,
            span: Int64.min...Int64.max)
        _ = try command.run(to: try TextOutput(fixture.path + "/clips.csv"))
        for name in ["front-20260701T100002000Z.gpx", "front-20260701T100002000Z-2.gpx"] {
            #expect(XMLReader(fixture.text(folder + "/" + name)).isWellFormed, "\(name)")
        }
    }

    @Test("Without events the track itself says who recorded") func withoutEventsTrackItselfSays()
        throws
    {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<100) { number in
            (20..<50).contains(number) ? ["front", "rear"] : number >= 70 ? ["front"] : []
        }
        let output = try TextOutput(fixture.path + "/clips.csv")
        let command = ClipsCommand(
            inputs: try TrackInputs([track]), camera: nil, folder: nil, span: Int64.min...Int64.max)
        _ = try command.run(to: output)
        let rows = fixture.text(fixture.path + "/clips.csv").split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(
            rows.dropFirst().map { "\($0[0]) \($0[3]) \($0[11]) \($0[12])" } == [
                "front 2.900 track track", "rear 2.900 track track", "front 2.900 track unseen",
            ])
    }

    @Test("A clip that the track does not reach has no place") func clipTrackDoesNotReach() throws {
        let fixture = try TrackFixture()
        let track = try fixture.track(0..<10)
        try fixture.events([
            Self.event(500, "front", "started"), Self.event(600, "front", "stopped"),
        ])
        let output = try TextOutput(fixture.path + "/clips.csv")
        let command = ClipsCommand(
            inputs: try TrackInputs([track]), camera: nil, folder: nil, span: Int64.min...Int64.max)
        _ = try command.run(to: output)
        #expect(
            fixture.text(fixture.path + "/clips.csv").hasSuffix(
                "front,2026-07-01T10:00:50.000Z,2026-07-01T10:01:00.000Z,10.000,,,,,,,0,"
                    + "status,status\n"))
    }

    @Test("Ends across the date line lie beside it") func endsAcrossDateLineLie() throws {
        let fixture = try TrackFixture()
        var first = try #require(try TrackStream([try fixture.track(0...0)]).next())
        var second = first
        first.longitudeE8 = 17_999_999_000
        second.longitudeE8 = -17_999_999_000
        second.milliseconds += 100
        let middle = first.interpolated(to: second, milliseconds: first.milliseconds + 75)
        #expect(middle.longitudeE8 == -17_999_999_500)
        #expect(abs(first.distance(to: second) - 2.226) < 0.01)
    }
}
