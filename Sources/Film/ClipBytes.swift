/// A clip as a file: an index, the telemetry, and a few bytes for each picture.
///
/// Pictures come in chunks of as many frames as telemetry does, one after the other, as a camera
/// writes them.
struct ClipBytes {
    var settings: FilmSettings
    /// When the clip was made, by the camera's calendar, seconds since 1904.
    var created: UInt32
    /// Frames since the local midnight of the camera's calendar.
    var timecode: UInt32
    /// Telemetry, a sample a frame.
    var samples: [[UInt8]]

    /// Frames in a chunk.
    private static let chunkFrames = 12
    private static let pictureBytes = 16

    private struct Track {
        var handler: String
        var name: String
        var entry: [UInt8]
        var sizes: [UInt32]
        var offsets: [UInt64]
        var samplesPerChunk: Int
        var timescale: UInt32
        var duration: UInt32
        var lastsWhole = false
    }

    /// The whole file.
    var encoded: [UInt8] {
        var beginning = BoxBytes()
        beginning.box("ftyp") { box in
            box.append("isom")
            box.number(0x200)
            box.append("isomiso2mp41")
        }
        let data = media
        var index = moov(dataAt: 0, data.chunks)
        let header: UInt64 = settings.longOffsets ? 16 : 8
        let start =
            UInt64(beginning.bytes.count) + header
            + (settings.indexFirst ? UInt64(index.count) : 0)
        index = moov(dataAt: start, data.chunks)
        var box = BoxBytes()
        if settings.longOffsets {
            box.number(1)
            box.append("mdat")
            box.long(UInt64(data.bytes.count) + header)
        } else {
            box.number(UInt32(data.bytes.count) + UInt32(header))
            box.append("mdat")
        }
        var file = beginning.bytes
        if settings.indexFirst { file += index }
        file += box.bytes
        file += data.bytes
        if !settings.indexFirst { file += index }
        if settings.shape == .osv { file += camera(file) }
        return file
    }

    /// Where the chunks of each track begin in the data.
    private typealias Chunks = (
        pictures: [UInt64], telemetry: [UInt64], otherLens: [UInt64], timecode: UInt64
    )

    private var media: (bytes: [UInt8], chunks: Chunks) {
        var bytes: [UInt8] = []
        var chunks: Chunks = ([], [], [], 0)
        for start in stride(from: 0, to: samples.count, by: Self.chunkFrames) {
            let part = samples[start..<min(samples.count, start + Self.chunkFrames)]
            chunks.pictures.append(UInt64(bytes.count))
            for _ in part { bytes += [UInt8](repeating: 0x5A, count: Self.pictureBytes) }
            chunks.telemetry.append(UInt64(bytes.count))
            for sample in part { bytes += sample }
            guard settings.shape == .osv else { continue }
            chunks.otherLens.append(UInt64(bytes.count))
            for sample in part { bytes += sample }
        }
        chunks.timecode = UInt64(bytes.count)
        var box = BoxBytes()
        box.number(timecode)
        return (bytes + box.bytes, chunks)
    }

    private func moov(dataAt start: UInt64, _ chunks: Chunks) -> [UInt8] {
        let timescale = UInt32(settings.rate.frames)
        let perFrame = UInt32(settings.rate.seconds)
        let duration = UInt32(samples.count) * perFrame
        let sizes = samples.map { UInt32($0.count) }
        func telemetry(_ offsets: [UInt64]) -> Track {
            Track(
                handler: "meta", name: settings.handler, entry: Self.plainEntry("djmd"),
                sizes: sizes, offsets: offsets.map { $0 + start },
                samplesPerChunk: Self.chunkFrames, timescale: timescale, duration: duration)
        }
        var tracks = [
            Track(
                handler: "vide", name: "VideoHandler", entry: Self.videoEntry,
                sizes: samples.map { _ in UInt32(Self.pictureBytes) },
                offsets: chunks.pictures.map { $0 + start }, samplesPerChunk: Self.chunkFrames,
                timescale: timescale, duration: duration),
            telemetry(chunks.telemetry),
        ]
        if settings.shape == .osv { tracks.append(telemetry(chunks.otherLens)) }
        tracks.append(
            Track(
                handler: "tmcd", name: "TimeCodeHandler", entry: timecodeEntry, sizes: [4],
                offsets: [chunks.timecode + start], samplesPerChunk: 1, timescale: timescale,
                duration: duration, lastsWhole: true))
        var index = BoxBytes()
        index.box("moov") { moov in
            moov.box("mvhd", version: 0) { header in
                header.number(created)
                header.number(created)
                header.number(timescale)
                header.number(duration)
                header.number(0x10000)
                header.short(0x100)
                header.zeros(10)
                Self.matrix(&header)
                header.zeros(24)
                header.number(UInt32(tracks.count + 1))
            }
            for (number, track) in tracks.enumerated() {
                moov.box("trak") { write(track, number: UInt32(number + 1), to: &$0) }
            }
        }
        return index.bytes
    }

    private func write(_ track: Track, number: UInt32, to box: inout BoxBytes) {
        box.box("tkhd", version: 0) { header in
            header.number(created)
            header.number(created)
            header.number(number)
            header.number(0)
            header.number(track.duration)
            header.zeros(16)
            Self.matrix(&header)
            header.number(track.handler == "vide" ? 3840 << 16 : 0)
            header.number(track.handler == "vide" ? 2160 << 16 : 0)
        }
        box.box("mdia") { media in
            media.box("mdhd", version: 0) { header in
                header.number(created)
                header.number(created)
                header.number(track.timescale)
                header.number(track.duration)
                header.number(0x55C4_0000)
            }
            media.box("hdlr", version: 0) { handler in
                handler.append("mhlr")
                handler.append(track.handler)
                handler.zeros(12)
                handler.append(track.name)
                handler.zeros(1)
            }
            media.box("minf") { information in
                if track.handler == "vide" {
                    information.box("vmhd", version: 0) { $0.zeros(8) }
                } else {
                    information.box("nmhd", version: 0) { _ in }
                }
                information.box("dinf") { data in
                    data.box("dref", version: 0) { references in
                        references.number(1)
                        references.box("url ", version: 0) { _ in }
                    }
                }
                information.box("stbl") { table(track, to: &$0) }
            }
        }
    }

    private func table(_ track: Track, to box: inout BoxBytes) {
        box.box("stsd", version: 0) { entries in
            entries.number(1)
            entries.append(track.entry)
        }
        box.box("stts", version: 0) { times in
            times.number(1)
            times.number(UInt32(track.sizes.count))
            times.number(track.lastsWhole ? track.duration : UInt32(settings.rate.seconds))
        }
        box.box("stsc", version: 0) { chunks in
            let rest = track.sizes.count % track.samplesPerChunk
            let whole = track.sizes.count / track.samplesPerChunk
            chunks.number((whole > 0 ? 1 : 0) + (rest > 0 ? 1 : 0))
            if whole > 0 {
                chunks.number(1)
                chunks.number(UInt32(track.samplesPerChunk))
                chunks.number(1)
            }
            if rest > 0 {
                chunks.number(UInt32(whole + 1))
                chunks.number(UInt32(rest))
                chunks.number(1)
            }
        }
        box.box("stsz", version: 0) { sizes in
            sizes.number(0)
            sizes.number(UInt32(track.sizes.count))
            for size in track.sizes { sizes.number(size) }
        }
        box.box(settings.longOffsets ? "co64" : "stco", version: 0) { offsets in
            offsets.number(UInt32(track.offsets.count))
            for offset in track.offsets {
                settings.longOffsets ? offsets.long(offset) : offsets.number(UInt32(offset))
            }
        }
    }

    /// The `camd` box of an Osmo 360: the index once more, as a small file within the file.
    private func camera(_ file: [UInt8]) -> [UInt8] {
        var box = BoxBytes()
        box.box("camd") { $0.append(Array(file.prefix(28))) }
        return box.bytes
    }

    private static func matrix(_ box: inout BoxBytes) {
        for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] as [UInt32] {
            box.number(value)
        }
    }

    private static func plainEntry(_ name: String) -> [UInt8] {
        var box = BoxBytes()
        box.box(name) { entry in
            entry.zeros(6)
            entry.short(1)
        }
        return box.bytes
    }

    private static let videoEntry: [UInt8] = {
        var box = BoxBytes()
        box.box("hvc1") { entry in
            entry.zeros(6)
            entry.short(1)
            entry.zeros(16)
            entry.short(3840)
            entry.short(2160)
            entry.number(0x48_0000)
            entry.number(0x48_0000)
            entry.zeros(4)
            entry.short(1)
            entry.zeros(32)
            entry.short(24)
            entry.short(0xFFFF)
        }
        return box.bytes
    }()

    private var timecodeEntry: [UInt8] {
        var box = BoxBytes()
        box.box("tmcd") { entry in
            entry.zeros(6)
            entry.short(1)
            entry.zeros(4)
            entry.number(0)
            entry.number(UInt32(settings.rate.frames))
            entry.number(UInt32(settings.rate.seconds))
            entry.append([UInt8(clamping: Int(settings.rate.perSecond.rounded())), 0])
        }
        return box.bytes
    }
}
