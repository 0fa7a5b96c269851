import Clock

extension Fix {
    /// The fix in a report that passes every check, nil where it has no usable place.
    ///
    /// libgps checks nothing (field notes A2.5, A2.6): NaN, a latitude of 95 and a longitude of 999
    /// come through. A receiver without a place sends exactly 0, 0.
    ///
    /// - Parameters:
    ///   - arrival: when the first report of its epoch came.
    ///   - satellites: of the last sky report, where it said a number.
    init?(_ report: PositionReport, arrival: Instant, satellites: Int?, hdop: Double?) {
        guard report.mode == 2 || report.mode == 3,
            report.latitudeDegrees.magnitude <= 90, report.longitudeDegrees.magnitude <= 180,
            report.latitudeDegrees != 0 || report.longitudeDegrees != 0
        else { return nil }
        let threeD = report.mode == 3
        self.init(
            mode: threeD ? .threeD : .twoD, time: report.time, arrival: arrival,
            latitudeDegrees: report.latitudeDegrees, longitudeDegrees: report.longitudeDegrees,
            heightMetres: threeD ? report.heightMetres.within(-12_000...100_000) : nil,
            ellipsoidHeightMetres: threeD
                ? report.ellipsoidHeightMetres.within(-12_000...100_000) : nil,
            horizontalAccuracyMetres: report.horizontalAccuracyMetres.within(0...1e7),
            verticalAccuracyMetres: report.verticalAccuracyMetres.within(0...1e7),
            speedAccuracyMetresPerSecond: report.speedAccuracyMetresPerSecond.within(0...1e4),
            satellites: satellites, hdop: hdop, quality: FixQuality(status: report.status),
            device: report.device)
        speedMetresPerSecond = report.speedMetresPerSecond.within(0...Fix.fastest)
        if let course = report.courseDegrees.within(0...360) {
            courseDegrees = course < 360 ? course : 0
        }
        if threeD { climbMetresPerSecond = report.climbMetresPerSecond.within(-100...100) }
    }

    /// Metres a second; civil receivers stop at 1000 knots.
    private static let fastest = 600.0
}

extension Double {
    /// The number where it lies in `range`; nil where it does not, or is no number.
    func within(_ range: ClosedRange<Double>) -> Double? { range.contains(self) ? self : nil }
}

extension FixQuality {
    /// gps.h's STATUS_… numbers.
    init(status: Int) {
        self =
            switch status {
            case 1: .gps
            case 2: .dgps
            case 3: .rtkFixed
            case 4: .rtkFloat
            case 5: .deadReckoning
            case 6: .gnssDeadReckoning
            case 7: .time
            case 8: .simulated
            case 9: .ppsFix
            default: .unknown
            }
    }
}
