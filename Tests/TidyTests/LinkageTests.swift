import Foundation
import Testing

@Suite struct LinkageTests {
    /// Where the programs of this build lie: beside the test bundle.
    private static let products = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath().deletingLastPathComponent()

    @Test("A program does not link Foundation", arguments: ["geotagd", "geotagctl", "geotag-sim"])
    func programDoesNotLinkFoundation(program: String) throws {
        let file = try Data(contentsOf: Self.products.appendingPathComponent(program))
        // The names of needed libraries stand in the dynamic string table.
        #expect(file.range(of: Data("libswiftCore.so".utf8)) != nil, "not linked dynamically?")
        #expect(file.range(of: Data("libFoundation".utf8)) == nil)
        #expect(file.range(of: Data("lib_Foundation".utf8)) == nil)
    }

    @Test("The daemon links the two libraries that it names") func daemonLinksTwoLibrariesNames()
        throws
    {
        let file = try Data(contentsOf: Self.products.appendingPathComponent("geotagd"))
        #expect(file.range(of: Data("libdbus-1.so".utf8)) != nil)
        #expect(file.range(of: Data("libgps.so".utf8)) != nil)
    }
}
