import RadioPort
import Reactor

/// One camera on its way from Connect to an open link and back.
///
/// | stage | left by | to |
/// | --- | --- | --- |
/// | queued | StopDiscovery answered | connecting |
/// | found | ServicesResolved | resolving |
/// | found | Connected false | queued |
/// | found | 1 s passes | replacing |
/// | replacing | Disconnect answered | queued |
/// | connecting | Connect ok, or services resolved without it | resolving |
/// | connecting | an error | gone |
/// | connecting | no answer | late |
/// | late | Connected after all | resolving |
/// | resolving | Connected, ServicesResolved and both characteristics | subscribing |
/// | resolving | resolved, but 2 s later still no characteristics | failed |
/// | subscribing | StartNotify ok | acquiring |
/// | acquiring | AcquireWrite ok, or WriteValue possible | open |
/// | subscribing, acquiring | an error, a small MTU | failed |
/// | open | the descriptor hung up, and 1 s later still Connected | failed |
/// | any | Connected false, device or adapter gone, Disconnect answered | gone |
final class Link {
    enum Stage {
        case queued
        /// BlueZ holds a link already; its services are awaited.
        case found
        /// Nothing can come of the link that stands; it is being ended first.
        case replacing
        case connecting
        case late
        case resolving
        case subscribing
        case acquiring
        case open(WritePath)
        case failed
    }

    /// How frames get out of an open link.
    enum WritePath {
        case descriptor(AcquiredDescriptor)
        case call(WriteCall)
    }

    /// Writing by WriteValue.
    struct WriteCall {
        /// The characteristic.
        var path: String
        /// "command" where the camera offers it, else "request".
        var type: String
        var mtu: Int
        /// One at a time: what comes meanwhile is dropped, not queued.
        var isInFlight = false
        /// In a row.
        var failures = 0
    }

    let id: LinkID
    /// The device's object path.
    let path: String
    var stage: Stage
    /// `connectEnded(.ok)` or `linkOpen` was posted, so that `linkClosed` is owed.
    var isUp = false
    /// Connected was seen true since: before that false only means "not yet".
    var wasConnected = false
    /// The characteristic that notifies, once subscribed to.
    var notifyPath: String?
    /// The wait of the moment: for characteristics, for the end after a hang-up or Disconnect.
    var grace: Timer?

    init(_ id: LinkID, path: String, stage: Stage) {
        self.id = id
        self.path = path
        self.stage = stage
    }

    var isOpen: Bool {
        if case .open = stage { true } else { false }
    }
}
