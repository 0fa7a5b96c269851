import Clock
import Film
import OsmoProtocol

/// How the cameras of a run film: each a bit otherwise, as real ones do, until words say how.
struct FilmOptions {
    static let usage = """
        filming: KEY=VALUE,… for all cameras, NAME:KEY=VALUE for one
          rate=23.976|25|29.97|…  frames a second        drift=PPM    clock's error
          ahead=SECONDS           calendar less UTC      zone=MINUTES camera's zone
          lost=PERCENT            pushes lost            delay_ms=N   least way over the air
          jitter_ms=N             on top of it, σ        mean_ms=N    on top of it, mean
          chapter=FRAMES          of one file            keep=N       timelapse: each Nth frame
          shape=MP4|LRF|OSV       what is written        serial=TEXT
        """

    private(set) var settings: [(name: String, film: FilmSettings)] = []

    /// Rates, drifts, calendars and zones in turn: off by hours, seconds and parts in a million.
    private static let rates = ["29.97", "59.94", "23.976", "29.97"]
    private static let drifts = [40.0, -37, 12, -40]
    private static let calendars = [7203, -3617, 2, 36_005]
    private static let zones = [60, 0, 120, -300]

    init(cameras: [(name: String, model: CameraModel)]) {
        for (number, camera) in cameras.enumerated() {
            let turn = number % Self.drifts.count
            var film = FilmSettings(
                model: camera.model, serial: "SIM\(camera.model.deviceID % 1000)K\(1000 + number)")
            if let rate = FilmSettings.Rate(word: Self.rates[turn]) { film.rate = rate }
            film.driftPPM = Self.drifts[turn]
            film.clockAhead = .seconds(Self.calendars[turn])
            film.zoneMinutes = Self.zones[turn]
            settings.append((camera.name, film))
        }
    }

    /// - Returns: the first word that is not understood.
    mutating func set(_ words: String) -> String? {
        for word in words.split(separator: ",") {
            let parts = word.split(separator: ":", maxSplits: 1)
            let target = parts.count == 2 ? String(parts[0]) : nil
            let pair = (parts.last ?? "").split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return String(word) }
            var isKnown = target == nil
            for number in settings.indices where target == nil || settings[number].name == target {
                isKnown = true
                guard Self.set(String(pair[0]), String(pair[1]), &settings[number].film) else {
                    return String(word)
                }
            }
            if !isKnown { return String(word) }
        }
        return nil
    }

    private static func set(_ key: String, _ value: String, _ film: inout FilmSettings) -> Bool {
        if key == "serial" {
            film.serial = value
            return true
        }
        if key == "shape" {
            film.shape = FilmSettings.Shape(rawValue: value) ?? film.shape
            return FilmSettings.Shape(rawValue: value) != nil
        }
        if key == "rate" {
            guard let rate = FilmSettings.Rate(word: value) else { return false }
            film.rate = rate
            return true
        }
        guard let number = Double(value), number.isFinite, abs(number) < 1e6 else { return false }
        switch key {
        case "drift": film.driftPPM = number
        case "ahead": film.clockAhead = .seconds(number)
        case "zone": film.zoneMinutes = Int(number)
        case "lost": film.lostPercent = number
        case "delay_ms": film.minDelay = .seconds(number / 1000)
        case "jitter_ms": film.jitter = .seconds(number / 1000)
        case "mean_ms": film.meanExtraDelay = .seconds(number / 1000)
        case "chapter":
            film.chapterFrames = max(1, min(FilmSettings.maxChapterFrames, Int(number)))
        case "keep": film.keptFrames = max(1, Int(number))
        default: return false
        }
        return true
    }
}
