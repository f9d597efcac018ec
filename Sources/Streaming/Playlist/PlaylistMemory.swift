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
