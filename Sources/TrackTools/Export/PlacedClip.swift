import Footage

/// A clip whose time is known, and what is written of it is called.
struct PlacedClip {
    var path: String
    /// As in the roster; nil where nothing tells.
    var camera: String?
    var model: String
    var serial: String
    /// UTC of its first frame and of the end of its last, microseconds since 1970.
    var start: Double
    var end: Double
    var frames: Int
    /// How much faster it is shown than it was.
    var speedUp: Double
    var tier: String
    /// Seconds.
    var uncertainty: Double
    /// Of the files that are written of it: the clip's name without its ending.
    var base = ""

    /// Without its folders.
    var name: String { PathText.name(path) }

    /// Milliseconds since 1970, both ends included.
    var span: ClosedRange<Int64> {
        let first = Int64((start / 1000).rounded())
        return first...max(first, Int64((end / 1000).rounded()))
    }

    /// Seconds of clip time of an instant: what a player shows.
    ///
    /// - Parameter milliseconds: since 1970.
    func seconds(at milliseconds: Int64) -> Double {
        max(0, (Double(milliseconds) * 1000 - start) / 1e6 / max(1e-9, speedUp))
    }

    /// Seconds that it is shown.
    var shownSeconds: Double { (end - start) / 1e6 / max(1e-9, speedUp) }

    /// How it is called among cameras: by its name, else by its model and serial number.
    var cameraName: String {
        if let camera, !camera.contains(" or ") { return camera }
        return serial.isEmpty ? model : "\(model) \(serial)"
    }
}

extension PlacedClip {
    /// nil where its time is unknown, or by a camera's calendar that nothing checked: its places
    /// might be anywhere.
    init?(_ clip: MatchedClip) {
        guard let placement = clip.placement, let uncertainty = placement.uncertainty,
            placement.endMicroseconds > placement.startMicroseconds
        else { return nil }
        self.init(
            path: clip.item.path, camera: clip.camera, model: clip.clip.model,
            serial: clip.clip.camera.serial, start: placement.startMicroseconds,
            end: placement.endMicroseconds, frames: clip.clip.frames,
            speedUp: clip.clip.isTimelapse ? clip.clip.speedUp : 1,
            tier: placement.tier.rawValue, uncertainty: uncertainty)
    }
}

extension [PlacedClip] {
    /// In the order of their starts, with names for what is written of them: clips of two cameras
    /// that have one name get the camera's behind it.
    ///
    /// - Parameter known: clips that have their names already.
    func named(beside known: [PlacedClip] = []) -> [PlacedClip] {
        var clips = sorted { ($0.start, $0.path) < ($1.start, $1.path) }
        var counts: [String: Int] = [:]
        for clip in clips + known { counts[PathText.stem(clip.name).lowercased(), default: 0] += 1 }
        var used = UsedNames(known.map(\.base))
        for index in clips.indices {
            let stem = PathText.stem(clips[index].name)
            var base = stem
            if counts[stem.lowercased()] ?? 0 > 1 {
                base += "-" + clips[index].cameraName.filter { $0 != "/" && $0 != " " }
            }
            clips[index].base = used.unused(base)
        }
        return clips
    }
}

/// Paths as texts.
enum PathText {
    /// Without its folders.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// A name without its ending.
    static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The folder that a path lies in.
    static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
