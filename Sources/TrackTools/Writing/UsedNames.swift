/// Names that were given to files, so that two results do not meet in one. Cards know no case, so
/// names that differ in case alone are one.
struct UsedNames {
    private var used: Set<String> = []

    /// - Parameter names: that are given already.
    init(_ names: some Sequence<String> = []) { used = Set(names.map { $0.lowercased() }) }

    /// - Returns: the name, with `-2`, `-3` and so on where it was given before.
    mutating func unused(_ name: String) -> String {
        var candidate = name
        var number = 1
        while !used.insert(candidate.lowercased()).inserted {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }
}
