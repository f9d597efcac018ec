import MediaCore

/// A part of the timeline in which one pass of one entry plays. Its position on the timeline becomes known during
/// playback and is stored in `Timeline`.
final class Segment: Sendable {
    let index: Int
    let entry: PlaybackEntry
    /// The number of the pass, from 0. Each seek resets it.
    let pass: Int
    /// The number of the pass, from 0, which seeks do not reset. A looper with a limited number of passes compares it
    /// with the limit.
    let loopNumber: Int
    /// The media time at which the segment begins, such as 0, the target of a seek, or the start of a looper's range.
    let mediaStart: MediaTime
    let description: ItemDescription
    let clip: DecodedClip?
    /// The start offset of the reader; see `ItemReader.startOffset`.
    let startOffset: MediaTime
    /// The media time at which a looper's range ends; nil if the segment ends with the item.
    let mediaLimit: MediaTime?
    /// Whether the segment continues with the packets and the decoder state of the previous segment. True for a seek
    /// that is carried out by further decoding.
    let continuesDecoding: Bool
    /// Whether the next pass of a loop waits until the player plays. True after a paused player has sought to the end
    /// of the loop.
    let holdsAtEnd: Bool

    init(
        index: Int, entry: PlaybackEntry, pass: Int, loopNumber: Int, mediaStart: MediaTime,
        description: ItemDescription,
        clip: DecodedClip? = nil, startOffset: MediaTime = 0, mediaLimit: MediaTime? = nil,
        continuesDecoding: Bool = false, holdsAtEnd: Bool = false
    ) {
        self.index = index
        self.entry = entry
        self.pass = pass
        self.loopNumber = loopNumber
        self.mediaStart = mediaStart
        self.description = description
        self.clip = clip
        self.startOffset = startOffset
        self.mediaLimit = mediaLimit
        self.continuesDecoding = continuesDecoding
        self.holdsAtEnd = holdsAtEnd
    }

    /// Returns the timeline time of media time `t` if the segment begins at `start`.
    func timelineTime(of t: MediaTime, from start: TimelineTime) -> TimelineTime { start + (t - mediaStart) }

    /// Returns the media time displayed at timeline time `out` if the segment begins at `start`.
    func mediaTime(at out: TimelineTime, from start: TimelineTime) -> MediaTime { mediaStart + max(0, out - start) }

    var hasAudio: Bool { clip.map { $0.hasAudio } ?? (description.audio != nil) }
    var hasVideo: Bool { description.video != nil }
}
