/// A recording of one camera: when it began and ended, as well as is known.
struct Clip: Equatable {
    /// What an instant rests on.
    enum Basis: String {
        /// The camera acknowledged the command just then.
        case acknowledged
        /// The command was sent just before.
        case sent
        /// The camera's status said so, within its second.
        case status
        /// Counted back from the recorded time that the camera reported.
        case counted
        /// The track's `rec` column, where no event says it.
        case track
        /// Nobody saw it end: the last row that names the camera, or the last event.
        case unseen
    }

    var camera: String
    /// Milliseconds since 1970.
    var start: Int64
    var startBasis: Basis
    var stop: Int64
    var stopBasis: Basis

    var milliseconds: Int64 { max(0, stop - start) }
}
