import Foundation
import Reactor
import Testing

@Suite struct FileDraftTests {
    private let folder: String

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/draft-XXXXXX"
        var bytes = Array(template.utf8CString)
        folder = try #require(mkdtemp(&bytes).map { String(cString: $0) })
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder + "/" + name).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func put(_ text: String, in name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    private func replace(_ name: String, mode: mode_t = 0o640) throws {
        let draft = try FileDraft(replacing: folder + "/" + name, mode: mode)
        try draft.write(Array("new".utf8))
        try draft.commit(isSynced: true)
    }

    @Test("A draft takes its place when it is done, and is gone when it is not")
    func draftTakesPlace() throws {
        defer { clean() }
        try put("old", in: "file")
        do {
            let draft = try FileDraft(replacing: folder + "/file", mode: 0o640)
            try draft.write([65])
            #expect(text("file") == "old")
        }
        #expect(text("file") == "old" && text("file.new") == nil)
        try replace("file")
        #expect(text("file") == "new" && text("file.new") == nil)
    }

    @Test(
        "A link at either name is replaced, and its target stays",
        arguments: ["file", "file.new"])
    func linkReplaced(name: String) throws {
        for makes in [symlink, link] {
            defer { clean() }
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try put("precious", in: "target")
            try #require(makes(folder + "/target", folder + "/" + name) == 0)
            try replace("file")
            #expect(text("target") == "precious")
            #expect(text("file") == "new" && text("file.new") == nil)
        }
    }

    @Test("The mode of a plain file goes on, and no more than that")
    func modeGoesOn() throws {
        defer { clean() }
        try put("old", in: "file")
        chmod(folder + "/file", 0o4604)
        try replace("file")
        var status = stat()
        #expect(stat(folder + "/file", &status) == 0 && status.st_mode & 0o7777 == 0o604)
    }

    @Test("Root gives a file back to its owner, but not to one who planted it in a folder for all")
    func ownerGoesOn() throws {
        defer { clean() }
        guard geteuid() == 0 else { return }
        for (mode, owner) in [(mode_t(0o755), uid_t(1234)), (0o1777, 0)] {
            unlink(folder + "/file")
            chmod(folder, mode)
            try put("old", in: "file")
            chown(folder + "/file", 1234, 1234)
            try replace("file")
            var status = stat()
            #expect(stat(folder + "/file", &status) == 0 && status.st_uid == owner)
        }
    }
}
