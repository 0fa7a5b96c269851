package import Fleet
import Navigation

extension Configuration {
    /// What the track needs to know of it.
    package var trackSettings: TrackSettings {
        var settings = TrackSettings(directory: track.directory)
        settings.rotation =
            switch track.rotate {
            case .day: .day
            case .size(let bytes): .size(bytes)
            }
        settings.sync = .seconds(track.sync)
        settings.pushes = track.pushes
        settings.keep =
            switch track.keep {
            case .all: .all
            case .days(let days): .days(days)
            case .size(let bytes): .size(bytes)
            }
        settings.minimumFree = track.minimumFree
        settings.rate = push.rate
        return settings
    }
}
