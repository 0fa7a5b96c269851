import Glibc
import LineProtocol

/// Words to people and the exit codes of sysexits(3).
package enum Terminal {
    /// The exit status of a command line that cannot be understood (sysexits.h).
    package static let usageError: Int32 = 64
    /// The exit status where a service that is needed is missing (sysexits.h).
    package static let unavailable: Int32 = 69

    /// A line on standard output.
    package static func say(_ line: String) { put(line, on: STDOUT_FILENO) }

    /// A line on standard error.
    package static func complain(_ line: String) { put(line, on: STDERR_FILENO) }

    /// Writes a line whole.
    package static func put(_ line: String, on descriptor: Int32) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

/// What is wrong with a command line, as a sentence.
package struct OptionFault: Error {
    /// For stderr, behind the program's name.
    package let text: String
}

/// `--name value` pairs.
package struct Options {
    private var values: [String: String] = [:]
    /// What could not be understood.
    package let problem: String?

    /// - Parameter names: those that exist, without dashes.
    package init(_ arguments: [String], names: Set<String>) {
        var index = 0
        while index < arguments.count {
            let name = arguments[index]
            guard name.hasPrefix("--"), names.contains(String(name.dropFirst(2))) else {
                let hint = Spelling.hint(for: name, among: names.sorted().map { "--" + $0 })
                problem = "unknown option \(name)" + (hint ?? "")
                return
            }
            guard index + 1 < arguments.count else {
                problem = "\(name) needs a value"
                return
            }
            values[String(name.dropFirst(2))] = arguments[index + 1]
            index += 2
        }
        problem = nil
    }

    /// The value of an option; nil where it was not given.
    package subscript(_ name: String) -> String? { values[name] }

    /// A whole number within `range`; `standard` where the option is missing.
    package func number(
        _ name: String, in range: ClosedRange<Int>, standard: Int
    ) throws(OptionFault) -> Int {
        guard let text = values[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw notAllowed(name, text, "\(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number within `range`; `standard` where the option is missing.
    package func decimal(
        _ name: String, in range: ClosedRange<Double>, standard: Double
    ) throws(OptionFault) -> Double {
        guard let text = values[name] else { return standard }
        guard let number = Double(text), range.contains(number) else {
            let ends = [range.lowerBound, range.upperBound].map {
                $0 == $0.rounded() ? "\(Int($0))" : "\($0)"
            }
            throw notAllowed(name, text, ends.joined(separator: " to "))
        }
        return number
    }

    private func notAllowed(_ name: String, _ text: String, _ allowed: String) -> OptionFault {
        OptionFault(
            text: "--\(name): \(LineText.quoted(text)) is not allowed; allowed: \(allowed)")
    }
}
