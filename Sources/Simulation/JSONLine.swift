/// Builds one line of JSON, a flat object.
struct JSONLine {
    private var body = ""

    /// The object so far.
    var line: String { "{" + body + "}" }

    mutating func add(_ key: String, _ value: Int) { add(key, raw: String(value)) }

    mutating func add(_ key: String, _ value: Int?) {
        add(key, raw: value.map(String.init) ?? "null")
    }

    /// - Parameter raw: a value that is JSON already.
    mutating func add(_ key: String, raw: String) {
        if !body.isEmpty { body += "," }
        body += "\"\(key)\":\(raw)"
    }

    /// - Parameter text: without quotes, backslashes and control characters.
    mutating func add(_ key: String, text: String) { add(key, raw: "\"\(text)\"") }
}

/// A number of units of 10 to the power of `-decimals`, written out: `fixed(-5, decimals: 2)` is
/// `-0.05`.
func fixed(_ value: Int64, decimals: Int) -> String {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return (value < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}
