/// The lines of a playlist, read in order.
struct PlaylistLines {
    let text: Bytes
    /// The offset of the next line's first byte.
    private(set) var position = 0
    /// The number of the last line read, from 1. 0 before the first line.
    private(set) var number = 0
    /// Whether the last line read has a line ending. Otherwise the next version of the playlist may continue the line.
    private(set) var isComplete = true

    init(_ text: Bytes) {
        self.text = text
        // RFC 8216 §4.1 forbids a byte order mark, but some servers send one.
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { position = 3 }
    }

    /// Returns the next line without leading and trailing spaces, or nil at the end of the text.
    mutating func next() -> Bytes? {
        guard position < text.count else { return nil }
        var end = text.position(of: 0x0A, from: position)
        // A carriage return without a line feed also ends a line.
        let rest = text.slice(position, end ?? text.count)
        if let mark = rest.position(of: 0x0D), end == nil || mark + 1 < rest.count { end = position + mark }
        let content = text.slice(position, end ?? text.count).trimmed
        position = end.map { $0 + 1 } ?? text.count
        isComplete = end != nil
        number += 1
        return content
    }

    /// Skips all text before `mark`.
    mutating func skip(to mark: PlaylistMemory.Mark) {
        position = mark.end
        number = mark.line
    }
}
