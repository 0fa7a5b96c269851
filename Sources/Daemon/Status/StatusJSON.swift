import Clock
import Fleet
package import LineProtocol
import OsmoProtocol

extension DaemonStatus {
    /// `status json` (contract 4.7): one line whose keys stay.
    package var json: JSONValue {
        let cameras = rig.cameras.map { camera in
            JSONValue.object(
                [.init("name", .text(camera.name))] + StatusMembers.camera(camera)
                    + StatusMembers.details(camera, at: instant, uptime: uptime))
        }
        let adapters = rig.adapters.map { adapter in
            JSONValue.object(
                [.init("address", .text(adapter.address.description))]
                    + StatusMembers.adapter(adapter))
        }
        return .object([
            .init("version", .text(version)),
            .init("uptime_s", .decimal(uptime.seconds, places: 1)),
            .init("gps", .object(StatusMembers.gps(rig.gps))),
            .init("push", .object(StatusMembers.push(rig.push))),
            .init("cameras", .list(cameras)),
            .init("adapters", .list(adapters)),
            .init("track", .object(StatusMembers.track(track))),
            .init("log_level", .text(logLevel.rawValue)),
            .init("bluetooth", .object(StatusMembers.bluetooth(bluetooth))),
            .init("auto", .object(StatusMembers.auto(rig.auto))),
        ])
    }
}
