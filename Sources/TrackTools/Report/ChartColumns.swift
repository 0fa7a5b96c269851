/// The lowest and highest of a value in each part of a time line: what a chart draws, however many
/// rows there are.
struct ChartColumns {
    /// Parts of a time line.
    static let count = 600

    private let span: ClosedRange<Int64>
    private(set) var columns = [ClosedRange<Int64>?](repeating: nil, count: count)

    /// - Parameter span: the whole time line, milliseconds since 1970.
    init(_ span: ClosedRange<Int64>) { self.span = span }

    mutating func add(_ value: Int64?, at milliseconds: Int64) {
        guard let value, span.contains(milliseconds) else { return }
        let length = Double(span.upperBound - span.lowerBound) + 1
        let share = Double(milliseconds - span.lowerBound) / length
        let index = min(Self.count - 1, Int(share * Double(Self.count)))
        guard let old = columns[index] else {
            columns[index] = value...value
            return
        }
        columns[index] = min(old.lowerBound, value)...max(old.upperBound, value)
    }

    /// nil without any value.
    var bounds: ClosedRange<Int64>? {
        let known = columns.compactMap { $0 }
        guard let low = known.map(\.lowerBound).min(), let high = known.map(\.upperBound).max()
        else { return nil }
        return low...high
    }

    /// The area between lowest and highest as the data of an SVG path, in a box of `count` by 100;
    /// columns without a value are left out, but for single ones, which rows of 1 Hz leave.
    func path(from low: Double, to high: Double) -> String {
        var text = ""
        var run: [(column: Int, range: ClosedRange<Int64>)] = []
        let scale = 100 / max(high - low, 1e-9)
        func y(_ value: Int64) -> String { Self.decimal(100 - (Double(value) - low) * scale) }
        func flush() {
            guard let first = run.first, let last = run.last else { return }
            text += "M\(first.column) \(y(first.range.upperBound))"
            for entry in run.dropFirst() { text += "L\(entry.column) \(y(entry.range.upperBound))" }
            text += "L\(last.column + 1) \(y(last.range.upperBound))"
            text += "L\(last.column + 1) \(y(last.range.lowerBound))"
            for entry in run.reversed() { text += "L\(entry.column) \(y(entry.range.lowerBound))" }
            text += "Z"
            run = []
        }
        for (column, range) in columns.enumerated() {
            guard let range else { continue }
            if let last = run.last, column - last.column > 2 { flush() }
            run.append((column, range))
        }
        flush()
        return text
    }

    private static func decimal(_ value: Double) -> String {
        let tenths = Int((min(max(value, 0), 100) * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
