/// The lines of a playlist, read one after the other.
struct PlaylistLines {
    let text: Bytes
    /// The next line's first byte.
    private(set) var position = 0
    /// The number of the line that was read last, from 1; 0 before the first.
    private(set) var number = 0
    /// Whether that line ends in a line feed. At the end of the text it may go on in the next version of the playlist.
    private(set) var isComplete = true

    init(_ text: Bytes) {
        self.text = text
        // A byte order mark (RFC 8216 §4.1 forbids it, and some servers send it).
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { position = 3 }
    }

    /// Without blanks at both ends; nil at the end of the text.
    mutating func next() -> Bytes? {
        guard position < text.count else { return nil }
        var end = text.position(of: 0x0A, from: position)
        // A carriage return alone ends a line as well.
        let rest = text.slice(position, end ?? text.count)
        if let mark = rest.position(of: 0x0D), end == nil || mark + 1 < rest.count { end = position + mark }
        let content = text.slice(position, end ?? text.count).trimmed
        position = end.map { $0 + 1 } ?? text.count
        isComplete = end != nil
        number += 1
        return content
    }

    /// Skips everything before `mark`.
    mutating func skip(to mark: PlaylistMemory.Mark) {
        position = mark.end
        number = mark.line
    }
}
