/// Finds where the whole lines of a file end, from its end backwards, a block at a time.
///
/// A power cut leaves half a line, or zeros where the file was longer than its data. A cut last
/// row is dangerous: tools read it as a position far away (field notes B3).
package struct TrackTail: Sendable {
    /// What to do next.
    package enum Step: Equatable, Sendable {
        /// Hand over these bytes of the file.
        case read(Range<Int>)
        /// So many bytes at the start of the file are whole lines, and what follows is to be cut
        /// off.
        case keep(Int)
    }

    /// Bytes looked at in the first step: enough for an unharmed file.
    package static let firstBlock = 4096
    /// Bytes looked at in each later step.
    package static let block = 65_536

    /// Nothing at or behind this offset is kept.
    private var end: Int
    private var blockSize = TrackTail.firstBlock

    /// - Parameter size: of the file, in bytes.
    package init(size: Int) { end = size }

    /// The first step, and the one after each answer: read on, or the result.
    package var next: Step { end == 0 ? .keep(0) : .read(max(0, end - blockSize)..<end) }

    /// - Parameter bytes: those that the last step asked for.
    package mutating func handle(_ bytes: [UInt8]) -> Step {
        let start = end - bytes.count
        blockSize = Self.block
        let zero = bytes.firstIndex(of: 0) ?? bytes.endIndex
        if let feed = bytes[..<zero].lastIndex(of: UInt8(ascii: "\n")) {
            return .keep(start + feed + 1)
        }
        end = start
        return next
    }
}
