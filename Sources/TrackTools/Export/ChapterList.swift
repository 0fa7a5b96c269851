import TrackFormat

/// A mark: a word that somebody left at an instant.
struct Mark: Equatable {
    /// Since 1970.
    var milliseconds: Int64
    var text: String
    /// 1e-8 degrees; nil where the place was not known.
    var place: (latitude: Int64, longitude: Int64)?

    static func == (one: Mark, other: Mark) -> Bool {
        one.milliseconds == other.milliseconds && one.text == other.text
    }

    /// For formats that hold places; nil without one.
    var waypoint: Waypoint? {
        place.map {
            Waypoint(
                milliseconds: milliseconds, latitudeE8: $0.latitude, longitudeE8: $0.longitude,
                name: text)
        }
    }
}

/// Gathers marks from events.
struct MarkFinder {
    /// Marks that are kept; nobody leaves that many.
    static let maxMarks = 20_000

    private var clock = EventClock()
    private(set) var marks: [Mark] = []

    /// The next row of the events files, oldest first.
    mutating func add(_ event: EventRecord) {
        guard let time = clock.milliseconds(of: event), event.event == "mark",
            marks.count < Self.maxMarks
        else { return }
        let text = event["text"] ?? ""
        var mark = Mark(milliseconds: time, text: text.isEmpty ? "mark" : text)
        if let latitude = event.latitudeE8, let longitude = event.longitudeE8 {
            mark.place = (latitude, longitude)
        }
        marks.append(mark)
    }
}

/// Marks as chapters of a clip, in the metadata format of ffmpeg: `ffmpeg -i CLIP -i FILE
/// -map_metadata 1 -codec copy …` makes a copy with them.
enum ChapterList {
    /// The file's text; nil where no mark lies within the clip.
    static func text(_ clip: PlacedClip, _ marks: [Mark]) -> String? {
        let inside = marks.filter { clip.span.contains($0.milliseconds) }
            .sorted { $0.milliseconds < $1.milliseconds }
        guard !inside.isEmpty else { return nil }
        var starts = inside.map { mark in
            (at: Int64((clip.seconds(at: mark.milliseconds) * 1000).rounded()), title: mark.text)
        }
        if starts[0].at > 0 { starts.insert((0, clip.name), at: 0) }
        let end = Int64((clip.shownSeconds * 1000).rounded())
        var text = ";FFMETADATA1\n"
        for (number, start) in starts.enumerated() {
            let stop = number + 1 < starts.count ? starts[number + 1].at : max(end, start.at + 1)
            text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start.at)\nEND=\(stop)\n"
            text += "title=\(escaped(start.title))\n"
        }
        return text
    }

    private static func escaped(_ title: String) -> String {
        var text = ""
        for scalar in title.unicodeScalars {
            if "=;#\\".unicodeScalars.contains(scalar) { text += "\\" }
            text += scalar.value < 0x20 ? " " : String(scalar)
        }
        return text
    }
}
