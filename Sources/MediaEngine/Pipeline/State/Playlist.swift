import MediaCore

/// The entries to play, and the order in which they follow each other.
struct Playlist {
    var entries: [PlaybackEntry] = []
    /// The overlap of two items; 0 for none (`CrossfadeTail`).
    var crossfade: MediaTime = 0
    /// The entry that has failed. No frame of it is expected.
    var abandoned: PlaybackEntry?
    /// Whether playback continues with the next entry at the end of an entry.
    var feedsNext = true
    /// Whether the first entry has to be opened.
    var pendingOpen = false
    /// The entry that is being opened or was opened last, even if the opening failed.
    var opening: PlaybackEntry?
    /// Whether the opening is left to the pending seek, which opens the entry at its target.
    var isOpeningSought = false
    /// The entry being opened to follow the segments that were read; `nil` if there is none, or if another one follows.
    var joining: PlaybackEntry?

    func contains(_ entry: PlaybackEntry?) -> Bool { entries.contains { $0 === entry } }

    /// Returns the entry that follows `segment`: the segment's own entry for another pass, or the next entry; `nil` if
    /// none follows.
    func follower(of segment: Segment) -> PlaybackEntry? {
        if segment.entry.hasNextPass(after: segment.loopNumber) { return segment.entry }
        guard feedsNext, let index = entries.firstIndex(where: { $0 === segment.entry }) else { return nil }
        return index + 1 < entries.count ? entries[index + 1] : nil
    }

    func wantsMore(after segment: Segment) -> Bool { !segment.holdsAtEnd && follower(of: segment) != nil }
}
