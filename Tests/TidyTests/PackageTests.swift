import Foundation
import Testing

/// Package.swift lists for each target exactly the targets that it imports: a missing name makes a
/// cold build fail where the import happens to be compiled later.
@Suite struct PackageTests {
    @Test("Every import of a target is among its dependencies") func importsAreDependencies() throws
    {
        let manifest = try String(
            contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let targets = Manifest.targets(in: manifest)
        #expect(targets.count > 30)
        for (name, folder) in targets.map({ ($0.name, $0.folder) }) {
            let known = Set(targets.map(\.name))
            let named = targets.first { $0.name == name }?.dependencies ?? []
            for file in SourceTree.sources + SourceTree.tests
            where file.path.hasPrefix(folder + "/") {
                for module in Manifest.imports(in: file.code).intersection(known) {
                    #expect(named.contains(module), "\(file.path) imports \(module)")
                }
            }
        }
    }

    @Test("The check sees an import that is not declared") func checkSeesUndeclaredImport() {
        let manifest = #"""
            core("Clock", []),
            edge(
                "Reactor",
                ["CLinux", "Clock"]),
            program("track-bench", ["Daemon"], path: "Tests/Bench/Track"),
            """#
        let targets = Manifest.targets(in: manifest)
        #expect(targets.map(\.name) == ["Clock", "Reactor", "track-bench"])
        #expect(targets[1].dependencies == ["CLinux", "Clock"])
        #expect(targets[2].folder == "Tests/Bench/Track")
        #expect(
            Manifest.imports(in: "package import Clock\n@testable import Fleet\n") == [
                "Clock", "Fleet",
            ])
    }
}

/// Reads Package.swift as text, without running it.
enum Manifest {
    struct Target {
        var name: String
        var folder: String
        var dependencies: Set<String>
    }

    static func targets(in manifest: String) -> [Target] {
        let declaration = #/(core|edge|program|tests)\(\s*"([\w-]+)",\s*\[([^\]]*)\]([^)]*)\)/#
        return manifest.matches(of: declaration).map { match in
            let name = String(match.output.2)
            let rest = String(match.output.4)
            let path = rest.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.output.1) }
            let root = match.output.1 == "tests" ? "Tests/" : "Sources/"
            return Target(
                name: name, folder: path ?? root + name,
                dependencies: Set(match.output.3.matches(of: #/"(\w+)"/#).map { String($0.1) }))
        }
    }

    static func imports(in code: String) -> Set<String> {
        let line = #/(?m)^(?:@testable )?(?:package |internal |private )?import (\w+)$/#
        return Set(code.matches(of: line).map { String($0.output.1) })
    }
}
