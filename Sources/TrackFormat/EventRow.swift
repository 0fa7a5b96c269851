import Clock
package import LineProtocol
import Navigation

/// A row of the events file: what happened, when, and where the rig was.
///
/// These rows have a file of their own, whose name no `track-*.csv` matches: in the track, tools
/// would read them as positions.
package enum EventRow {
    /// With its LF.
    ///
    /// | column | content |
    /// | --- | --- |
    /// | `utc` | `2026-07-01T10:00:00.100Z`; empty before time is trusted |
    /// | `mono_s` | seconds of CLOCK_MONOTONIC, the track's `mono_s` |
    /// | `event` | `camera record alarm mode …`: the kinds of `geotagctl events` |
    /// | `camera` | a camera's name or an adapter's address; empty where neither is meant |
    /// | `detail` | `key=value …`, values quoted as in the line protocol |
    /// | `at_latitude`, `at_longitude` | degrees: the last epoch, while it was fresh |
    /// | `seq` | that epoch's number: the track's `seq` |
    package static let header =
        "utc,mono_s,event,camera,detail,at_latitude,at_longitude,seq\n"

    /// The row, with its LF.
    ///
    /// - Parameter place: the last epoch, which says where the rig is; nil where it is too old for
    ///   that.
    package static func line(_ notice: Notice, place: ClosedEpoch?) -> [UInt8] {
        var row = RowText()
        if let utc = notice.utc {
            row.append(milliseconds: utc.milliseconds, separator: UInt8(ascii: "T"))
        }
        row.column(notice.instant)
        row.comma()
        row.append(notice.kind.rawValue)
        row.comma()
        if notice.name != "-" { row.append(stripped: notice.name) }
        row.comma()
        row.append(field: detail(notice.fields))
        row.column(place?.fix.latitudeDegrees, decimals: 8)
        row.column(place?.fix.longitudeDegrees, decimals: 8)
        row.comma()
        if let place { row.append(UInt64(max(0, place.sequence))) }
        row.newline()
        return row.bytes
    }

    private static func detail(_ fields: [Field]) -> String {
        fields.map { "\($0.key)=\(LineText.value($0.value))" }.joined(separator: " ")
    }
}
