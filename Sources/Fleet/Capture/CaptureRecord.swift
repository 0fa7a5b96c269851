package import Clock
import LineProtocol
internal import OsmoProtocol
package import RadioPort

/// One line of a capture: a frame either way, an event of a link, or an advertisement of a camera
/// of ours. It holds positions as the cameras got them.
///
/// `{"mono_s":1.5,"utc":"2026-07-01T10:00:00.100Z","camera":"60:…","adapter":"AA:…","kind":"in",
/// "hex":"AA…"}`; `kind` is `in`, `out`, `link` (with `event` and, when it opens, `mtu` and `path`)
/// or `advert` (with `model` and `rssi`).
package struct CaptureRecord: Equatable, Sendable {
    /// A frame that went out, or bytes that came in.
    package enum Content: Equatable, Sendable {
        /// A notification, as it came.
        case incoming([UInt8])
        /// A frame that was handed to the link.
        case outgoing([UInt8])
        case linkOpen(LinkParameters)
        /// Any other event of the link, in a few words.
        case link(String)
        case advertisement(model: String, rssi: Int?)
    }

    /// On the monotonic clock.
    package var instant: Instant
    /// nil before time is trusted.
    package var utc: UnixTime?
    /// Camera and adapter.
    package var link: LinkID
    /// What went over the link.
    package var content: Content

    /// One line of a capture.
    package init(instant: Instant, utc: UnixTime?, link: LinkID, content: Content) {
        self.instant = instant
        self.utc = utc
        self.link = link
        self.content = content
    }

    /// One JSON object without its LF.
    package var line: String {
        var members: [JSONValue.Member] = [
            .init("mono_s", .decimal(instant.seconds, places: 6)),
            .init("utc", .text(utc.map { LineText.instant($0) })),
            .init("camera", .text(link.camera.description)),
            .init("adapter", .text(link.adapter.description)),
        ]
        switch content {
        case .incoming(let bytes):
            members += [.init("kind", .text("in")), .init("hex", .text(bytes.hexadecimal))]
        case .outgoing(let bytes):
            members += [.init("kind", .text("out")), .init("hex", .text(bytes.hexadecimal))]
        case .linkOpen(let parameters):
            members += [
                .init("kind", .text("link")), .init("event", .text("open")),
                .init("mtu", .integer(parameters.mtu)),
                .init("path", .text(parameters.path.rawValue)),
            ]
        case .link(let event):
            members += [.init("kind", .text("link")), .init("event", .text(event))]
        case .advertisement(let model, let rssi):
            members += [
                .init("kind", .text("advert")), .init("model", .text(model)),
                .init("rssi", .integer(rssi)),
            ]
        }
        return JSONValue.object(members).line
    }

    /// Reads a line; nil for what is none of a capture's. UTC is not read back.
    package init?(line: some StringProtocol) {
        guard let value = JSONValue(line), let seconds = value["mono_s"]?.number,
            seconds.isFinite, (0...9e9).contains(seconds),
            let camera = value["camera"]?.word.flatMap({ BluetoothAddress($0) }),
            let adapter = value["adapter"]?.word.flatMap({ BluetoothAddress($0) }),
            let kind = value["kind"]?.word, let content = Content(kind, value)
        else { return nil }
        instant = .zero + .seconds(seconds)
        link = LinkID(camera: camera, adapter: adapter)
        self.content = content
    }
}

extension CaptureRecord.Content {
    fileprivate init?(_ kind: String, _ value: JSONValue) {
        switch kind {
        case "in", "out":
            guard let bytes = value["hex"]?.word.flatMap({ [UInt8](hexadecimal: $0) }) else {
                return nil
            }
            self = kind == "in" ? .incoming(bytes) : .outgoing(bytes)
        case "link":
            guard let event = value["event"]?.word else { return nil }
            guard event == "open" else {
                self = .link(event)
                return
            }
            guard case .integer(let mtu) = value["mtu"],
                let path = value["path"]?.word.flatMap(LinkParameters.WritePath.init(rawValue:))
            else { return nil }
            self = .linkOpen(LinkParameters(mtu: mtu, path: path))
        case "advert":
            var rssi: Int?
            if case .integer(let heard) = value["rssi"] { rssi = heard }
            self = .advertisement(model: value["model"]?.word ?? "?", rssi: rssi)
        default: return nil
        }
    }
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let number, _): number
        case .null, .flag, .text, .list, .object: nil
        }
    }
}
