internal import Clock

/// What the client of gpsd does next: connecting, greeting, asking again, giving up, for ever.
///
/// | state | what happens | then |
/// | --- | --- | --- |
/// | `idle` | its time comes | `opening`, gps_open runs |
/// | `opening` | gps_open ends well | `greeting`, WATCH is sent |
/// | `opening` | gps_open fails | `idle` for the back-off |
/// | `greeting` | VERSION or a report | `watching` |
/// | `greeting` | 15 s pass | closed, `idle` for the back-off |
/// | `watching` | 5 s, 10 s without a report | WATCH is sent again |
/// | `watching` | 15 s without a report | closed, `opening` at once |
/// | `greeting`, `watching` | the connection ends | `idle` for the back-off |
///
/// gpsd greets late: with a slow receiver that it is still probing, up to 6 s were seen (field notes
/// A3). A receiver that says nothing makes gpsd silent, and after some resets only a new WATCH or a
/// new connection brings it back (A7.2, A7.3).
struct ClientSession: Equatable {
    enum Input: Equatable {
        case opened
        case openFailed
        /// The greeting.
        case version
        /// A position or a sky of a receiver that is wanted.
        case report
        /// gps_read says that the connection is over.
        case ended
        case wake
    }

    enum Effect: Equatable {
        case open
        case watch
        case close
        /// To be told to the core.
        case connected
        case disconnected
        case trouble(ClientTrouble)
    }

    static let greetingTime = TimeSpan.seconds(15)
    static let watchAgain = TimeSpan.seconds(5)
    static let reopen = TimeSpan.seconds(15)
    static let firstPause = TimeSpan.milliseconds(500)
    static let maxPause = TimeSpan.seconds(10)

    private enum State: Equatable {
        case idle(until: Instant)
        case opening
        case greeting(until: Instant)
        /// `watchAt` is when WATCH goes again.
        case watching(silentSince: Instant, watchAt: Instant)
    }

    private var state: State
    /// Whether the core was told that gpsd is there.
    private var told = false
    /// Doubles with each failure.
    private var pause = firstPause

    init(at now: Instant) { state = .idle(until: now) }

    /// When `wake` has something to do; nil while gps_open runs.
    var nextDeadline: Instant? {
        switch state {
        case .idle(let until), .greeting(let until): until
        case .opening: nil
        case .watching(let silentSince, let watchAt):
            min(watchAt, silentSince + ClientSession.reopen)
        }
    }

    mutating func handle(
        _ input: Input, at now: Instant, using random: inout some RandomNumberGenerator
    ) -> [Effect] {
        switch (state, input) {
        case (.idle(let until), .wake):
            guard now >= until else { return [] }
            state = .opening
            return [.open]
        case (.opening, .opened):
            state = .greeting(until: now + ClientSession.greetingTime)
            return [.watch]
        case (.opening, .openFailed):
            return rest(.unreachable, at: now, using: &random)
        case (.greeting, .version), (.greeting, .report):
            return greet(at: now)
        case (.greeting(let until), .wake):
            guard now >= until else { return [] }
            return [.close] + rest(.noGreeting, at: now, using: &random)
        case (.watching, .report):
            state = .watching(silentSince: now, watchAt: now + ClientSession.watchAgain)
            return []
        case (.watching(let silentSince, let watchAt), .wake):
            return wait(silentSince: silentSince, watchAt: watchAt, at: now)
        case (.greeting, .ended), (.watching, .ended):
            return [.close] + rest(.ended, at: now, using: &random)
        // Nothing else is under way in these states.
        case (.idle, _), (.opening, _), (.greeting, _), (.watching, _):
            return []
        }
    }

    private mutating func greet(at now: Instant) -> [Effect] {
        state = .watching(silentSince: now, watchAt: now + ClientSession.watchAgain)
        pause = ClientSession.firstPause
        if told { return [] }
        told = true
        return [.connected]
    }

    private mutating func wait(
        silentSince: Instant, watchAt: Instant, at now: Instant
    ) -> [Effect] {
        if now - silentSince >= ClientSession.reopen {
            state = .opening
            return [.close, .trouble(.silent), .open]
        }
        guard now >= watchAt else { return [] }
        state = .watching(silentSince: silentSince, watchAt: now + ClientSession.watchAgain)
        return [.watch]
    }

    /// Half of the pause and a random part of the other half, at least the first pause: clients that
    /// lost gpsd together do not come back together.
    private mutating func rest(
        _ trouble: ClientTrouble, at now: Instant, using random: inout some RandomNumberGenerator
    ) -> [Effect] {
        let half = pause.nanoseconds / 2
        let drawn = TimeSpan(nanoseconds: half + Int64.random(in: 0...half, using: &random))
        state = .idle(until: now + max(drawn, ClientSession.firstPause))
        pause = min(pause * 2, ClientSession.maxPause)
        let tell: [Effect] = told ? [.disconnected] : []
        told = false
        return tell + [.trouble(trouble)]
    }
}

/// What keeps the client from hearing gpsd, for the log.
package enum ClientTrouble: String, Sendable, CaseIterable {
    /// gps_open failed: no such host, nobody listens.
    case unreachable
    /// Somebody listens, but does not say what gpsd says first.
    case noGreeting = "no-greeting"
    /// The connection ended.
    case ended
    /// No receiver said anything for 15 s; the connection is made anew.
    case silent
    /// The configured receiver says nothing, while another one that gpsd has does.
    case otherReceiver = "other-receiver"
}
