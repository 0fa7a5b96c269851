/// Why a clip cannot be read.
package enum ClipFault: Error, Equatable, Sendable {
    /// The file could not be read: errno.
    case unreadable(Int32)
    /// Its first bytes are no box of MP4 or MOV.
    case notClip
    /// The file ends within a box or before its index: the camera lost power, or a copy stopped.
    case cut
    /// The clip consists of fragments with an index each, as streams do.
    case fragmented
    /// No track has Osmo telemetry. `maker` is another maker's sample entry, where there is one.
    case noTelemetry(maker: String?)
    /// A table contradicts itself or the file; the name of its box.
    case damaged(String)
    /// No frame holds the camera's clock.
    case noClock

    /// The reason, for people, to stand behind the clip's path: one sentence without its full stop.
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
