/// Reads a clip: its index, then the telemetry of each frame.
///
/// It keeps one sample and one block of each table in memory. Only the positions grow with the
/// length of a clip, and their number is bounded.
package enum ClipReader {
    /// Bytes of a frame's telemetry; cameras write less than 20,000.
    static let maxSample = 1 << 20

    /// - Throws: where nothing can be read from the file.
    package static func read(_ source: some ByteSource) throws(ClipFault) -> FilmedClip {
        var reader = MovieReader(source)
        let movie = try reader.read()
        guard let track = movie.telemetry else {
            throw .noTelemetry(maker: movie.foreignMaker)
        }
        var scan = ClipScan()
        scan.clip.creation = movie.creation
        scan.clip.durationSeconds = movie.video?.durationSeconds ?? track.durationSeconds
        let scale = Double(max(1, track.timescale))
        var cursor = SampleCursor(track.table)
        var buffer: [UInt8] = []
        while let sample = try cursor.next(in: source) {
            guard sample.size <= maxSample else {
                scan.clip.damagedFrames += 1
                continue
            }
            do throws(ClipFault) {
                try source.read(sample.size, at: sample.offset, into: &buffer)
            } catch {
                guard error == .cut else { throw error }
                scan.clip.isCut = true
                break
            }
            scan.take(buffer, shownAt: Double(sample.ticks) / scale)
        }
        guard scan.clip.frames > 0 else { throw scan.clip.isCut ? .cut : .noClock }
        return scan.finish()
    }
}

/// Gathers a clip's telemetry frame by frame.
struct ClipScan {
    /// A frame that is earlier than the one before by more than this belongs to another power-up,
    /// microseconds.
    static let maxStepBack: Int64 = 1_000_000

    var clip = FilmedClip()
    private var decoder = TelemetryDecoder()
    private var run: HeldRun?
    private var lastWithFix: Int64?
    private var storedSeconds: Int64?
    private var firstShown = 0.0

    /// - Parameter shownAt: when the container shows the frame, seconds since the clip's start.
    mutating func take(_ sample: [UInt8], shownAt: Double) {
        do throws(WireFault) {
            try decoder.take(sample)
        } catch {
            clip.damagedFrames += 1
            return
        }
        guard let frame = decoder.frame, let clock = frame.microseconds else {
            clip.damagedFrames += 1
            return
        }
        let before: Int64? = clip.frames > 0 ? clip.lastClock : nil
        if let before, clock <= before {
            if before - clock > Self.maxStepBack { clip.clockBroke = true }
            return
        }
        if before == nil {
            clip.firstClock = clock
            firstShown = shownAt
        }
        clip.frames += 1
        clip.lastClock = clock
        clip.shownSeconds = shownAt - firstShown
        if clip.cameraCode.isEmpty { clip.cameraCode = frame.cameraCode }
        takePlace(of: frame, clock: clock, before: before)
        takeSecond(of: frame, clock: clock, before: before)
    }

    mutating func finish() -> FilmedClip {
        endRun()
        clip.camera = decoder.camera
        return clip
    }

    private mutating func takePlace(of frame: FrameTelemetry, clock: Int64, before: Int64?) {
        guard let place = frame.place else {
            endRun()
            return
        }
        clip.framesWithFix += 1
        if !frame.isOnGrid { clip.framesOffGrid += 1 }
        if let lastWithFix, let before, lastWithFix < before {
            clip.gaps += 1
            clip.longestGap = max(clip.longestGap, clock - lastWithFix)
        }
        lastWithFix = clock
        if run?.place == place {
            run?.last = clock
        } else {
            endRun()
            run = HeldRun(place: place, first: clock, before: before, last: clock)
        }
    }

    private mutating func endRun() {
        guard let run else { return }
        self.run = nil
        if clip.firstFix == nil { clip.firstFix = run }
        clip.lastFix = run
        if clip.runs.count < FilmedClip.maxRuns {
            clip.runs.append(run)
        } else {
            clip.hasMoreRuns = true
        }
    }

    private mutating func takeSecond(of frame: FrameTelemetry, clock: Int64, before: Int64?) {
        // Without a fix the camera repeats the time text of its last fix.
        guard frame.place != nil, let seconds = frame.storedSeconds else {
            storedSeconds = nil
            return
        }
        if let before, let storedSeconds, seconds != storedSeconds,
            clip.flips.count < FilmedClip.maxFlips
        {
            clip.flips.append(SecondFlip(seconds: seconds, first: clock, before: before))
        }
        storedSeconds = seconds
    }
}
