/// The text of a live playlist and where its segments lie in it: a reload parses only what differs.
/// What is remembered is not what the playlist says, so it takes no part in comparison.
struct PlaylistMemory: Sendable, Equatable {
    /// Empty: nothing is remembered.
    var text: [UInt8] = []
    /// Media sequence number of the first segment that `text` holds; others came from earlier texts.
    var firstMediaSequence = 0
    /// For each segment: the byte after its URI's line, and how many lines end before it.
    var marks: [Mark] = []
    /// For each of the playlist's date ranges: the number of the segment that it stands before.
    var dateRangePlaces: [Int] = []
    /// Only tags of segments stand between the segments, so a stretch of text means the same wherever it stands.
    var isRegular = false

    struct Mark: Sendable {
        var end: Int
        var line: Int
    }

    static func == (_: PlaylistMemory, _: PlaylistMemory) -> Bool { true }
}

/// A `PlaylistMemory` in the making.
struct MemoryReading {
    var marks: [PlaylistMemory.Mark] = []
    /// The media sequence number of the first mark; nil while there is none.
    var firstMarked: Int?
    var dateRangePlaces: [Int] = []
    var isRegular = true
    /// Whether a tag of the playlist's end has come. If segments follow it, the text is not regular.
    var hasTailTags = false

    /// Notes where the segment with the media sequence number `sequence` ends.
    mutating func add(_ mark: PlaylistMemory.Mark, of sequence: Int) {
        if firstMarked == nil { firstMarked = sequence }
        marks.append(mark)
        if hasTailTags { isRegular = false }
    }

    mutating func renumber(by step: Int) {
        firstMarked = firstMarked.map { $0 + step }
        for index in dateRangePlaces.indices { dateRangePlaces[index] += step }
    }

    /// - Parameter firstMediaSequence: The playlist's, for a playlist without segments.
    func finished(_ text: Bytes, firstMediaSequence: Int) -> PlaylistMemory {
        PlaylistMemory(
            text: Array(text), firstMediaSequence: firstMarked ?? firstMediaSequence, marks: marks,
            dateRangePlaces: dateRangePlaces, isRegular: isRegular)
    }
}
