package import Clock
package import OsmoProtocol

/// Writes the files of a simulated camera: each frame holds the position that was pushed to it, as
/// in files of real cameras.
///
/// Tell it of everything at its instant, in order. Files come out where a recording ends or a
/// chapter is full.
package struct FilmCamera: Sendable {
    /// What the camera films with, and what is wrong with its clocks.
    package let settings: FilmSettings
    /// UTC less the monotonic clock.
    private let utcAhead: TimeSpan
    /// When it was turned on: its clock's zero.
    private var poweredOn: Instant
    private var random: FilmRandom
    /// Pushes that were sent and have not arrived yet.
    private var coming: [(push: GPSPush, arrival: Instant)] = []
    private var push: GPSPush?
    private var storedTime = ""
    private var recordingIndex = 0
    private var recording: Recording?
    private var files: [FilmedRecording] = []

    /// Pushes that may be under way at once; more are lost.
    static let maxComing = 64

    private struct Recording {
        /// The camera's clock at the first frame of the recording, microseconds.
        var startClock: UInt64
        var name: String
        var chapter = 0
        var frames: UInt64 = 0
        var samples: [[UInt8]] = []
        /// The camera's clock at the first frame of the present chapter, microseconds.
        var chapterClock: UInt64
        var chapterFirst: Instant
        var last: Instant
    }

    /// - Parameters:
    ///   - utcAhead: UTC less the monotonic clock.
    ///   - seed: decides what is lost and late.
    package init(_ settings: FilmSettings, on start: Instant, utcAhead: TimeSpan, seed: UInt64) {
        self.settings = settings
        self.utcAhead = utcAhead
        poweredOn = start
        random = FilmRandom(seed: seed)
    }

    /// A push was sent to it.
    package mutating func send(_ push: GPSPush, at now: Instant) -> [FilmedRecording] {
        advance(to: now)
        if random.fraction() * 100 >= settings.lostPercent, coming.count < Self.maxComing {
            let extra =
                settings.meanExtraDelay.seconds + settings.jitter.seconds * random.normal()
            let arrival = now + settings.leastDelay + .seconds(max(0, extra))
            // Pushes do not overtake each other.
            coming.append((push, max(arrival, coming.last?.arrival ?? arrival)))
        }
        return takeFiles()
    }

    /// Begins or ends a recording.
    package mutating func record(_ isOn: Bool, at now: Instant) -> [FilmedRecording] {
        advance(to: now)
        if isOn, recording == nil {
            recordingIndex += 1
            let clock = self.clock(at: now)
            recording = Recording(
                startClock: clock, name: stamp(at: now), chapterClock: clock, chapterFirst: now,
                last: now)
        } else if !isOn {
            endFile()
            recording = nil
        }
        return takeFiles()
    }

    /// Turns the camera off and on again.
    package mutating func restart(at now: Instant) -> [FilmedRecording] {
        let files = record(false, at: now)
        poweredOn = now
        push = nil
        coming = []
        return files
    }

    /// Lets time pass.
    package mutating func pass(to now: Instant) -> [FilmedRecording] {
        advance(to: now)
        return takeFiles()
    }

    private mutating func takeFiles() -> [FilmedRecording] {
        defer { files = [] }
        return files
    }

    private var clockRate: Double { 1 + settings.driftPPM / 1e6 }

    private func clock(at now: Instant) -> UInt64 {
        UInt64(max(0, (now - poweredOn).seconds * 1e6 * clockRate))
    }

    private func instant(ofClock clock: UInt64) -> Instant {
        poweredOn + .seconds(Double(clock) / 1e6 / clockRate)
    }

    /// Films frames and receives pushes up to `now`, each at its own instant.
    private mutating func advance(to now: Instant) {
        while true {
            let frame = nextFrame
            let arrival = coming.first?.arrival
            if let arrival, arrival <= now, arrival <= frame?.instant ?? .never {
                receive(coming.removeFirst().push)
            } else if let frame, frame.instant <= now {
                expose(clock: frame.clock, at: frame.instant)
            } else {
                return
            }
        }
    }

    private var nextFrame: (clock: UInt64, instant: Instant)? {
        guard let recording else { return nil }
        let rate = settings.rate
        let ticks = Int64(recording.frames) * rate.seconds * Int64(settings.keptFrames)
        let clock = recording.startClock + UInt64(ticks * 1_000_000 / rate.frames)
        return (clock, instant(ofClock: clock))
    }

    private mutating func receive(_ push: GPSPush) {
        self.push = push
        guard !push.isVoid,
            let pushed = CivilTime(
                year: Int(push.date) / 10_000, month: Int(push.date) / 100 % 100,
                day: Int(push.date) % 100, hour: Int(push.time) / 10_000,
                minute: Int(push.time) / 100 % 100, second: Int(push.time) % 100),
            let stored = CivilTime(
                pushed.unixTime(), offset: .seconds(-60 * settings.zoneMinutes))
        else { return }
        storedTime = "\(stored.dateText) \(stored.clockText.prefix(8))"
    }

    private mutating func expose(clock: UInt64, at instant: Instant) {
        guard var recording else { return }
        if recording.samples.count == settings.chapterFrames {
            endFile()
            recording.samples = []
            recording.chapter += 1
        }
        if recording.samples.isEmpty {
            recording.chapterClock = clock
            recording.chapterFirst = instant
        }
        let sample = FrameSample(
            push: push, storedTime: storedTime, number: recording.frames, clock: clock)
        recording.samples.append(
            sample.encoded(settings, isFirst: recording.samples.isEmpty))
        recording.frames += 1
        recording.last = instant
        self.recording = recording
    }

    private mutating func endFile() {
        guard let recording, !recording.samples.isEmpty else { return }
        let ahead = utcAhead + settings.clockAhead
        let made = UnixTime(nanoseconds: recording.chapterFirst.nanoseconds) + ahead
        let local = made.wholeSeconds + Int64(settings.zoneMinutes * 60)
        let isChapter = recording.chapter > 0 || recording.samples.count == settings.chapterFrames
        let secondOfDay = UInt32((local % 86_400 + 86_400) % 86_400)
        let clip = ClipBytes(
            settings: settings, created: UInt32(clamping: made.wholeSeconds + 2_082_844_800),
            timecode: secondOfDay * UInt32(settings.rate.perSecond.rounded()),
            samples: recording.samples)
        let suffix = isChapter ? "_" + Self.digits(recording.chapter + 1, 3) : ""
        files.append(
            FilmedRecording(
                name: "\(recording.name)\(suffix).\(settings.shape.rawValue)",
                bytes: clip.encoded, frames: recording.samples.count,
                first: recording.chapterFirst, last: recording.last,
                firstClock: recording.chapterClock))
    }

    /// The time in a file's name: the camera's calendar, in the zone that it is set to.
    private func stamp(at now: Instant) -> String {
        let time = UnixTime(nanoseconds: now.nanoseconds) + utcAhead + settings.clockAhead
        let local = CivilTime(time, offset: .seconds(60 * settings.zoneMinutes))
        let stamp = local?.compactText.filter { $0 != "T" } ?? "19800101000000"
        let first = settings.shape == .osv ? "CAM" : "DJI"
        return "\(first)_\(stamp)_\(Self.digits(recordingIndex, 4))_D"
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
