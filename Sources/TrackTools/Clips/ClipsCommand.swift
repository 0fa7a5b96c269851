import Glibc
import TrackFormat

/// `track clips`: writes a row for each recording, and a GPX file for each where a folder is given.
struct ClipsCommand {
    let inputs: TrackInputs
    /// The camera whose clips are wanted; nil for all.
    let camera: String?
    /// The folder for the GPX files; nil for none.
    let folder: String?
    let span: ClosedRange<Int64>
    /// Whether each row has its instants in local time as well.
    var isLocal = false

    /// Recordings that may be open at once. A rig has 99 cameras at most, but the ends of some
    /// recordings may be unseen.
    static let maxOpen = 256

    /// A clip whose rows are being read.
    private struct Open {
        var track: ClipTrack
        var gpx: (format: GPXFormat, output: TextOutput)?
        var segmenter = Segmenter()
    }

    /// - Returns: the files with damaged lines.
    func run(to output: TextOutput) throws(TrackToolFault) -> [DamagedFile] {
        var damaged: [DamagedFile] = []
        var waiting = try clips(&damaged)[...]
        if let folder, mkdir(folder, 0o750) != 0, errno != EEXIST { throw .write(folder, errno) }
        try output.write(ClipTrack.header(isLocal: isLocal))
        let stream = TrackStream(inputs.tracks)
        var open: [Open] = []
        var before: TrackRecord?
        var names = UsedNames()
        while let record = try stream.next() {
            while let next = waiting.first, next.start <= record.milliseconds {
                guard open.count < Self.maxOpen else { throw .tooManyClips(Self.maxOpen) }
                open.append(try begin(next, &names))
                waiting.removeFirst()
            }
            for index in open.indices { try append(record, before: before, to: &open[index]) }
            while let index = open.firstIndex(where: { $0.track.isOver(at: record.milliseconds) }) {
                try finish(open.remove(at: index), to: output)
            }
            before = record
        }
        for clip in open { try finish(clip, to: output) }
        for clip in waiting { try finish(begin(clip, &names), to: output) }
        try output.finish()
        return damaged + stream.damaged
    }

    /// The clips in the order of their starts.
    private func clips(_ damaged: inout [DamagedFile]) throws(TrackToolFault) -> [Clip] {
        var finder = RecordingFinder()
        damaged += try EventReader.read(inputs.events) { finder.add($0) }
        let stream = TrackStream(inputs.tracks)
        while let record = try stream.next() { finder.add(record) }
        let clips = finder.finish()
        guard let camera else { return clips.within(span) }
        let known = Set(clips.map(\.camera))
        guard known.contains(camera) else {
            throw .unknownCamera(camera, known: known.sorted())
        }
        return clips.filter { $0.camera == camera }.within(span)
    }

    /// - Parameter names: of the files so far. A damaged file, or one of two rigs, may tell two
    ///   recordings of one camera that start at the same instant.
    private func begin(
        _ clip: Clip, _ names: inout UsedNames
    ) throws(TrackToolFault) -> Open {
        var open = Open(track: ClipTrack(clip))
        guard let folder else { return open }
        var stamp = RowText()
        stamp.append(utc: clip.start)
        let compact = stamp.string.filter { $0 != "-" && $0 != ":" && $0 != "." }
        let name = names.unused(clip.camera.filter { $0 != "/" } + "-" + compact)
        let output = try TextOutput("\(folder)/\(name).gpx")
        var format = GPXFormat()
        try format.begin(name: "\(clip.camera) \(stamp.string)", waypoints: [], to: output)
        open.gpx = (format, output)
        return open
    }

    private func append(
        _ record: TrackRecord, before: TrackRecord?, to open: inout Open
    ) throws(TrackToolFault) {
        for point in open.track.add(record, before: before) {
            let starts = open.segmenter.startsSegment(point)
            if let output = open.gpx?.output {
                try open.gpx?.format.append(point, startsSegment: starts, to: output)
            }
        }
    }

    private func finish(_ clip: Open, to output: TextOutput) throws(TrackToolFault) {
        try output.write(clip.track.row(isLocal: isLocal))
        guard var gpx = clip.gpx else { return }
        try gpx.format.end(to: gpx.output)
        try gpx.output.finish()
    }
}
