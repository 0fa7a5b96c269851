import Fleet
package import LineProtocol
import OsmoProtocol

/// The data lines of the verbs that look.
extension DaemonStatus {
    /// `gps - …`
    package var gpsLine: ReplyLine { line("gps", "-", StatusMembers.gps(rig.gps)) }

    /// `auto - …`: what is nobody or nowhere is `-` here.
    package var autoLine: ReplyLine {
        let fields = StatusMembers.auto(rig.auto).map { Field($0.key, $0.value.word ?? "-") }
        return ReplyLine(kind: "auto", name: "-", fields: fields)
    }

    /// `status`: receiver, pushes, Bluetooth, cameras, and behind them adapters, track and rules.
    package var lines: [ReplyLine] {
        [
            gpsLine, line("push", "-", StatusMembers.push(rig.push)),
            line("bluetooth", "-", StatusMembers.bluetooth(bluetooth)),
        ] + cameraLines
            + rig.adapters.map { adapter in
                line("adapter", adapter.address.description, StatusMembers.adapter(adapter))
            } + [line("track", "-", StatusMembers.track(track)), autoLine]
    }

    /// `cameras`: the roster, then strangers in range.
    package var cameraLines: [ReplyLine] {
        rig.cameras.map { line("camera", $0.name, StatusMembers.camera($0)) }
    }

    /// `camera TARGET`: all that is known of each.
    package func cameraLines(of target: Target) throws(UnknownTarget) -> [ReplyLine] {
        try target.resolve(among: rig.cameras).map { camera in
            let members =
                StatusMembers.camera(camera)
                + StatusMembers.details(camera, at: instant, uptime: uptime)
            return line("camera", camera.name, members)
        }
    }

    /// `modes TARGET`: one line a mode that one of them may take, as far as is known.
    package func modeLines(of target: Target) throws(UnknownTarget) -> [ReplyLine] {
        let cameras = try target.resolve(among: rig.cameras)
        return CameraMode.named.compactMap { mode in
            let names = cameras.filter { $0.offeredModes.contains(mode) }.map(\.name)
            guard !names.isEmpty else { return nil }
            return ReplyLine(
                kind: "mode", name: mode.description,
                fields: [
                    Field("code", hexadecimalWord(mode.rawValue)),
                    Field("cameras", names.joined(separator: ",")),
                ])
        }
    }

    private func line(_ kind: String, _ name: String, _ members: [JSONValue.Member]) -> ReplyLine {
        let fields = members.compactMap { member in
            member.value.word.map { Field(member.key, $0) }
        }
        return ReplyLine(kind: kind, name: name, fields: fields)
    }
}
