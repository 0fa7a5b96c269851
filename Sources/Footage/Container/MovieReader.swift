import Clock

/// Reads a clip's index. Every count is checked against the size of its box.
struct MovieReader<Source: ByteSource> {
    private let source: Source
    private var buffer: [UInt8] = []

    /// Samples that are read: nine hours at 120 frames a second.
    static var maxSamples: Int { 4_000_000 }
    /// Sample entries that are read.
    static var maxEntries: Int { 8 }

    init(_ source: Source) { self.source = source }

    /// Names that MP4 and MOV files begin with.
    private static var beginnings: [BoxName] {
        ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]
    }

    mutating func read() throws(ClipFault) -> Movie {
        guard source.size >= 8 else { throw .notClip }
        var cursor = BoxCursor(0..<source.size)
        var isFirst = true
        while true {
            let box: Box?
            do throws(ClipFault) {
                box = try cursor.next(in: source)
            } catch {
                guard isFirst else { throw error }
                throw try beginsAsClip() ? error : .notClip
            }
            guard let box else { throw .cut }
            if isFirst, !Self.beginnings.contains(box.name) { throw .notClip }
            isFirst = false
            if box.name == "moof" { throw .fragmented }
            if box.name == "moov" { return try movie(box) }
        }
    }

    private mutating func beginsAsClip() throws(ClipFault) -> Bool {
        try source.read(8, at: 0, into: &buffer)
        let name = BoxName(code: UInt32(buffer.bigEndian(at: 4, bytes: 4)))
        return Self.beginnings.contains(name)
    }

    private mutating func movie(_ box: Box) throws(ClipFault) -> Movie {
        var movie = Movie()
        var cursor = BoxCursor(box.body)
        while let child = try next(&cursor, in: "moov") {
            switch child.name {
            case "mvhd":
                let header = try mediaHeader(child)
                movie.creation = header.creation
                if header.timescale > 0 {
                    movie.durationSeconds = Double(header.duration) / Double(header.timescale)
                }
            case "mvex": throw .fragmented
            case "trak" where movie.tracks.count < Movie.maxTracks:
                movie.tracks.append(try track(child))
            default: break
            }
        }
        return movie
    }

    /// A box that is too long within the index means damage, not a file that was cut.
    private func next(
        _ cursor: inout BoxCursor, in parent: String
    ) throws(ClipFault) -> Box? {
        do throws(ClipFault) {
            return try cursor.next(in: source)
        } catch {
            throw error == .cut ? .damaged(parent) : error
        }
    }

    private func child(_ name: BoxName, of box: Box) throws(ClipFault) -> Box? {
        var cursor = BoxCursor(box.body)
        while let child = try next(&cursor, in: box.name.text) {
            if child.name == name { return child }
        }
        return nil
    }

    private mutating func track(_ box: Box) throws(ClipFault) -> MediaTrack {
        var track = MediaTrack()
        guard let media = try child("mdia", of: box) else { return track }
        var cursor = BoxCursor(media.body)
        while let part = try next(&cursor, in: "mdia") {
            switch part.name {
            case "mdhd":
                let header = try mediaHeader(part)
                track.timescale = header.timescale
                track.duration = header.duration
            case "hdlr":
                let bytes = try bytes(of: part, count: 12)
                track.handler = BoxName(code: UInt32(bytes.bigEndian(at: 8, bytes: 4)))
            case "minf":
                if let table = try child("stbl", of: part) { try sampleTable(table, into: &track) }
            default: break
            }
        }
        return track
    }

    /// `mvhd` and `mdhd` begin alike.
    private mutating func mediaHeader(
        _ box: Box
    ) throws(ClipFault) -> (creation: UnixTime?, timescale: UInt32, duration: UInt64) {
        let isLong = try bytes(of: box, count: 4)[0] == 1
        let bytes = try bytes(of: box, count: isLong ? 32 : 20)
        let created = bytes.bigEndian(at: 4, bytes: isLong ? 8 : 4)
        let timescale = UInt32(bytes.bigEndian(at: isLong ? 20 : 12, bytes: 4))
        let duration = bytes.bigEndian(at: isLong ? 24 : 16, bytes: isLong ? 8 : 4)
        return (Self.time(sinceMacintosh: created), timescale, duration)
    }

    /// Seconds since 1904; nil outside the years that a camera can mean.
    private static func time(sinceMacintosh seconds: UInt64) -> UnixTime? {
        guard seconds < 1 << 40 else { return nil }
        let time = UnixTime(nanoseconds: (Int64(seconds) - 2_082_844_800) * 1_000_000_000)
        return CivilTime(time) == nil ? nil : time
    }

    private mutating func sampleTable(_ box: Box, into track: inout MediaTrack) throws(ClipFault) {
        var cursor = BoxCursor(box.body)
        while let part = try next(&cursor, in: "stbl") {
            switch part.name {
            case "stsd": track.entries = try sampleEntries(part)
            case "stts": track.table.times = try entries(of: part, width: 8)
            case "stsc": track.table.chunks = try entries(of: part, width: 12)
            case "stco": track.table.offsets = try entries(of: part, width: 4)
            case "co64": track.table.offsets = try entries(of: part, width: 8)
            case "stsz":
                let bytes = try bytes(of: part, count: 12)
                track.table.fixedSize = UInt32(bytes.bigEndian(at: 4, bytes: 4))
                let count = bytes.bigEndian(at: 8, bytes: 4)
                if track.table.fixedSize == 0 {
                    guard count <= (part.size - 12) / 4 else { throw .damaged("stsz") }
                    track.table.sizes = SampleTable.Entries(
                        start: part.body.lowerBound + 12, count: Int(count), width: 4)
                }
                track.table.samples = min(Int(count), Self.maxSamples)
            default: break
            }
        }
    }

    private mutating func sampleEntries(_ box: Box) throws(ClipFault) -> [BoxName] {
        guard box.size >= 8 else { return [] }
        var cursor = BoxCursor(box.body.lowerBound + 8..<box.body.upperBound)
        var names: [BoxName] = []
        while names.count < Self.maxEntries, let entry = try next(&cursor, in: "stsd") {
            names.append(entry.name)
        }
        return names
    }

    private mutating func entries(
        of box: Box, width: Int
    ) throws(ClipFault) -> SampleTable.Entries {
        let count = try bytes(of: box, count: 8).bigEndian(at: 4, bytes: 4)
        guard count <= (box.size - 8) / UInt64(width) else { throw .damaged(box.name.text) }
        return SampleTable.Entries(
            start: box.body.lowerBound + 8, count: Int(count), width: width)
    }

    /// The first bytes of a box.
    private mutating func bytes(of box: Box, count: Int) throws(ClipFault) -> [UInt8] {
        guard box.size >= UInt64(count) else { throw .damaged(box.name.text) }
        try source.read(count, at: box.body.lowerBound, into: &buffer)
        return buffer
    }
}
