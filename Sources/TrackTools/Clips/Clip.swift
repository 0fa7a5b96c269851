/// A recording of one camera: when it began and ended, as far as that is known.
struct Clip: Equatable {
    /// How an instant is known.
    enum Basis: String {
        /// The camera acknowledged the command at that time.
        case acknowledged
        /// The command was sent just before.
        case sent
        /// The camera's status showed it, up to a second later.
        case status
        /// Counted back from the recording time that the camera reported.
        case counted
        /// By the track's `rec` column, where no event says it.
        case track
        /// Nobody saw the end: the time is that of the last row that names the camera, or of the
        /// last event.
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
