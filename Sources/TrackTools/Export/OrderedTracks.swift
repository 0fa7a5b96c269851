/// The rows of all tracks as one line of time. Where two tracks overlap, as those of two rigs do,
/// nobody knows which of them a clip belongs to, and it ends with a fault (decision 92).
final class OrderedTracks {
    private let inputs: TrackInputs
    private let stream: TrackStream
    private var last: (milliseconds: Int64, file: Int)?

    init(_ inputs: TrackInputs, span: ClosedRange<Int64> = Int64.min...Int64.max) {
        self.inputs = inputs
        stream = TrackStream(inputs.tracks, span: span)
    }

    /// Files that had lines that were passed over.
    var damaged: [DamagedFile] { stream.damaged }

    /// The number of the last row's file, from 1.
    var fileNumber: Int { stream.fileNumber }

    /// nil at the end.
    func next() throws(TrackToolFault) -> TrackRecord? {
        guard let record = try stream.next() else { return nil }
        let file = stream.fileNumber
        if let last, record.milliseconds <= last.milliseconds {
            throw .overlappingTracks(name(last.file), name(file))
        }
        last = (record.milliseconds, file)
        return record
    }

    private func name(_ file: Int) -> String { inputs.name(of: inputs.tracks[file - 1]) }
}
