import Clock

/// What a clip's file name says.
package struct ClipName: Equatable, Sendable {
    /// Its start by the camera's clock, seconds since 1970 if its zone were UTC.
    package var localSeconds: Int64
    /// The number that the camera gave the clip.
    package var index: Int
    /// The number of this file within a recording of several files; nil where there is one file.
    package var chapter: Int?

    /// `DJI_YYYYMMDDHHMMSS_NNNN_D.MP4`, `…_D_CCC.MP4`, `.LRF`, `.MOV`; `CAM_…_D.OSV` of an Osmo
    /// 360.
    ///
    /// - Parameter text: without folders, in capitals or not; nil for other names.
    package init?(_ text: String) {
        let name = text.uppercased()
        guard let dot = name.lastIndex(of: "."),
            ["MP4", "LRF", "MOV", "OSV"].contains(name[name.index(after: dot)...])
        else { return nil }
        let parts = name[..<dot].split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 4 || parts.count == 5, parts[0] == "DJI" || parts[0] == "CAM",
            parts[1].utf8.count == 14, parts[2].utf8.count == 4, parts[3] == "D",
            let index = Self.number(parts[2]), let seconds = Self.seconds(parts[1])
        else { return nil }
        localSeconds = seconds
        self.index = index
        if parts.count == 5 {
            guard parts[4].utf8.count == 3, let number = Self.number(parts[4]) else { return nil }
            chapter = number
        }
    }

    private static func seconds(_ stamp: Substring) -> Int64? {
        guard let digits = number(stamp) else { return nil }
        let (date, clock) = digits.quotientAndRemainder(dividingBy: 1_000_000)
        return CivilTime(
            year: date / 10_000, month: date / 100 % 100, day: date % 100, hour: clock / 10_000,
            minute: clock / 100 % 100, second: clock % 100)?
            .unixTime().wholeSeconds
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
