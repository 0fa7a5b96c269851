/// The last fixes of a receiver, and the motion that they show.
struct MotionTrack: Equatable, Sendable {
    /// At 25 fixes a second these are more than two seconds.
    private static let longest = 64
    /// Older fixes tell nothing of now.
    private static let memory = 3.0

    private(set) var samples: [MotionSample] = []
    /// Turn rate and acceleration where speed and quality allow.
    private(set) var model = MotionModel.still
    /// The same with velocity alone.
    private(set) var constantVelocity = MotionModel.still

    /// Metres a second as last said; 0 while unknown.
    var speed: Double { constantVelocity.velocity?.length ?? 0 }

    /// A new epoch's fix.
    mutating func append(_ sample: MotionSample) {
        if let last = samples.last, sample.seconds(since: last) <= 0 { samples.removeAll() }
        if samples.count == MotionTrack.longest { samples.removeFirst() }
        samples.append(sample)
        samples.removeAll { sample.seconds(since: $0) > MotionTrack.memory }
        fit()
    }

    /// More, or something better, about the last epoch.
    mutating func replaceLast(_ sample: MotionSample) {
        if samples.isEmpty { return append(sample) }
        samples[samples.count - 1] = sample
        fit()
    }

    private mutating func fit() {
        model = .still
        guard let last = samples.last,
            let (velocity, age) = lastVelocity(before: last), age <= MotionTrack.memory
        else {
            constantVelocity = .still
            return
        }
        model.velocity = velocity
        model.climb = last.climb ?? 0
        constantVelocity = model
        guard velocity.length > 3, last.velocity != nil,
            let before = samples.last(where: {
                $0.velocity != nil && last.seconds(since: $0) >= 0.19
            }) ?? samples.first(where: { $0.velocity != nil }), before != last
        else { return }
        let span = last.seconds(since: before)
        guard span > 0, span < 2, let earlier = before.velocity, earlier.length > 2 else { return }
        model.turnRate = Trigonometry.wrapped(velocity.course - earlier.course) / span
        model.acceleration = (velocity.length - earlier.length) / span
    }

    private func lastVelocity(before last: MotionSample) -> (GroundVector, age: Double)? {
        guard let sample = samples.last(where: { $0.velocity != nil }),
            let velocity = sample.velocity
        else { return nil }
        return (velocity, last.seconds(since: sample))
    }

    /// `fix` as it is `seconds` later.
    func carry(_ fix: Fix, seconds: Double, carrying: Carrying) -> Fix {
        let model = carrying == .extrapolate ? model : constantVelocity
        let seconds = carrying == .hold ? 0 : seconds
        var carried = fix
        let (way, velocity) = model.at(seconds: seconds)
        let (place, turned) = fix.place.moved(by: way, carrying: velocity ?? .zero)
        carried.latitudeDegrees = place.latitudeDegrees
        carried.longitudeDegrees = place.longitudeDegrees
        carried.speedMetresPerSecond = velocity.map { _ in turned.length }
        carried.courseDegrees = turned == .zero ? nil : turned.courseDegrees
        carried.climbMetresPerSecond = model.climb
        carried.heightMetres = fix.heightMetres.map { $0 + model.climb * seconds }
        carried.ellipsoidHeightMetres = fix.ellipsoidHeightMetres.map {
            $0 + model.climb * seconds
        }
        return carried
    }
}
