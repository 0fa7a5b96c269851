/// A piece of a track's data: for telemetry, what belongs to one frame.
struct Sample: Equatable, Sendable {
    var offset: UInt64
    var size: Int
    /// Ticks since the track's start.
    var ticks: Int64
}

/// Goes through a track's samples in their order.
struct SampleCursor {
    private let table: SampleTable
    private var times: TableWindow
    private var chunks: TableWindow
    private var offsets: TableWindow
    private var sizes: TableWindow
    /// Samples that were returned so far.
    private(set) var index = 0
    /// Bytes of those samples. They cannot be more than the file has, unless samples overlap.
    private var total: UInt64 = 0
    private var chunk = 0
    private var leftInChunk = 0
    private var samplesPerChunk = 0
    /// The next entry of `chunks`, and the chunk that it begins with.
    private var nextRun = 0
    private var nextRunChunk = 0
    private var offset: UInt64 = 0
    private var timeRun = 0
    private var leftInTimeRun: UInt64 = 0
    private var ticksPerSample: Int64 = 0
    private var ticks: Int64 = 0

    init(_ table: SampleTable) {
        self.table = table
        times = TableWindow(table.times)
        chunks = TableWindow(table.chunks)
        offsets = TableWindow(table.offsets)
        sizes = TableWindow(table.sizes)
    }

    /// nil behind the last one.
    mutating func next(in source: some ByteSource) throws(ClipFault) -> Sample? {
        guard index < table.samples else { return nil }
        if leftInChunk == 0 {
            guard chunk < table.offsets.count else { throw .damaged("stco") }
            try enterRun(in: source)
            offset = try offsets.number(chunk, bytes: table.offsets.width, in: source)
            leftInChunk = samplesPerChunk
            chunk += 1
        }
        let size =
            table.fixedSize > 0
            ? UInt64(table.fixedSize) : try sizes.number(index, in: source)
        total += size
        guard total <= source.size else { throw .damaged("stsz") }
        let sample = Sample(offset: offset, size: Int(size), ticks: ticks)
        let (next, overflow) = offset.addingReportingOverflow(size)
        guard !overflow else { throw .damaged("stco") }
        offset = next
        leftInChunk -= 1
        index += 1
        try advanceTime(in: source)
        return sample
    }

    /// Finds how many samples the present chunk has.
    private mutating func enterRun(in source: some ByteSource) throws(ClipFault) {
        guard table.chunks.count > 0 else { throw .damaged("stsc") }
        guard nextRun == 0 || nextRun < table.chunks.count && chunk == nextRunChunk else { return }
        let first = try chunks.number(nextRun, in: source)
        guard nextRun > 0 || first == 1 else { throw .damaged("stsc") }
        samplesPerChunk = Int(try chunks.number(nextRun, at: 4, in: source))
        guard samplesPerChunk > 0 else { throw .damaged("stsc") }
        nextRun += 1
        guard nextRun < table.chunks.count else { return }
        nextRunChunk = Int(try chunks.number(nextRun, in: source)) - 1
        guard nextRunChunk > chunk else { throw .damaged("stsc") }
    }

    private mutating func advanceTime(in source: some ByteSource) throws(ClipFault) {
        while leftInTimeRun == 0, timeRun < table.times.count {
            leftInTimeRun = try times.number(timeRun, in: source)
            ticksPerSample = Int64(try times.number(timeRun, at: 4, in: source))
            timeRun += 1
        }
        // Where the table is too short, its last interval goes on.
        if leftInTimeRun > 0 { leftInTimeRun -= 1 }
        ticks &+= ticksPerSample
    }
}
