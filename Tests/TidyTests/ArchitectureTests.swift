import Foundation
import Testing

/// ARCHITECTURE.md and the guides name only files and folders that exist.
@Suite struct ArchitectureTests {
    private static let map = "ARCHITECTURE.md"
    private static let guides = [
        "docs/add-a-verb.md", "docs/add-a-camera-model.md", "docs/add-a-bluez-quirk.md",
    ]

    @Test("Every path in backticks exists", arguments: [map] + guides)
    func pathsExist(document: String) throws {
        let text = try #require(SourceTree.text(document))
        let paths = NamedPaths.of(text)
        #expect(paths.count >= 5)
        for path in paths {
            #expect(NamedPaths.fault(of: path, in: SourceTree.paths) == nil, "\(document)")
        }
    }

    @Test("The map has every folder of the sources")
    func mapIsWhole() throws {
        let text = try #require(SourceTree.text(Self.map))
        let folders = Set(
            SourceTree.paths.filter { $0.hasPrefix("Sources/") }.compactMap {
                $0.split(separator: "/").dropFirst().first.map { "Sources/" + $0 }
            })
        #expect(folders.count > 10)
        for folder in folders {
            #expect(text.contains("`\(folder)`"), "\(folder) is not on the map")
        }
    }

    @Test("ARCHITECTURE.md has at most 200 lines")
    func mapIsShort() throws {
        let text = try #require(SourceTree.text(Self.map))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 200)
    }

    @Test("A guide is half a page", arguments: guides)
    func guideIsShort(document: String) throws {
        let text = try #require(SourceTree.text(document))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 40)
    }

    private static let planted = [
        "Sources/Fleet/Rig/Rig.swift", "Tests/FleetTests/Rig.swift", "docs/contract.md",
        "Sources/Fleet/Rig/RigPush.swift",
    ]

    @Test(
        "A path that exists is none of our business",
        arguments: [
            "`Sources/Fleet/Rig/Rig.swift`", "`Sources/Fleet`", "`Fleet/Rig`", "`RigPush.swift`",
            "`docs/contract.md`", "`/etc/geotagd.conf`", "`record start|stop`", "`Rig`",
            "`track-….csv`", "Sources/Gone.swift, without backticks",
        ])
    func rightPath(text: String) {
        let faults = NamedPaths.of(text).compactMap { NamedPaths.fault(of: $0, in: Self.planted) }
        #expect(faults == [])
    }

    @Test(
        "A planted wrong path is found",
        arguments: [
            "`Sources/Fleet/Gone.swift`", "`Sources/Gone`", "`Gone.swift`", "`Rig/Gone`",
            "`gone.md`", "`Rig.swift`",
        ])
    func wrongPath(text: String) {
        let faults = NamedPaths.of(text).compactMap { NamedPaths.fault(of: $0, in: Self.planted) }
        #expect(faults.count == 1)
    }
}

/// Finds the files and folders that a document names in backticks.
enum NamedPaths {
    private static let extensions = ["swift", "md", "py", "h", "c", "conf", "json"]

    /// The texts in backticks that look like paths below the checkout.
    static func of(_ text: String) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // Every second part is between two backticks.
        return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }.filter { word in
            let isPlain = word.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0))
            }
            let isFile = extensions.contains { word.hasSuffix("." + $0) }
            return isPlain && !word.hasPrefix("/") && (word.contains("/") || isFile)
        }
    }

    /// What is wrong with a path; nil for a file or folder that exists. The beginning of a path may
    /// be left out where only one file fits.
    static func fault(of path: String, in tree: [String]) -> String? {
        let wanted = path.hasSuffix("/") ? String(path.dropLast()) : path
        if tree.contains(where: { $0 == wanted || $0.hasPrefix(wanted + "/") }) { return nil }
        let files = tree.filter { $0.hasSuffix("/" + wanted) }
        if files.count > 1 { return "\(path) may be any of \(files)" }
        let isFolder = tree.contains { $0.contains("/" + wanted + "/") }
        return files.isEmpty && !isFolder ? "\(path) does not exist" : nil
    }
}
