package import Navigation

/// A track at a high rate, against which carried positions are measured.
package struct RecordedTrack: Equatable, Sendable {
    /// One solution of the receiver that recorded it.
    package struct Sample: Equatable, Sendable {
        /// Seconds; a whole number is a whole second of GPS time.
        package var seconds: Double
        /// Where the rig was.
        package var place: Place
        /// Metres; nil where the row has none.
        package var heightMetres: Double?
        /// Metres a second over ground; nil where the row has none.
        package var speedMetresPerSecond: Double?
        /// Degrees, true, clockwise from north; nil where the row has none.
        package var courseDegrees: Double?
        /// Metres a second, up positive; nil where the row has none.
        package var climbMetresPerSecond: Double?

        /// A sample that knows its place and nothing more.
        package init(seconds: Double, place: Place) {
            self.seconds = seconds
            self.place = place
        }
    }

    /// A line that is no sample.
    package struct ReadError: Error, Equatable {
        /// Counted from 1.
        package let line: Int
    }

    /// In order of time.
    package let samples: [Sample]

    /// A track of samples that are in order of time already; nothing is checked.
    package init(samples: [Sample]) { self.samples = samples }

    /// Reads `time_s,lat,lon,alt_m,speed_mps,course_deg,climb_mps` with a header; empty is unknown.
    ///
    /// - Throws: the first line that has no time, no place, or a time not after the one before.
    package init(csv text: String) throws(ReadError) {
        var samples: [Sample] = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated().dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == 7, let seconds = Double(fields[0]),
                let latitude = Double(fields[1]), let longitude = Double(fields[2]),
                samples.last.map({ $0.seconds < seconds }) ?? true
            else { throw ReadError(line: index + 1) }
            var sample = Sample(
                seconds: seconds,
                place: Place(latitudeDegrees: latitude, longitudeDegrees: longitude))
            sample.heightMetres = Double(fields[3])
            sample.speedMetresPerSecond = Double(fields[4])
            sample.courseDegrees = Double(fields[5])
            sample.climbMetresPerSecond = Double(fields[6])
            samples.append(sample)
        }
        self.samples = samples
    }

    /// The first sample at or after each tick of a receiver that gives `hertz` fixes a second.
    package func thinned(to hertz: Double) -> [Sample] {
        let tolerance = 1e-3
        var thin: [Sample] = []
        var last: Double?
        for sample in samples {
            let tick = (sample.seconds * hertz + tolerance).rounded(.down)
            let isOnTick = (sample.seconds * hertz - tick).magnitude <= tolerance
            if tick != last, last != nil || isOnTick { thin.append(sample) }
            last = tick
        }
        return thin
    }

    /// Seconds between two samples beyond which nobody knows where the rig was.
    private static let maxGap = 1.0

    /// Where the rig truly was: between two samples on the straight line; nil outside the track and
    /// in its gaps.
    package func truth(at seconds: Double) -> (place: Place, heightMetres: Double?)? {
        guard let first = samples.first, let last = samples.last, seconds >= first.seconds,
            seconds <= last.seconds
        else { return nil }
        var low = 0
        var high = samples.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if samples[middle].seconds <= seconds { low = middle } else { high = middle }
        }
        let (from, to) = (samples[low], samples[high])
        guard to.seconds > from.seconds else { return (from.place, from.heightMetres) }
        guard to.seconds - from.seconds <= RecordedTrack.maxGap else { return nil }
        let share = (seconds - from.seconds) / (to.seconds - from.seconds)
        let way = from.place.displacement(to: to.place) * share
        let (place, _) = from.place.moved(by: way, carrying: .zero)
        var height: Double?
        if let before = from.heightMetres, let after = to.heightMetres {
            height = before + (after - before) * share
        }
        return (place, height)
    }
}
