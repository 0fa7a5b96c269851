import Glibc

/// What came of writing.
struct ExportOutcome {
    var written = 0
    /// Files that were there and stay as they were.
    var kept = 0
    /// What could not be written, a sentence each.
    var notes: [String] = []
    var damaged: [DamagedFile] = []
}

/// Writes the way of each clip, out of one walk through the track for every few clips.
final class ExportRun {
    /// Clips that one walk through the track serves: bounds open files and memory.
    static let maxAtOnce = 32

    /// A clip whose rows are coming.
    private struct Open {
        var sampler: ClipSampler
        var outputs: [(format: any ClipFormat, output: TextOutput)]
        var places = 0
    }

    private let clips: [PlacedClip]
    private let inputs: TrackInputs
    private let marks: [Mark]
    private let options: ExportOptions
    private(set) var outcome = ExportOutcome()

    /// - Parameter clips: as `named` gives them.
    init(
        _ clips: [PlacedClip], from inputs: TrackInputs, marks: [Mark], _ options: ExportOptions
    ) {
        self.clips = clips
        self.inputs = inputs
        self.marks = marks
        self.options = options
    }

    /// - Parameter progress: is called with the number of clips that are done.
    func run(progress: (Int) -> Void = { _ in }) throws(TrackToolFault) -> ExportOutcome {
        for folder in options.folders.values.sorted() { try Self.make(folder) }
        try writeChapters()
        var rest = clips[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.maxAtOnce)
            rest = rest.dropFirst(batch.count)
            try walk(Array(batch))
            progress(clips.count - rest.count)
        }
        if let path = options.timeline, isFree(path) {
            let output = try TextOutput(path)
            try output.write(Timeline(clips, marks: marks).text + "\n")
            try output.finish()
            outcome.written += 1
        }
        return outcome
    }

    /// Makes a folder where there is none.
    static func make(_ folder: String) throws(TrackToolFault) {
        if mkdir(folder, 0o755) != 0, errno != EEXIST { throw .write(folder, errno) }
    }

    /// Counts a file that is to be kept.
    private func isFree(_ path: String) -> Bool {
        if options.isForced || access(path, F_OK) != 0 { return true }
        outcome.kept += 1
        return false
    }

    private func writeChapters() throws(TrackToolFault) {
        guard let folder = options.chapters else { return }
        try Self.make(folder)
        for clip in clips {
            let path = "\(folder)/\(clip.base).ffmetadata"
            guard let text = ChapterList.text(clip, marks), isFree(path) else { continue }
            let output = try TextOutput(path)
            try output.write(text)
            try output.finish()
            outcome.written += 1
        }
    }

    private func walk(_ clips: [PlacedClip]) throws(TrackToolFault) {
        let wanted = clips.map { clip in
            (
                clip: clip,
                kinds: ClipFormatKind.allCases.filter {
                    options.path(clip, $0).map(isFree) ?? false
                }
            )
        }.filter { !$0.kinds.isEmpty }
        guard let first = wanted.map(\.clip.span.lowerBound).min(),
            let last = wanted.map(\.clip.span.upperBound).max()
        else { return }
        var waiting = wanted[...]
        var open: [Open] = []
        // A clip's ends lie between rows.
        let stream = OrderedTracks(
            inputs, span: (first - RowBridge.maxPause)...(last + RowBridge.maxPause))
        var before: TrackRecord?
        while let record = try stream.next() {
            while let next = waiting.first, next.clip.span.lowerBound <= record.milliseconds {
                open.append(try begin(next.clip, next.kinds))
                waiting.removeFirst()
            }
            for index in open.indices { try advance(&open[index], from: before, to: record) }
            while let index = open.firstIndex(where: { $0.sampler.isOver }) {
                try finish(&open[index])
                open.remove(at: index)
            }
            before = record
        }
        for index in open.indices { try finish(&open[index]) }
        for (clip, _) in waiting { noteEmpty(clip) }
        outcome.damaged = stream.damaged
    }

    private func begin(
        _ clip: PlacedClip, _ kinds: [ClipFormatKind]
    ) throws(TrackToolFault) -> Open {
        var open = Open(sampler: ClipSampler(clip, options.rate), outputs: [])
        let marks = marks.filter { clip.span.contains($0.milliseconds) }.compactMap(\.waypoint)
        for kind in kinds {
            guard let path = options.path(clip, kind) else { continue }
            var format = kind.writer
            let output = try TextOutput(path, block: 1 << 15)
            try format.begin(open.sampler, marks: marks, to: output)
            open.outputs.append((format, output))
        }
        return open
    }

    private func advance(
        _ open: inout Open, from before: TrackRecord?, to record: TrackRecord
    ) throws(TrackToolFault) {
        var outputs = open.outputs
        open.outputs = []
        var places = open.places
        try open.sampler.advance(from: before, to: record) { sample throws(TrackToolFault) in
            if sample.record != nil { places += 1 }
            for index in outputs.indices {
                try outputs[index].format.append(sample, to: outputs[index].output)
            }
        }
        open.outputs = outputs
        open.places = places
    }

    private func finish(_ open: inout Open) throws(TrackToolFault) {
        guard open.places > 0 else { return noteEmpty(open.sampler.clip) }
        var outputs = open.outputs
        open.outputs = []
        try open.sampler.finish { sample throws(TrackToolFault) in
            for index in outputs.indices {
                try outputs[index].format.append(sample, to: outputs[index].output)
            }
        }
        for index in outputs.indices {
            try outputs[index].format.end(to: outputs[index].output)
            try outputs[index].output.finish()
            outcome.written += 1
        }
    }

    private func noteEmpty(_ clip: PlacedClip) {
        outcome.notes.append(
            "\(clip.path): the track has no position of while it was filmed: nothing is written")
    }
}
