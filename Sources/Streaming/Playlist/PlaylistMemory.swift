/// The text of a live playlist and the positions of its segments, so that a reload parses only what has changed. The
/// memory is not part of the playlist's content, so all memories are equal when playlists are compared.
struct PlaylistMemory: Sendable, Equatable {
    /// The text, or an empty array if nothing is stored.
    var text: [UInt8] = []
    /// The media sequence number of the first segment in `text`. Segments before it came from earlier texts.
    var firstMediaSequence = 0
    /// The end of each segment: the byte after the line of its URI, and the number of lines before that byte.
    var marks: [Mark] = []
    /// The media sequence number of the segment that follows each of the playlist's date ranges.
    var dateRangeSequences: [Int] = []
    /// Whether only tags of segments occur between the segments. Then a piece of text has the same meaning at any
    /// position.
    var isRegular = false

    struct Mark: Sendable {
        var end: Int
        var line: Int
    }

    static func == (_: PlaylistMemory, _: PlaylistMemory) -> Bool { true }
}

/// A `PlaylistMemory` while the playlist is being parsed.
struct MemoryReading {
    var marks: [PlaylistMemory.Mark] = []
    /// The media sequence number of the first mark, or nil if there is no mark yet.
    var firstMarked: Int?
    var dateRangeSequences: [Int] = []
    var isRegular = true
    /// Whether a tag that belongs after the last segment was read. If segments follow it, the text is not regular.
    var hasTailTags = false

    /// Records the end of the segment with the media sequence number `sequence`.
    mutating func add(_ mark: PlaylistMemory.Mark, of sequence: Int) {
        if firstMarked == nil { firstMarked = sequence }
        marks.append(mark)
        if hasTailTags { isRegular = false }
    }

    mutating func renumber(by step: Int) {
        firstMarked = firstMarked.map { $0 + step }
        for index in dateRangeSequences.indices { dateRangeSequences[index] += step }
    }

    /// Returns the finished memory.
    /// - Parameter firstMediaSequence: The playlist's media sequence number, used if it has no segments.
    func finished(_ text: Bytes, firstMediaSequence: Int) -> PlaylistMemory {
        PlaylistMemory(
            text: Array(text), firstMediaSequence: firstMarked ?? firstMediaSequence, marks: marks,
            dateRangeSequences: dateRangeSequences, isRegular: isRegular)
    }
}
