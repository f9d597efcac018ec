import Foundation
import MediaCore

/// A stretch of the timeline that plays one pass of one entry: timeline time = `outStart` + media time − `mediaStart`.
///
/// The next segment begins exactly where this one ends, which is decided once, by `PassEnd`.
final class Segment: @unchecked Sendable {
    // What follows as `var` is guarded by the pipeline's monitor.
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

    /// Timeline time of the first moment; nil until the segment before knows its end.
    var outStart: TimelineTime?
    /// Timeline time one past the last moment; nil until known.
    var outEnd: TimelineTime?
    /// Its end is mixed with what follows, which begins before it (PipelineCrossfade.swift).
    var fadesOut = false
    /// Timeline time at which what follows begins, and its pictures end, where that is before its own end.
    var pictureEnd: TimelineTime?
    /// All that came of its pictures, of its sound has come out of the decoder.
    var videoIsOver = false
    var soundIsOver = false
    /// Where the packets say the tracks end, media time; nil until the reader was at the end.
    var packetVideoEnd: MediaTime?
    var packetAudioEnd: MediaTime?
    /// A player that stands was sent to a loop's end: no pass follows until it plays.
    var holdsAtEnd = false

    init(
        index: Int, entry: PlaybackEntry, pass: Int, round: Int, mediaStart: MediaTime, description: ItemDescription,
        clip: DecodedClip?, startOffset: MediaTime, mediaLimit: MediaTime?, outStart: TimelineTime?,
        continuesDecoding: Bool = false
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
        self.outStart = outStart
        self.continuesDecoding = continuesDecoding
    }

    /// When media time `t` comes on a timeline on which the segment begins at `start`.
    func timelineTime(of t: MediaTime, from start: TimelineTime) -> TimelineTime { start + (t - mediaStart) }

    /// What is shown at timeline time `out` of a segment that begins at `start`.
    func mediaTime(at out: TimelineTime, from start: TimelineTime) -> MediaTime { mediaStart + max(0, out - start) }

    var hasAudio: Bool { clip.map { $0.hasAudio } ?? (description.audio != nil) }
    var hasVideo: Bool { description.video != nil }
}
