package import Clock
import OsmoProtocol

/// One thing that happened: `! KIND NAME key=value …` for clients, a row of the events file, a log
/// line. All three use the same words.
package struct Notice: Equatable, Sendable {
    /// The kinds of contract 5.2, which clients see, and those of contract 5.3, which only the file
    /// and the log have.
    package enum Kind: String, Sendable, CaseIterable {
        case camera, record, alarm, mode, battery, card, temperature, gps, track, adapter, mark
        case bluetooth, auto
        case photo, clock, push, daemon
    }

    /// What it is about: the first word behind the `!`.
    package var kind: Kind
    /// A camera's name, an adapter's address, or "-".
    package var name: String
    /// In order; keys are bare words.
    package var fields: [Field]
    /// When it happened, by the daemon's monotonic clock.
    package var instant: Instant
    /// nil before time is trusted.
    package var utc: UnixTime?

    /// A notice. `utc` is that of `instant`.
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
    /// A bare word.
    package var key: String
    /// The text as it is, before quoting.
    package var value: String

    /// A field; nothing is quoted yet.
    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}
