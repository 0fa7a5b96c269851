import TrackFormat

/// Reads the good rows of one track, in order.
final class TrackFileReader {
    private let reader: LineReader
    var path: String { reader.path }
    private var parser = TrackParser()
    private var last = Int64.min
    /// How many lines were passed over.
    private(set) var damaged = 0

    /// - Throws: where the file is no track.
    init(_ path: String) throws(TrackToolFault) {
        reader = try LineReader(path)
        guard try FirstLine.kind(of: reader) == .track else {
            throw .notOurs(path, .other)
        }
    }

    /// nil at the end. A row that is cut or damaged, or not later than the one before, is passed
    /// over: it may say that the rig was anywhere.
    func next() throws(TrackToolFault) -> TrackRecord? {
        while let line = try reader.next() {
            if line.isWhole, line.fits, let record = try? parser.record(line.bytes),
                record.milliseconds > last
            {
                last = record.milliseconds
                return record
            }
            damaged += 1
        }
        return nil
    }
}

/// A file with lines that were passed over.
struct DamagedFile: Equatable {
    var path: String
    var lines: Int
}

/// Reads the rows of several tracks, one after another, within a span of time.
final class TrackStream {
    private var paths: ArraySlice<String>
    private let span: ClosedRange<Int64>
    private var file: TrackFileReader?
    /// The number of the file, from 1, that the last row came from.
    private(set) var fileNumber = 0
    /// Files in which lines were passed over.
    private(set) var damaged: [DamagedFile] = []

    /// - Parameter span: milliseconds since 1970, both ends included.
    init(_ paths: [String], span: ClosedRange<Int64> = Int64.min...Int64.max) {
        self.paths = paths[...]
        self.span = span
    }

    /// nil at the end.
    func next() throws(TrackToolFault) -> TrackRecord? {
        while true {
            if let file {
                while let record = try file.next() {
                    if span.contains(record.milliseconds) { return record }
                }
                if file.damaged > 0 {
                    damaged.append(DamagedFile(path: file.path, lines: file.damaged))
                }
            }
            guard let path = paths.popFirst() else {
                file = nil
                return nil
            }
            file = try TrackFileReader(path)
            fileNumber += 1
        }
    }
}

/// Reads the good rows of events files, in the order of the files.
enum EventReader {
    /// Calls `body` with each row; cut and damaged ones are passed over.
    ///
    /// - Returns: the files with such rows.
    static func read(
        _ paths: [String], body: (EventRecord) -> Void
    ) throws(TrackToolFault) -> [DamagedFile] {
        var files: [DamagedFile] = []
        for path in paths {
            let reader = try LineReader(path)
            guard try FirstLine.kind(of: reader) == .events else {
                throw .notOurs(path, .other)
            }
            var damaged = 0
            while let line = try reader.next() {
                if line.isWhole, line.fits, let event = try? EventRecord(line.bytes) {
                    body(event)
                } else {
                    damaged += 1
                }
            }
            if damaged > 0 { files.append(DamagedFile(path: path, lines: damaged)) }
        }
        return files
    }
}
