import MediaCore

/// What a seek asks for, in the entry's media time.
struct SeekRequest {
    /// Its answer's number; 0: nobody waits for one.
    var id: UInt64
    var target: MediaTime
    var toleranceBefore: MediaTime
    var toleranceAfter: MediaTime
    var entry: PlaybackEntry
    /// The source itself has said where playing goes on, nearer to live maybe than one may seek.
    var isJump = false
    /// Beyond a loop's end it stands there, as one that does not loop; playing on begins the next pass.
    var holdsAtEnd = false
    /// The pass that begins there; nil: it stays in the one that is under way.
    var round: Int?

    /// Exactly there, for nobody who waits.
    static func exact(
        _ target: MediaTime, in entry: PlaybackEntry, holdsAtEnd: Bool = false, round: Int? = nil
    ) -> SeekRequest {
        SeekRequest(
            id: 0, target: target, toleranceBefore: 0, toleranceAfter: 0, entry: entry, holdsAtEnd: holdsAtEnd,
            round: round)
    }
}
