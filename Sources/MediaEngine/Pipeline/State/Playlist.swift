import MediaCore

/// What plays and what follows it.
struct Playlist {
    var entries: [PlaybackEntry] = []
    /// How long items overlap; 0: not at all (`CrossfadeTail`).
    var crossfade: MediaTime = 0
    /// Nothing more is to come of it: it failed.
    var abandoned: PlaybackEntry?
    /// An entry is followed by the next; else by nothing.
    var feedsNext = true
    /// Its first entry is to be opened.
    var pendingOpen = false
    /// The entry being opened or, after it failed, the one that did.
    var opening: PlaybackEntry?
    /// That is left to the seek that waits, which opens it at its target.
    var isOpeningSought = false
    /// The entry being opened to follow what has been read; nil also when it is not to follow any more.
    var joining: PlaybackEntry?

    func contains(_ entry: PlaybackEntry?) -> Bool { entries.contains { $0 === entry } }

    /// What follows `segment`: another pass of its entry, or the next one.
    func follower(of segment: Segment) -> PlaybackEntry? {
        if segment.entry.goesRound(after: segment.round) { return segment.entry }
        guard feedsNext, let index = entries.firstIndex(where: { $0 === segment.entry }) else { return nil }
        return index + 1 < entries.count ? entries[index + 1] : nil
    }

    func wantsMore(after segment: Segment) -> Bool { !segment.holdsAtEnd && follower(of: segment) != nil }
}
