package import Clock
import OsmoProtocol

/// One thing that happened: `! KIND NAME key=value …` for clients, a row of the events file, a log
/// line. One vocabulary for the three.
package struct Notice: Equatable, Sendable {
    /// Contract 5.2; and those of contract 5.3 that only the file and the log have.
    package enum Kind: String, Sendable, CaseIterable {
        case camera, record, alarm, mode, battery, card, temperature, gps, track, adapter, mark
        case bluetooth
        case photo, clock, push, daemon
    }

    package var kind: Kind
    /// A camera's name, an adapter's address, or "-".
    package var name: String
    /// In order; keys are bare words.
    package var fields: [Field]
    package var instant: Instant
    /// nil before time is trusted.
    package var utc: UnixTime?

    package init(kind: Kind, name: String, fields: [Field], instant: Instant, utc: UnixTime?) {
        self.kind = kind
        self.name = name
        self.fields = fields
        self.instant = instant
        self.utc = utc
    }
}

/// A `key=value` of a reply or a notice. Quoting happens where it is written out.
package struct Field: Equatable, Sendable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}
