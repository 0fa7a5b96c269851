package import Clock

/// When a vehicle counts as moving, and which places it can be in (contract 7.9).
package struct VehicleRules: Equatable, Sendable {
    /// Faster than this it starts, metres a second.
    package var startAbove: Double
    /// For so long without a break.
    package var startAfter: TimeSpan
    /// Slower than this it stops, metres a second; less than `startAbove`.
    package var stopBelow: Double
    /// For so long without a break.
    package var stopAfter: TimeSpan
    /// In the order in which they count where they overlap.
    package var circles: [PlaceCircle]

    /// Rules; nothing is checked.
    package init(
        startAbove: Double, startAfter: TimeSpan, stopBelow: Double, stopAfter: TimeSpan,
        circles: [PlaceCircle] = []
    ) {
        self.startAbove = startAbove
        self.startAfter = startAfter
        self.stopBelow = stopBelow
        self.stopAfter = stopAfter
        self.circles = circles
    }
}

/// A place with a name: a circle on the ground.
package struct PlaceCircle: Equatable, Sendable {
    /// By which events and status call it.
    package var name: String
    /// Its middle.
    package var middle: Place
    /// Metres: within it the place is entered.
    package var radiusMetres: Double

    /// Metres beyond the radius within which a place that was entered is not left.
    package static let margin = 20.0

    /// A circle; nothing is checked.
    package init(name: String, middle: Place, radiusMetres: Double) {
        self.name = name
        self.middle = middle
        self.radiusMetres = radiusMetres
    }
}

/// What a vehicle did, as far as its epochs show it.
package enum VehicleEvent: Equatable, Sendable {
    /// Two epochs that agree are faster than a start needs, whose wait may not be over yet.
    case motion
    /// A trip begins.
    case started
    /// A trip is over.
    case stopped
    /// A place was entered or left; nil outside all of them.
    case place(String?)
}
