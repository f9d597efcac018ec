import Foundation

/// The segments of one rendition (RFC 8216 §4.3.3): on demand (VOD), EVENT or live.
package struct MediaPlaylist: Sendable, Equatable {
    /// The type from `EXT-X-PLAYLIST-TYPE`.
    package enum Kind: String, Sendable, Equatable {
        case vod = "VOD"
        case event = "EVENT"
    }

    /// The URL after redirects, against which relative URIs are resolved.
    package var url: URL
    package var common = PlaylistCommon()
    /// The target duration in seconds. Segments should not be longer, but some are. Invalid playlists may state 0, so
    /// callers that reload must use a minimum delay of their own.
    package var targetDuration: Double
    /// The media sequence number of the playlist's first segment, even if a delta update skips that segment.
    package internal(set) var mediaSequence = 0
    package var discontinuitySequence = 0
    /// Whether the playlist has `EXT-X-ENDLIST`, so that nothing will be added.
    package var isEnded = false
    package var kind: Kind?
    /// Whether the playlist has `EXT-X-I-FRAMES-ONLY`: every segment is one frame.
    package var isIFramesOnly = false
    package var lowLatency = LowLatency()
    /// The segments, numbered without gaps.
    package internal(set) var segments: [MediaSegment] = []
    /// The parts and tags after the last of `segments`.
    package var incompleteSegment = IncompleteSegment()
    /// The skipped segments of a delta update that has not been merged with the previous version.
    package internal(set) var skipped: SkippedSegments?
    package internal(set) var dateRanges: [DateRange] = []

    /// The start times and dates of `segments`, derived from them.
    var timeline = SegmentTimeline()
    /// The text and positions that the next reload compares with.
    var memory = PlaylistMemory()

    /// Creates a playlist and numbers its segments from `mediaSequence` on.
    package init(url: URL, targetDuration: Double, mediaSequence: Int = 0, segments: [MediaSegment] = []) {
        self.url = url
        self.targetDuration = targetDuration
        self.mediaSequence = mediaSequence
        self.segments = segments
        for index in self.segments.indices { self.segments[index].mediaSequence = mediaSequence &+ index }
        incompleteSegment.mediaSequence = mediaSequence &+ segments.count
        incompleteSegment.keys = segments.last?.keys ?? []
        incompleteSegment.map = segments.last?.map
        incompleteSegment.discontinuitySequence = segments.last?.discontinuitySequence ?? 0
        incompleteSegment.statedBitrate = segments.last?.statedBitrate
        timeline.append(self.segments[...])
    }

    /// The usual duration of a segment, in seconds. It is `targetDuration`, unless the longest of the newest 8 segments
    /// of a live playlist differs from it by a factor of more than 1.5. In that case, it is the duration of that
    /// segment.
    package var segmentDuration: Double {
        guard isLive else { return targetDuration }
        var longest = 0.0
        for index in max(0, segments.count - 8)..<segments.count { longest = max(longest, segments[index].duration) }
        let isFarOff = targetDuration > 1.5 * longest || longest > 1.5 * targetDuration
        return longest > 0 && isFarOff ? longest : targetDuration
    }

    /// The parts of the segment that is not complete yet.
    package var trailingParts: [PartialSegment] { incompleteSegment.parts }
    /// The number of segments that a delta update skips, or 0 in a whole playlist.
    package var skippedSegments: Int { skipped?.count ?? 0 }
    /// Whether the playlist may change and has to be loaded again.
    package var isLive: Bool { !isEnded && kind != .vod }
    /// The media sequence number of the last complete segment.
    package var lastMediaSequence: Int? { segments.last?.mediaSequence }

    /// The time from the start of the first segment to the end of the last complete one, in seconds.
    package var duration: Double { timeline.duration }

    /// Returns the start of `segments[index]`, in seconds from the start of the first segment. For `segments.count`,
    /// the result is `duration`. An index out of range is clamped.
    package func startTime(ofSegmentAt index: Int) -> Double { timeline.start(of: index) }

    /// Returns the index in `segments` for a media sequence number, or nil if it is not in the playlist.
    package func index(ofMediaSequence number: Int) -> Int? {
        guard let first = segments.first?.mediaSequence, number >= first, number - first < segments.count else {
            return nil
        }
        return number - first
    }

    /// Returns the index of the segment that plays at `time`, or nil if there is none.
    /// - Parameter time: Seconds from the start of the first segment.
    package func index(atTime time: Double) -> Int? { timeline.index(at: time) }

    /// Returns the date of the segment's start, or nil if the playlist states no dates or the index is out of range.
    ///
    /// If the segment itself states no date, the date is computed from the nearest segment before it that does. If
    /// there is none, the nearest segment after it is used (RFC 8216 §6.3.3).
    package func date(ofSegmentAt index: Int) -> Date? {
        guard segments.indices.contains(index), let anchor = timeline.dated(near: index) else { return nil }
        return segments[anchor].programDateTime?.addingTimeInterval(
            timeline.start(of: index) - timeline.start(of: anchor))
    }
}
