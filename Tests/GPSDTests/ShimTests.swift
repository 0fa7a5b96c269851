import Testing

/// The shim is compiled with every version of gps.h that it supports; the installed gps.h is one of
/// them.
@Suite("The libgps shim")
struct ShimTests {
    static func check(api: Int, _ options: String...) throws -> (code: Int32?, text: String) {
        try ChildProcess.run(
            ["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
                + ["-Wno-unused-function", "-Wno-pragma-once-outside-header"]
                + ["-I", Repository.path("Tests/GPSDTests/Headers"), "-DSTUB_API=\(api)"]
                + options + ["-x", "c", Repository.path("Sources/CGPS/shim.h")])
    }

    @Test("It compiles against libgps 3.17 to 3.27", arguments: 6...16)
    func compiles(api: Int) throws {
        let (code, text) = try Self.check(api: api)
        #expect(code == 0, "\(text)")
    }

    @Test("Another API is refused with a sentence", arguments: [5, 17])
    func refuses(api: Int) throws {
        let (code, text) = try Self.check(api: api)
        #expect(code != 0)
        #expect(text.contains("geotagd needs libgps 3.17") || text.contains("compare shim.h"))
    }

    @Test("A newer one may be tried")
    func override() throws {
        let (code, text) = try Self.check(api: 17, "-DGEOTAGD_ANY_LIBGPS")
        #expect(code == 0, "\(text)")
    }
}
