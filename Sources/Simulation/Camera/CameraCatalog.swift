package import OsmoProtocol

/// Makes any number of cameras: the same count and seed give the same cameras everywhere.
package enum CameraCatalog {
    /// The models in turn.
    package static let models: [CameraModel] = [.action4, .action5Pro, .action6, .osmo360]

    /// A public address with a prefix of DJI's, another for each number.
    package static func address(of number: Int) -> BluetoothAddress {
        BluetoothAddress(value: 0x6060_1FC0_0000 | UInt64(number & 0xFFFF))
    }

    /// - Parameters:
    ///   - models: used in turn; the four by default.
    ///   - words: `key=value,…` for `Behaviour.set`, for all of them.
    /// - Throws: the word that was not understood.
    package static func cameras(
        count: Int, models: [CameraModel] = CameraCatalog.models, behaviour words: String = "",
        seed: UInt64
    ) throws(UnknownWord) -> [SimulatedCamera] {
        var cameras: [SimulatedCamera] = []
        for number in 0..<count {
            let model = models[number % models.count]
            var behaviour = Behaviour(model: model)
            if let word = behaviour.set(words: words) { throw UnknownWord(word: word) }
            cameras.append(
                SimulatedCamera(
                    address: address(of: number), model: model, behaviour: behaviour,
                    seed: seed &+ UInt64(number)))
        }
        return cameras
    }

    /// A word that `Behaviour.set` does not know.
    package struct UnknownWord: Error, Equatable, Sendable {
        /// The whole word, as it stood in the argument.
        package var word: String
    }
}

extension CameraModel {
    /// `action4`, `action5pro`, `action6`, `osmo360`: how it is called in arguments.
    package init?(word: some StringProtocol) {
        switch word {
        case "action4": self = .action4
        case "action5pro": self = .action5Pro
        case "action6": self = .action6
        case "osmo360": self = .osmo360
        default: return nil
        }
    }

    /// The word for this model that `init(word:)` reads; 0xNNNN for a model without one.
    package var word: String {
        switch self {
        case .action4: "action4"
        case .action5Pro: "action5pro"
        case .action6: "action6"
        case .osmo360: "osmo360"
        case .other: description
        }
    }
}
