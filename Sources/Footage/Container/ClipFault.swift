/// Why a clip says nothing.
package enum ClipFault: Error, Equatable, Sendable {
    /// The file could not be read: errno.
    case unreadable(Int32)
    /// Its first bytes are no box of MP4 or MOV.
    case notClip
    /// The file ends within a box or before its index: the camera lost power, or a copy stopped.
    case cut
    /// Pieces with an index each, as streams have it.
    case fragmented
    /// No track of Osmo telemetry; the sample entry of another maker's, where there is one.
    case noTelemetry(maker: String?)
    /// A table that contradicts itself or the file: its box's name.
    case damaged(String)
    /// No frame holds the camera's clock.
    case noClock

    /// For people, behind the clip's path: one sentence without its full stop.
    package var words: String {
        switch self {
        case .unreadable: "cannot be read"
        case .notClip: "not a clip: it does not begin as MP4 and MOV do"
        case .cut: "cut: its index is missing, as after a power failure or a copy that stopped"
        case .fragmented:
            "a fragmented file, as streams have it: cameras write none, and it is not read"
        case .noTelemetry(let maker?):
            "a clip of another maker (\(maker)): no telemetry of an Osmo camera"
        case .noTelemetry(nil):
            "no telemetry of an Osmo camera (djmd) in it: another maker's clip, or an edited one"
        case .damaged(let box): "damaged: its \(box) box contradicts itself or the file"
        case .noClock: "no frame of it holds the camera's clock"
        }
    }
}
