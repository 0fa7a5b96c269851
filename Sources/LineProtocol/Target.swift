package import OsmoProtocol

/// Which cameras a command is for.
package enum Target: Equatable, Sendable {
    /// The roster.
    case all
    /// Names, addresses or numbers as they were typed; if one of them is unknown, none is
    /// commanded.
    case these([String])

    /// The cameras that are meant, each once, in the order they were asked for (contract 3.2).
    ///
    /// - Parameter cameras: those that there are; `all` means those with a number.
    /// - Throws: the first word that means no camera; then none is commanded.
    package func resolve<Camera: Targetable>(
        among cameras: [Camera]
    ) throws(UnknownTarget) -> [Camera] {
        switch self {
        case .all:
            let roster = cameras.filter { $0.rosterNumber != nil }
            guard !roster.isEmpty else { throw .emptyRoster }
            return roster
        case .these(let words):
            var found: [Camera] = []
            for word in words {
                guard let camera = cameras.first(where: { $0.isCalled(word) }) else {
                    throw .unknown(word, known: cameras.map(\.name))
                }
                if !found.contains(where: { $0.address == camera.address }) { found.append(camera) }
            }
            guard !found.isEmpty else { throw .emptyRoster }
            return found
        }
    }
}

/// A camera that a target can mean.
package protocol Targetable {
    var name: String { get }
    /// 1 to 99; nil for a camera that is not on the roster.
    var rosterNumber: Int? { get }
    var address: BluetoothAddress { get }
}

extension Targetable {
    /// Whether `word` means this camera: its name, its address in any case, or its number without
    /// leading zeros.
    fileprivate func isCalled(_ word: String) -> Bool {
        if name == word { return true }
        if let address = BluetoothAddress(word) { return address == self.address }
        return rosterNumber.map { String($0) == word } ?? false
    }
}

/// Why a target means no camera.
package enum UnknownTarget: Error, Equatable, Sendable {
    case emptyRoster
    /// The word that means no camera, and the names of the cameras that there are.
    case unknown(String, known: [String])

    /// Names that such an answer lists at most.
    package static let maxNames = 16

    /// The message of `ERR no-camera`.
    package var words: String {
        switch self {
        case .emptyRoster: return "the roster is empty: name cameras in the configuration, or pair"
        case .unknown(let word, let known):
            let beginning = "no camera called \(LineText.value(word))"
            guard !known.isEmpty else { return beginning + "; there is none" }
            let more = known.count > Self.maxNames ? ", …" : ""
            let list = known.prefix(Self.maxNames).joined(separator: ", ") + more
            return beginning
                + (Spelling.hint(for: word, among: known).map { $0 + " There are: " }
                    ?? "; there are: ") + list
        }
    }
}
