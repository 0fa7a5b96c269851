import Clock
import Fleet
import LineProtocol
import Navigation
import Testing
import TrackFormat

@testable import TrackTools

@Suite struct TrackParserTests {
    private static let good =
        "2026-07-01 10:00:00.100Z,48.13715400,-11.57612400,-20.12,15.000,285.84,3d,12,0.90,-0.300,"
        + "567.42,1.71,2.99,1782900000.100,1234.567890,1,/dev/ttyACM0,2,OP3+A5P"
    private static let sparse =
        "2026-07-01 10:00:00.300Z,-33.85678900,-0.12345600,,,,2d,,,,,,,1782900000.300,0.000001,3,,0,"

    private func parse(_ line: String) throws(LineFault) -> TrackRecord {
        var parser = TrackParser()
        var result: Result<TrackRecord, LineFault> = .failure(.columns)
        Array(line.utf8).withUnsafeBytes { bytes in
            do throws(LineFault) {
                result = .success(try parser.record(bytes))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    @Test("A row is read as it was written") func rowReadWritten() throws {
        let record = try parse(Self.good)
        #expect(record.milliseconds == 1_782_900_000_100)
        #expect(record.latitudeE8 == 4_813_715_400)
        #expect(record.longitudeE8 == -1_157_612_400)
        #expect(record.heightCentimetres == -2012)
        #expect(record.speedMillimetresPerSecond == 15_000)
        #expect(record.headingCentidegrees == 28_584)
        #expect(record.is3D)
        #expect(record.satellites == 12)
        #expect(record.hdopHundredths == 90)
        #expect(record.monotonicMicroseconds == 1_234_567_890)
        #expect(record.sequence == 1)
        #expect(record.device == "/dev/ttyACM0")
        #expect(record.pushed == 2)
        #expect(record.recording == "OP3+A5P")
    }

    @Test("What is empty is unknown") func whatEmptyUnknown() throws {
        let record = try parse(Self.sparse)
        #expect(record.longitudeE8 == -12_345_600)
        #expect(record.heightCentimetres == nil)
        #expect(record.speedMillimetresPerSecond == nil)
        #expect(record.headingCentidegrees == nil)
        #expect(record.satellites == nil)
        #expect(!record.is3D)
        #expect(record.device.isEmpty && record.recording.isEmpty)
    }

    @Test("A row cut at any byte is no row, but for the names at its end") func rowCutAnyByteNo() {
        for length in 0..<Self.good.utf8.count - "OP3+A5P".utf8.count {
            #expect(throws: LineFault.self) { try parse(String(Self.good.prefix(length))) }
        }
    }

    @Test("A row of anything that the daemon writes is read back")
    func rowAnythingDaemonWritesRead() throws {
        var numbers = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let time = UnixTime(
                nanoseconds: Int64.random(in: 1_700_000_000...4_000_000_000, using: &numbers)
                    * 1_000_000_000 + Int64.random(in: 0..<1_000_000_000, using: &numbers))
            func maybe(_ range: ClosedRange<Double>) -> Double? {
                Bool.random(using: &numbers) ? Double.random(in: range, using: &numbers) : nil
            }
            let fix = Fix(
                mode: Bool.random(using: &numbers) ? .threeD : .twoD, time: time,
                arrival: Instant(nanoseconds: Int64.random(in: 0...(1 << 50), using: &numbers)),
                latitudeDegrees: Double.random(in: -90...90, using: &numbers),
                longitudeDegrees: Double.random(in: -180...180, using: &numbers),
                heightMetres: maybe(-400...9000), ellipsoidHeightMetres: maybe(-400...9000),
                speedMetresPerSecond: maybe(0...300), courseDegrees: maybe(0...359.999),
                climbMetresPerSecond: maybe(-100...100), horizontalAccuracyMetres: maybe(0...900),
                verticalAccuracyMetres: maybe(0...900),
                satellites: Bool.random(using: &numbers)
                    ? Int.random(in: 0...60, using: &numbers)
                    : nil, hdop: maybe(0...99), device: "udp://127.0.0.1:4001")
            let epoch = ClosedEpoch(
                fix: fix, sequence: 5, pushedCameras: 3, recording: ["a", "b"], timeTrusted: true)
            let line = String(decoding: TrackRow.line(epoch, time: time).dropLast(), as: UTF8.self)
            let record = try parse(line)
            #expect(abs(Double(record.latitudeE8) / 1e8 - fix.latitudeDegrees) < 0.6e-8)
            #expect(abs(Double(record.longitudeE8) / 1e8 - fix.longitudeDegrees) < 0.6e-8)
            #expect(abs(record.milliseconds * 1_000_000 - time.nanoseconds) <= 500_000)
        }
    }

    @Test(
        "What was not written so is a fault",
        arguments: [
            ("2026-07-01 10", "2026-07-01T10", LineFault.value(column: 0)),
            ("2026-07-01", "2026-02-30", .value(column: 0)),
            ("10:00:00.100Z,4", "10:00:60.100Z,4", .value(column: 0)),
            ("48.13715400", "98.13715400", .value(column: 1)),
            ("48.13715400", "48.1371540", .value(column: 1)),
            ("48.13715400", "", .value(column: 1)),
            ("48.13715400", "nan", .value(column: 1)),
            ("48.13715400", "\"48.13715400\"", .value(column: 1)),
            ("-11.57612400", "181.57612400", .value(column: 2)),
            ("15.000", "-15.000", .value(column: 4)),
            ("285.84", "360.00", .value(column: 5)),
            (",3d,", ",4d,", .value(column: 6)),
            (",12,", ",1e3,", .value(column: 7)),
            ("1782900000.100", "1782900000.200", .times),
            ("1782900000.100", "", .times),
            (",OP3+A5P", "", .columns),
            ("A5P", "A5P,", .columns),
        ])
    func whatNotWrittenSoFault(part: String, other: String, fault: LineFault) throws {
        let line = Self.good.replacing(part, with: other, maxReplacements: 1)
        #expect(throws: fault) { try parse(line) }
    }

    @Test("An event is read with its quotes undone") func eventReadQuotesUndone() throws {
        let notice = Notice(
            kind: .mark, name: "-", fields: [Field("text", "say \"hi\", now"), Field("n", "1")],
            instant: Instant(nanoseconds: 1_500_000_000), utc: nil)
        let bytes = EventRow.line(notice, place: nil).dropLast()
        let event = try Array(bytes).withUnsafeBytes { try EventRecord($0) }
        #expect(event["text"] == "say \"hi\", now")
        #expect(event["n"] == "1")
        #expect(event["other"] == nil)
        #expect(event.milliseconds == nil && event.latitudeE8 == nil)
        #expect(event.monotonicMicroseconds == 1_500_000)
        #expect(event.event == "mark" && event.camera.isEmpty)
    }

    @Test(
        "Instants are read as people type them",
        arguments: [
            ("2026-07-01T10:00:00.100Z", 1_782_900_000_100),
            ("2026-07-01 10:00:00.1", 1_782_900_000_100),
            ("2026-07-01T10:00Z", 1_782_900_000_000), ("2026-07-01", 1_782_864_000_000),
            ("2026-07-01T10:00:00", 1_782_900_000_000), ("2026-07-01T10", nil), ("10:00", nil),
            ("2026-7-1T10:00:00.1234", nil), ("2026-07-01T10:00.5", nil), ("now", nil), ("", nil),
            ("2026-02-30", nil), ("2026-07-01T10:00:00+02:00", nil),
        ] as [(String, Int64?)])
    func instantsReadPeopleTypeThem(text: String, milliseconds: Int64?) {
        #expect(InstantText.milliseconds(text) == milliseconds)
    }
}
