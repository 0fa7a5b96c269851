import TrackFormat

/// What `track check` found in one file.
struct CheckResult {
    struct Finding: Equatable {
        /// Counted from 1, with the header's line.
        var line: Int
        var fault: LineFault
    }

    /// Findings that are listed; further ones are only counted.
    static let maxShown = 20

    var path: String
    var kind: TrackFileKind
    var goodRows = 0
    var badRows = 0
    /// The first findings, at most `maxShown`.
    var findings: [Finding] = []
    /// How a track's rows follow each other, and where they do not.
    var intervals = IntervalCounts()

    mutating func add(_ fault: LineFault, line: Int) {
        badRows += 1
        if findings.count < Self.maxShown { findings.append(Finding(line: line, fault: fault)) }
    }

    var isGood: Bool { badRows == 0 }
}

/// Judges each line of a file of geotagd's.
struct LineJudge {
    private let kind: TrackFileKind
    private let headers: [[UInt8]]
    private var parser = TrackParser()
    private var last = Int64.min
    /// The intervals between the good rows of a track.
    private(set) var intervals = IntervalCounts()

    init(_ kind: TrackFileKind) {
        self.kind = kind
        headers = kind.headers.map { Array($0.utf8.dropLast()) }
    }

    /// nil for a good line.
    mutating func fault(of line: LineReader.Line) -> LineFault? {
        do throws(LineFault) {
            try judge(line)
            return nil
        } catch {
            return error
        }
    }

    /// nil for a good row.
    ///
    /// - Parameter row: without its LF.
    mutating func fault(ofRow row: [UInt8]) -> LineFault? {
        row.withUnsafeBytes { bytes in
            fault(of: LineReader.Line(bytes: bytes, offset: 0, isWhole: true, fits: true))
        }
    }

    private mutating func judge(_ line: LineReader.Line) throws(LineFault) {
        guard line.fits else { throw .tooLong }
        guard !line.bytes.contains(0) else { throw .zeros }
        guard line.isWhole else { throw .cut }
        guard line.bytes.last != 0x0D else { throw .carriageReturn }
        guard !headers.contains(where: line.bytes.elementsEqual) else { throw .header }
        switch kind {
        case .track:
            let record = try parser.record(line.bytes)
            guard record.milliseconds > last else { throw .order }
            if last != .min {
                intervals.add(.init(begin: last, milliseconds: record.milliseconds - last))
            }
            last = record.milliseconds
        case .events: _ = try EventRecord(line.bytes)
        case .pushes: _ = try PushRecord(line.bytes)
        }
    }
}

/// Goes through one file.
enum FileCheck {
    static func check(_ path: String) throws(TrackToolFault) -> CheckResult {
        let reader = try LineReader(path)
        var result = CheckResult(path: path, kind: try FirstLine.kind(of: reader))
        var judge = LineJudge(result.kind)
        var number = 1
        while let line = try reader.next() {
            number += 1
            if let fault = judge.fault(of: line) {
                result.add(fault, line: number)
            } else {
                result.goodRows += 1
            }
        }
        result.intervals = judge.intervals
        return result
    }
}
