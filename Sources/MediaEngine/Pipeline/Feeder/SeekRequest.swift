import MediaCore

/// A seek in the media time of an entry.
struct SeekRequest {
    /// The identifier that is reported on completion; 0 if no completion is reported.
    var id: UInt64
    var target: MediaTime
    var toleranceBefore: MediaTime
    var toleranceAfter: MediaTime
    var entry: PlaybackEntry
    /// Whether the source requested the seek. Its target may be closer to the live edge than other seeks are allowed.
    var isJump = false
    /// Whether a seek beyond the end of a loop stops there, like a seek in an item that does not loop. Playback then
    /// continues with the next pass.
    var holdsAtEnd = false
    /// The loop number from the target on; `nil` for the current one.
    var loopNumber: Int?

    /// Creates an exact seek without a completion.
    static func exact(
        _ target: MediaTime, in entry: PlaybackEntry, holdsAtEnd: Bool = false, loopNumber: Int? = nil
    ) -> SeekRequest {
        SeekRequest(
            id: 0, target: target, toleranceBefore: 0, toleranceAfter: 0, entry: entry, holdsAtEnd: holdsAtEnd,
            loopNumber: loopNumber)
    }
}
