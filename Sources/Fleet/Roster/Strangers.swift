package import Clock
package import OsmoProtocol
package import RadioPort

/// Cameras in range that nobody admitted: listed, never touched.
package struct Strangers: Sendable {
    /// Listed at once.
    package static let bound = 32
    /// Unheard for so long, a stranger is gone: three scans.
    package static let age = TimeSpan.seconds(60)
    /// Where all places are taken, the weakest goes if it is this much weaker or unheard for a scan.
    package static let margin = 10
    /// A signal this old says nothing about who is nearest now.
    package static let freshness = TimeSpan.seconds(10)

    /// One of them.
    package struct Stranger: Equatable, Sendable {
        /// Its Bluetooth address.
        package var address: BluetoothAddress
        /// What it advertises.
        package var advertisement: CameraAdvertisement
        /// As it calls itself; for display only.
        package var advertisedName: String?
        /// The adapter that heard it last.
        package var adapter: BluetoothAddress
        /// Signal strength as last heard, dBm.
        package var rssi: Int
        /// When it was first heard.
        package var since: Instant
        /// When it was last heard.
        package var heard: Instant
        /// It said no: not asked again before this.
        package var refusedUntil: Instant?

        /// The model that it advertises; nil for those that speak another protocol.
        package var model: CameraModel? {
            guard case .supported(let model) = advertisement else { return nil }
            return model
        }
    }

    /// In order of appearance.
    package private(set) var members: [Stranger] = [] {
        didSet { nextDeadline = Self.deadline(of: members) }
    }

    /// When `expire` has something to do. Asked at every turn of the rig, so it is kept at hand.
    package private(set) var nextDeadline = Instant.never

    /// Nobody in range.
    package init() {}

    /// The stranger with this address; nil without one.
    package subscript(address: BluetoothAddress) -> Stranger? {
        members.first { $0.address == address }
    }

    /// A camera that is not on the roster was heard.
    package mutating func hear(_ sighting: Sighting, at now: Instant) {
        guard sighting.advertisement != .notACamera, let rssi = sighting.rssi else { return }
        let address = sighting.link.camera
        if let index = members.firstIndex(where: { $0.address == address }) {
            var member = members[index]
            member.advertisement = sighting.advertisement
            member.advertisedName = sighting.name ?? member.advertisedName
            member.adapter = sighting.link.adapter
            member.rssi = rssi
            member.heard = now
            members[index] = member
            return
        }
        guard members.count < Self.bound || makeRoom(for: rssi, at: now) else { return }
        members.append(
            Stranger(
                address: address, advertisement: sighting.advertisement,
                advertisedName: sighting.name, adapter: sighting.link.adapter, rssi: rssi,
                since: now, heard: now))
    }

    private mutating func makeRoom(for rssi: Int, at now: Instant) -> Bool {
        let spare = members.indices.filter { members[$0].refusedUntil == nil }
        guard let weakest = spare.min(by: { members[$0].rssi < members[$1].rssi }),
            members[weakest].rssi + Self.margin <= rssi
                || now - members[weakest].heard > Discovery.Pace.calm.period
        else { return false }
        members.remove(at: weakest)
        return true
    }

    /// It was admitted, or it is gone.
    package mutating func remove(_ address: BluetoothAddress) {
        members.removeAll { $0.address == address }
    }

    /// It refused us.
    package mutating func refused(_ address: BluetoothAddress, until: Instant) {
        guard let index = members.firstIndex(where: { $0.address == address }) else { return }
        members[index].refusedUntil = until
    }

    /// Lets go of those that are gone and of refusals that are over.
    package mutating func expire(at now: Instant) {
        guard nextDeadline <= now else { return }
        for index in members.indices {
            if let until = members[index].refusedUntil, until <= now {
                members[index].refusedUntil = nil
            }
        }
        members.removeAll { $0.refusedUntil == nil && now - $0.heard >= Self.age }
    }

    private static func deadline(of members: [Stranger]) -> Instant {
        members.reduce(.never) { min($0, $1.refusedUntil ?? $1.heard + Self.age) }
    }

    /// The one to pair with: supported, not refused, heard lately, strongest.
    package func strongest(at now: Instant) -> Stranger? {
        members.filter {
            $0.model != nil && $0.refusedUntil == nil && now - $0.heard <= Self.freshness
        }.max { $0.rssi < $1.rssi }
    }

    /// A name for lists: its kind and its last two octets.
    package static func listName(_ stranger: Stranger) -> String {
        switch stranger.advertisement {
        case .supported(let model): Roster().proposedName(model, stranger.address)
        case .unsupported(let kind): slug(kind) + "-" + Roster.tail(stranger.address)
        case .notACamera: Roster().proposedName(nil, stranger.address)
        }
    }

    /// `Osmo Pocket 3` as `osmopocket3`.
    private static func slug(_ words: String) -> String {
        String(
            decoding: words.lowercased().utf8.filter {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }, as: UTF8.self)
    }
}
