import Foundation
import Testing

/// A folder for one test, removed with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/geotagd-test-XXXXXX"
        var bytes = Array(template.utf8CString)
        path = try #require(mkdtemp(&bytes).map { String(cString: $0) })
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + name).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    /// The mode of a file or folder in it; 0 where there is none.
    func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 ? status.st_mode : 0
    }
}
