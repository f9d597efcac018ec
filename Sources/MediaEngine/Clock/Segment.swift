import Foundation
import MediaCore

/// A stretch of the timeline that plays one pass of one entry. What it plays; where it lies on the timeline becomes
/// known only as it plays, and stands in `Timeline`.
final class Segment: Sendable {
    let index: Int
    let entry: PlaybackEntry
    /// 0 for the first pass, 1 after the first seam; begins anew with each seek.
    let pass: Int
    /// The same, but a seek stays in its round: what a looper with a number of passes counts.
    let round: Int
    /// Media time at which it begins: the seek's target, or 0.
    let mediaStart: MediaTime
    let description: ItemDescription
    let clip: DecodedClip?
    /// See `ItemReader.startOffset`.
    let startOffset: MediaTime
    /// A looper's range ends here, media time; nil: with the item.
    let mediaLimit: MediaTime?
    /// It takes up the packets and the decoder's state where the segment before, given up for a seek, left them.
    let continuesDecoding: Bool
    /// A player that stands was sent to a loop's end: no pass follows until it plays.
    let holdsAtEnd: Bool

    init(
        index: Int, entry: PlaybackEntry, pass: Int, round: Int, mediaStart: MediaTime, description: ItemDescription,
        clip: DecodedClip? = nil, startOffset: MediaTime = 0, mediaLimit: MediaTime? = nil,
        continuesDecoding: Bool = false, holdsAtEnd: Bool = false
    ) {
        self.index = index
        self.entry = entry
        self.pass = pass
        self.round = round
        self.mediaStart = mediaStart
        self.description = description
        self.clip = clip
        self.startOffset = startOffset
        self.mediaLimit = mediaLimit
        self.continuesDecoding = continuesDecoding
        self.holdsAtEnd = holdsAtEnd
    }

    /// When media time `t` comes on a timeline on which the segment begins at `start`.
    func timelineTime(of t: MediaTime, from start: TimelineTime) -> TimelineTime { start + (t - mediaStart) }

    /// What is shown at timeline time `out` of a segment that begins at `start`.
    func mediaTime(at out: TimelineTime, from start: TimelineTime) -> MediaTime { mediaStart + max(0, out - start) }

    var hasAudio: Bool { clip.map { $0.hasAudio } ?? (description.audio != nil) }
    var hasVideo: Bool { description.video != nil }
}
