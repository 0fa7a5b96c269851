import Clock
import Footage

/// A clip and what was found out about it.
struct MatchedClip {
    private(set) var item: ClipShelf.Item
    var placement: Placement?
    /// As it is called in the roster; nil where nothing tells.
    var camera: String?
    /// Pushes that were sent while it was filmed and never came to be seen; nil where that is not
    /// known.
    var lost: Int?
    var sent: Int?
    /// Why it is not placed better, a sentence each.
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

    /// Clips of one camera share it. One without a serial number stands for itself.
    var rigKey: String {
        clip.camera.serial.isEmpty ? item.path : clip.camera.schema + " " + clip.camera.serial
    }
}
