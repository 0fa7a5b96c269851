import Clock

/// Round numbers for axes.
enum NiceSteps {
    /// The next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, … that is not smaller.
    static func above(_ value: Double) -> Double {
        var step = 1.0
        while step * 10 < value { step *= 10 }
        for factor in [1.0, 1.5, 2, 2.5, 3, 4, 5, 6, 8] where step * factor >= value {
            return step * factor
        }
        return step * 10
    }

    /// Instants on a time line, at most five of them, with what they are called.
    ///
    /// - Parameter span: milliseconds since 1970.
    static func instants(_ span: ClosedRange<Int64>) -> [(milliseconds: Int64, text: String)] {
        let minute: Int64 = 60_000
        let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10_080]
        let length = span.upperBound - span.lowerBound
        let seconds: [Int64] = [1000, 2000, 5000, 10_000, 20_000, 30_000]
        let all = seconds + steps.map { $0 * minute }
        var step: Int64 = all.first(where: { length / $0 <= 5 }) ?? 10_080 * minute
        while length / step > 5 { step *= 2 }
        var instants: [(Int64, String)] = []
        var at = (span.lowerBound.dividedRoundingDown(by: step) + 1) * step
        while at < span.upperBound, instants.count < 6 {
            let share = Double(at - span.lowerBound) / Double(max(1, length))
            if (0.06...0.94).contains(share) {
                instants.append((at, ReportText.tick(at, step: step)))
            }
            at += step
        }
        return instants
    }
}
