import Foundation
import MediaCore

/// A stretch of the timeline that plays one pass of one entry: timeline time = `outStart` + media time − `mediaStart`.
///
/// **The seam.** The next segment begins exactly where this one ends, for sound and picture alike, so
/// nothing drifts over any number of passes. Where it ends is decided once, in `end(…)`.
final class Segment: @unchecked Sendable {
    // `outStart`, `outEnd` and the packet ends are guarded by the pipeline's monitor.
    let index: Int
    let entry: PlaybackEntry
    /// 0 for the first pass, 1 after the first seam.
    let pass: Int
    /// Media time at which it begins: the seek's target, or 0.
    let mediaStart: Int64
    let description: ItemDescription
    let clip: DecodedClip?
    /// See `ItemReader.startOffset`.
    let startOffset: Int64
    /// A looper's range ends here, media time; nil: with the item.
    let mediaLimit: Int64?
    /// It takes up the packets and the decoder's state where the segment before, given up for a seek, left them.
    let continuesDecoding: Bool

    /// Timeline time of the first moment; nil until the segment before knows its end.
    var outStart: Int64?
    /// Timeline time one past the last moment; nil until known.
    var outEnd: Int64?
    /// Where the packets say the tracks end, media time; nil until the reader was at the end.
    var packetVideoEnd: Int64?
    var packetAudioEnd: Int64?

    init(index: Int, entry: PlaybackEntry, pass: Int, mediaStart: Int64, description: ItemDescription, clip: DecodedClip?, startOffset: Int64, mediaLimit: Int64?, outStart: Int64?, continuesDecoding: Bool = false) {
        self.index = index
        self.entry = entry
        self.pass = pass
        self.mediaStart = mediaStart
        self.description = description
        self.clip = clip
        self.startOffset = startOffset
        self.mediaLimit = mediaLimit
        self.outStart = outStart
        self.continuesDecoding = continuesDecoding
    }

    var hasAudio: Bool { clip.map { $0.hasAudio } ?? (description.audio != nil) }
    var hasVideo: Bool { description.video != nil }

    /// Media time at which a pass ends, from where its sound and its picture end.
    ///
    /// When they end within half a frame of each other, sound decides, to the sample: the last picture
    /// stands a little longer or shorter, which nobody sees, and sound has no gap, which everybody hears.
    /// When sound is shorter than that it is padded with silence; when longer, the last picture stands.
    static func end(audio: Int64?, video: Int64?, frameDuration: Int64) -> Int64 {
        guard let audio else { return video ?? 0 }
        guard let video else { return audio }
        let half = max(frameDuration, 16_000_000) / 2 + 1_000_000
        return audio >= video - half ? audio : video
    }
}
