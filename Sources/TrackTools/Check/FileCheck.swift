import TrackFormat

/// What `track check` found in one file.
struct CheckResult: Equatable {
    struct Finding: Equatable {
        /// From 1, the header's line included.
        var line: Int
        var fault: LineFault
    }

    /// Findings that are shown; the others are counted.
    static let maxShown = 20

    var path: String
    var kind: TrackFileKind
    var goodRows = 0
    var badRows = 0
    /// The first ones.
    var findings: [Finding] = []

    mutating func add(_ fault: LineFault, line: Int) {
        badRows += 1
        if findings.count < Self.maxShown { findings.append(Finding(line: line, fault: fault)) }
    }

    var isGood: Bool { badRows == 0 }
}

/// Judges each line of a file of ours.
struct LineJudge {
    private let kind: TrackFileKind
    private let headers: [[UInt8]]
    private var parser = TrackParser()
    private var last = Int64.min

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
            last = record.milliseconds
        case .events: _ = try EventRecord(line.bytes)
        case .pushes: _ = try PushRecord(line.bytes)
        }
    }
}

/// Goes through one file.
enum FileCheck {
    static func check(_ path: String) throws(TrackToolFault) -> CheckResult {
        var result = CheckResult(path: path, kind: try TrackInputs.kind(of: path))
        try eachLine(of: path, kind: result.kind) { (_, number, fault) throws(TrackToolFault) in
            if let fault {
                result.add(fault, line: number)
            } else {
                result.goodRows += 1
            }
        }
        return result
    }

    /// Calls `body` with each line behind the header, its number and what is wrong with it.
    static func eachLine(
        of path: String, kind: TrackFileKind,
        body: (LineReader.Line, Int, LineFault?) throws(TrackToolFault) -> Void
    ) throws(TrackToolFault) {
        let reader = try LineReader(path)
        _ = try FirstLine.kind(of: reader)
        var judge = LineJudge(kind)
        var number = 1
        while let line = try reader.next() {
            number += 1
            try body(line, number, judge.fault(of: line))
        }
    }
}
