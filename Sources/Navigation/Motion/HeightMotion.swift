/// How the rig's height goes on after a fix.
///
/// Four ways to look ahead compete, since receivers differ: their climb may be measured, or gpsd's
/// difference of two rounded heights, or missing.
struct HeightMotion: Equatable, Sendable {
    enum Way: Int, CaseIterable, Sendable {
        case stated, accelerated, derived, level
    }

    /// Metres a second at the fix, and metres a second squared that fade within a second.
    struct Course: Equatable, Sendable {
        var climb = 0.0
        var acceleration = 0.0

        func rise(seconds: Double) -> Double {
            let fading = HeightMotion.fading
            let gained = seconds - GroundMotion.faded(seconds, over: fading)
            return climb * seconds + acceleration * fading * gained
        }

        func climb(seconds: Double) -> Double {
            climb + acceleration * GroundMotion.faded(seconds, over: HeightMotion.fading)
        }
    }

    private static let fading = 1.0
    /// Seconds that a climb stays without a newer height.
    private static let lifetime = 2.5
    /// A change of climb below this, metres a second, is mostly noise.
    private static let noise = 1.0
    /// A climb up to this is believed without heights that confirm it (field notes A9.10).
    static let credible = 10.0
    /// Nothing that carries a camera climbs or falls faster for long.
    static let fastest = 100.0

    private var contest = Contest(handicaps: [0, 0.02, 0.3, 0.3])
    private var courses: [Course?] = [nil, nil, nil, Course()]
    /// The last fix with a height.
    private var fitted: MotionSample?

    /// What is believed now.
    private(set) var course = Course()

    /// What each way says now, to be held against what comes.
    func guesses() -> [Course?] { courses }

    mutating func score(_ guesses: [Course?], rose: Double, seconds: Double) {
        let squares = guesses.map { guess -> Double? in
            guess.map { ($0.rise(seconds: seconds) - rose) * ($0.rise(seconds: seconds) - rose) }
        }
        contest.score(squares, elapsed: seconds)
        course = best
    }

    /// - Parameter before: about a second before; nil where nothing was.
    mutating func fit(_ last: MotionSample, before: MotionSample?) {
        fitCourses(last, before: before)
        course = best
    }

    /// Only `level` always has something to say.
    private mutating func forget() {
        for way in courses.indices { courses[way] = nil }
        courses[Way.level.rawValue] = Course()
    }

    private mutating func fitCourses(_ last: MotionSample, before: MotionSample?) {
        guard let height = last.heightMetres else {
            // Some receivers tell it with every other fix only.
            let isNear = fitted.map { last.seconds(since: $0) <= HeightMotion.lifetime } ?? false
            if !isNear { forget() }
            return
        }
        fitted = last
        forget()
        var derived: Double?
        if let before, let earlier = before.heightMetres {
            let slope = (height - earlier) / last.seconds(since: before)
            if slope.magnitude <= HeightMotion.fastest { derived = slope }
        }
        courses[Way.derived.rawValue] = derived.map {
            Course(climb: HeightMotion.confirmed($0, by: last.climb))
        }
        guard let climb = last.climb.map({ HeightMotion.confirmed($0, by: derived) }) else {
            return
        }
        courses[Way.stated.rawValue] = Course(climb: climb)
        guard let before, let earlier = before.climb else { return }
        let change = climb - earlier
        let believed = change * change * change / (change * change + noiseSquare)
        courses[Way.accelerated.rawValue] = Course(
            climb: climb, acceleration: believed / last.seconds(since: before))
    }

    /// Of the ways that say anything, the one that was right of late.
    private var best: Course {
        var best: (course: Course, standing: Double)?
        for way in courses.indices {
            guard let course = courses[way] else { continue }
            let standing = contest.standing(way)
            if let best, best.standing <= standing { continue }
            best = (course, standing)
        }
        return best?.course ?? Course()
    }

    private var noiseSquare: Double { HeightMotion.noise * HeightMotion.noise }

    /// A climb, as far as another source confirms it; a great one that none confirms is none.
    static func confirmed(_ climb: Double, by other: Double?) -> Double {
        if climb.magnitude <= credible { return climb }
        guard let other else { return 0 }
        let near = (climb - other).magnitude <= credible + other.magnitude / 2
        return near ? climb : other
    }
}
