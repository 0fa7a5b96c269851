import Clock
import Glibc
import LineProtocol
import Navigation
import OsmoProtocol
import TrackFormat

/// The files that the daemon would have written of a drive.
final class FilmLogs {
    private let folder: String
    private let start: UnixTime
    private var texts: [TrackFileKind: [UInt8]] = [:]

    init?(_ folder: String, from start: UnixTime) {
        self.folder = folder
        self.start = start
        if mkdir(folder, 0o755) != 0, errno != EEXIST { return nil }
        for kind in TrackFileKind.allCases { texts[kind] = Array(kind.header.utf8) }
    }

    /// A push of the drive, and the epoch that it was carried from.
    func push(
        _ position: CarriedPosition, _ push: GPSPush, took: [String], recording: [String],
        at now: Instant
    ) {
        guard let time = position.fix.time else { return }
        let sent = PushRow.Sent(
            latitudeE7: push.latitudeE7, longitudeE7: push.longitudeE7,
            heightMillimetres: push.heightMillimetres, date: push.date, time: push.time,
            isVoid: push.isVoid)
        texts[.pushes]? += PushRow.line(
            position, utc: time, sent: now, fields: sent, took: took, dropped: [])
        let epoch = ClosedEpoch(
            fix: position.fix, sequence: position.epochSequence, pushedCameras: took.count,
            recording: recording, timeTrusted: true)
        texts[.track]? += TrackRow.line(epoch, time: time)
    }

    /// A camera is there.
    func ready(_ name: String, _ model: CameraModel, at now: Instant) {
        let notice = Notice(
            kind: .camera, name: name,
            fields: [Field("state", "ready"), Field("model", model.description)], instant: now,
            utc: start)
        texts[.events]? += EventRow.line(notice, place: nil)
    }

    /// A recording began or ended, and the camera's status said so.
    func record(_ name: String, _ isOn: Bool, time: UnixTime, at now: Instant) {
        func line(_ fields: [Field], _ late: TimeSpan) {
            let notice = Notice(
                kind: .record, name: name, fields: fields, instant: now + late, utc: time + late)
            texts[.events]? += EventRow.line(notice, place: nil)
        }
        line([Field("state", "sent"), Field("action", isOn ? "start" : "stop")], .zero)
        line(
            [Field("state", "acknowledged"), Field("action", isOn ? "start" : "stop")],
            .milliseconds(60))
        line([Field("state", isOn ? "started" : "stopped")], .milliseconds(400))
    }

    /// - Returns: whether all of it was written.
    func finish() -> Bool {
        for kind in TrackFileKind.allCases {
            let path = "\(folder)/\(TrackFileName(kind: kind, time: start).text)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            var rest = (texts[kind] ?? [])[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else { return false }
                rest = rest.dropFirst(max(0, count))
            }
        }
        return true
    }
}
