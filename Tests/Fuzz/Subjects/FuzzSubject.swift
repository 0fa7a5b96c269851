import Glibc

/// A thing that is fuzzed: gets one input after another, and ends the process where a rule is
/// broken.
protocol FuzzSubject: AnyObject {
    /// Inputs to begin with: libFuzzer changes them to find others.
    var seeds: [[UInt8]] { get }
    func take(_ input: [UInt8])
}

/// The subject that FUZZ_SUBJECT names.
enum FuzzChoice {
    /// libFuzzer has one thread and passes no context to its callbacks.
    nonisolated(unsafe) static var subject: (any FuzzSubject)?

    static func make() -> (any FuzzSubject)? {
        switch variable("FUZZ_SUBJECT") {
        case "commands": CommandSubject(folder: variable("FUZZ_FOLDER"))
        case "frames": FrameSubject()
        case "configuration": ConfigurationSubject()
        default: nil
        }
    }

    /// An environment variable; empty where there is none.
    static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}

/// libFuzzer's first call: makes the subject, and puts its seeds into the folder FUZZ_SEEDS.
@_cdecl("LLVMFuzzerInitialize")
func initialize(
    _ count: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
    FuzzChoice.subject = FuzzChoice.make()
    demand(FuzzChoice.subject != nil, "FUZZ_SUBJECT names commands, frames or configuration")
    let folder = FuzzChoice.variable("FUZZ_SEEDS")
    guard !folder.isEmpty else { return 0 }
    for (number, seed) in (FuzzChoice.subject?.seeds ?? []).enumerated() {
        let file = open("\(folder)/seed-\(number)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        demand(file >= 0 && write(file, seed, seed.count) == seed.count, "no seeds in \(folder)")
        close(file)
    }
    return 0
}

/// libFuzzer's call for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> Int32 {
    FuzzChoice.subject?.take(Array(UnsafeBufferPointer(start: bytes, count: length)))
    return 0
}

/// Like `precondition`, but says why in optimised builds too.
func demand(_ holds: Bool, _ words: @autoclosure () -> String) {
    guard !holds else { return }
    let text = Array("\nDOES NOT HOLD: \(words())\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    abort()
}

/// Cuts bytes into pieces as a sender might: of random length, or all in one.
struct Pieces: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private var seed: UInt64
    /// nil for all in one.
    private let longest: Int?

    /// - Parameter longest: greatest number of bytes in a piece, and the seed of the cuts; 0 for
    ///   one piece.
    init(_ bytes: some Collection<UInt8>, longest: UInt8) {
        rest = Array(bytes)[...]
        self.longest = longest == 0 ? nil : Int(longest)
        seed = UInt64(longest)
    }

    mutating func next() -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let count = longest.map { 1 + Int(seed >> 33) % $0 } ?? rest.count
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
