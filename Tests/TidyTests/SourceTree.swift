import Foundation
import Testing

/// The checkout that this test was compiled from.
enum SourceTree {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file: its path below the root, its text, and its text without comments and strings.
    struct File: Sendable, CustomTestStringConvertible {
        let path: String
        let text: String
        let code: String

        var testDescription: String { path }
    }

    /// The pure targets: no clock, no input or output, and no C library except Navigation's
    /// trigonometry.
    static let pureTargets = [
        "Clock", "Navigation", "Fleet", "OsmoProtocol", "RadioPort", "LineProtocol",
        "TrackFormat", "Simulation",
    ]

    static let sources = files(below: "Sources")
    static let tests = files(below: "Tests")

    /// The paths below the root of all files in the folders that are written by hand.
    static let paths: [String] = {
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        let files = top.filter { !$0.hasPrefix(".") && !isFolder($0) }
        let below = ["Sources", "Tests", "config", "contrib", "docs", ".ci"].flatMap { folder in
            (FileManager.default.enumerator(atPath: root.path + "/" + folder)?
                .compactMap { $0 as? String } ?? []).map { folder + "/" + $0 }
        }
        return (files + below.filter { !isFolder($0) && !$0.contains("__pycache__") }).sorted()
    }()

    /// The paths and texts of those files that are text, without fixtures.
    static let texts: [(path: String, text: String)] = paths.compactMap { path in
        guard !path.contains("/Fixtures/") else { return nil }
        return text(path).map { (path, $0) }
    }

    /// The text of a file; nil where there is none, or it is not UTF-8.
    static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let full = root.appendingPathComponent(path).path
        return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    private static func files(below folder: String) -> [File] {
        let base = root.appendingPathComponent(folder)
        let walk = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil)
        var found: [File] = []
        while let url = walk?.nextObject() as? URL {
            guard url.pathExtension == "swift",
                let text = try? String(contentsOf: url, encoding: .utf8)
            else { continue }
            let path = String(url.path.dropFirst(root.path.count + 1))
            found.append(File(path: path, text: text, code: Stripping.code(of: text)))
        }
        return found.sorted { $0.path < $1.path }
    }
}

/// Removes comments and the contents of strings from Swift text, and keeps the lines.
enum Stripping {
    static func code(of text: String) -> String {
        var output: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        func starts(_ word: String) -> Bool { bytes[index...].starts(with: Array(word.utf8)) }
        func skip(until end: String, escapes: Bool) {
            while index < bytes.count, !starts(end) {
                if escapes, bytes[index] == UInt8(ascii: "\\") { index += 1 }
                if index < bytes.count, bytes[index] == UInt8(ascii: "\n") {
                    output.append(bytes[index])
                }
                index += 1
            }
            index = min(bytes.count, index + end.utf8.count)
        }
        while index < bytes.count {
            if starts("//") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if starts("/*") {
                skip(until: "*/", escapes: false)
            } else if starts("\"\"\"") {
                index += 3
                skip(until: "\"\"\"", escapes: true)
                output += Array("\"\"".utf8)
            } else if starts("\"") {
                index += 1
                skip(until: "\"", escapes: true)
                output += Array("\"\"".utf8)
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
