import Fleet
package import LineProtocol
import OsmoProtocol

/// The data lines of the verbs that look.
extension DaemonStatus {
    /// `gps - …`
    package var gpsLine: ReplyLine { line("gps", "-", StatusMembers.gps(rig.gps)) }

    /// `status`: receiver, pushes, cameras, and behind them adapters and track.
    package var lines: [ReplyLine] {
        [gpsLine, line("push", "-", StatusMembers.push(rig.push))] + cameraLines
            + rig.adapters.map { adapter in
                line("adapter", adapter.address.description, StatusMembers.adapter(adapter))
            } + [line("track", "-", StatusMembers.track(track))]
    }

    /// `cameras`: the roster, then strangers in range.
    package var cameraLines: [ReplyLine] {
        rig.cameras.map { line("camera", $0.name, StatusMembers.camera($0)) }
    }

    /// `camera TARGET`: all that is known of each.
    package func cameraLines(of target: Target) throws(NoSuchCamera) -> [ReplyLine] {
        try cameras(target).map { camera in
            let members =
                StatusMembers.camera(camera)
                + StatusMembers.details(camera, at: instant, uptime: uptime)
            return line("camera", camera.name, members)
        }
    }

    /// `modes TARGET`: one line a mode that one of them may take, as far as is known.
    package func modeLines(of target: Target) throws(NoSuchCamera) -> [ReplyLine] {
        let cameras = try cameras(target)
        return CameraMode.named.compactMap { mode in
            let names = cameras.filter { $0.mayTake(mode) }.map(\.name)
            guard !names.isEmpty else { return nil }
            return ReplyLine(
                kind: "mode", name: mode.description,
                fields: [
                    Field("code", hexadecimalWord(mode.rawValue)),
                    Field("cameras", names.joined(separator: ",")),
                ])
        }
    }

    /// The cameras that a target means: `all` is the roster; others may be named too.
    private func cameras(_ target: Target) throws(NoSuchCamera) -> [CameraSummary] {
        switch target {
        case .all:
            let roster = rig.cameras.filter { $0.number != nil }
            guard !roster.isEmpty else { throw .emptyRoster }
            return roster
        case .these(let words):
            var found: [CameraSummary] = []
            for word in words {
                guard let camera = rig.cameras.first(where: { $0.isCalled(word) }) else {
                    throw .unknown(word)
                }
                if !found.contains(where: { $0.address == camera.address }) { found.append(camera) }
            }
            return found
        }
    }

    private func line(_ kind: String, _ name: String, _ members: [JSONValue.Member]) -> ReplyLine {
        let fields = members.compactMap { member in
            member.value.word.map { Field(member.key, $0) }
        }
        return ReplyLine(kind: kind, name: name, fields: fields)
    }
}

/// Why a target means nobody.
package enum NoSuchCamera: Error, Equatable, Sendable {
    case emptyRoster
    case unknown(String)

    /// The end of the reply.
    package var end: ReplyEnd {
        switch self {
        case .emptyRoster:
            .error(.noCamera, "the roster is empty: name cameras in the configuration, or pair")
        case .unknown(let word):
            .error(.noCamera, "no camera called \(LineText.value(word)); cameras lists them")
        }
    }
}

extension CameraSummary {
    /// By name, address in any case, or number.
    fileprivate func isCalled(_ word: String) -> Bool {
        if name == word { return true }
        if let address = BluetoothAddress(word) { return address == self.address }
        guard let number else { return false }
        return word.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(word) == number
    }

    /// Whether its model has the mode, and the camera has not refused it in this session.
    fileprivate func mayTake(_ mode: CameraMode) -> Bool {
        guard !refusedModes.contains(mode.rawValue) else { return false }
        switch model {
        case .osmo360, .other: return true
        case .action4, .action5Pro, .action6, nil: return !mode.hidesResolution
        }
    }
}
