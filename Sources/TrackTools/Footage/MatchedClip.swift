import Clock
import Footage

/// A clip and everything that was found out about it.
struct MatchedClip {
    private(set) var item: ClipShelf.Item
    var placement: Placement?
    /// The camera's name in the roster; nil where nothing tells.
    var camera: String?
    /// Pushes that were sent while it was filmed and that no frame shows; nil where that is not
    /// known.
    var lost: Int?
    var sent: Int?
    /// Reasons why it is not placed better, a sentence each.
    var notes: [String] = []

    init(_ item: ClipShelf.Item) {
        self.item = item
        if item.clip.isTimelapse { notes.append("a timelapse") }
        if item.clip.isCut { notes.append("cut: its last frames are missing") }
        if item.clip.clockBroke { notes.append("its clock begins anew within it") }
    }

    var clip: FilmedClip { item.clip }

    /// Its memory, once its time is known.
    mutating func forgetPositions() { item.clip.runs = [] }

    /// The same for all clips of one camera. A clip without a serial number has a key of its own.
    var rigKey: String {
        clip.camera.serial.isEmpty ? item.path : clip.camera.schema + " " + clip.camera.serial
    }
}
