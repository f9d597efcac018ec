import Foundation

/// The segments of one rendition (RFC 8216 §4.3.3), VOD, EVENT or live.
package struct MediaPlaylist: Sendable, Equatable {
    /// `EXT-X-PLAYLIST-TYPE`.
    package enum Kind: String, Sendable, Equatable {
        case vod = "VOD"
        case event = "EVENT"
    }

    /// After redirects: what relative URIs are resolved against.
    package var url: URL
    package var common = PlaylistCommon()
    /// Seconds. No segment should be longer, some are. May be 0 in bad playlists: do not reload without a pause of your
    /// own.
    package var targetDuration: Double
    /// Number of the playlist's first segment, left out by a delta update or not.
    package internal(set) var mediaSequence = 0
    package var discontinuitySequence = 0
    /// `EXT-X-ENDLIST`: nothing will be added.
    package var isEnded = false
    package var kind: Kind?
    /// `EXT-X-I-FRAMES-ONLY`: every segment is one picture.
    package var isIFramesOnly = false
    package var lowLatency = LowLatency()
    /// Numbered without holes.
    package internal(set) var segments: [MediaSegment] = []
    /// What stands after the last of `segments`.
    package var trailing = IncompleteSegment()
    /// Set in a delta update that was not joined to what it leaves out.
    package internal(set) var skipped: SkippedSegments?
    package internal(set) var dateRanges: [DateRange] = []

    /// Begins and dates of `segments`, derived from them.
    var timeline = SegmentTimeline()
    /// What the next reload compares with.
    var memory = PlaylistMemory()

    /// Gives the segments their numbers, from `mediaSequence` on.
    package init(url: URL, targetDuration: Double, mediaSequence: Int = 0, segments: [MediaSegment] = []) {
        self.url = url
        self.targetDuration = targetDuration
        self.mediaSequence = mediaSequence
        self.segments = segments
        for index in self.segments.indices { self.segments[index].mediaSequence = mediaSequence &+ index }
        trailing.mediaSequence = mediaSequence &+ segments.count
        trailing.keys = segments.last?.keys ?? []
        trailing.map = segments.last?.map
        trailing.discontinuitySequence = segments.last?.discontinuitySequence ?? 0
        trailing.statedBitrate = segments.last?.statedBitrate
        timeline.append(self.segments[...])
    }

    /// How long segments are, seconds: `targetDuration`, unless the newest segments of a live playlist are of another
    /// order.
    package var segmentDuration: Double {
        guard isLive else { return targetDuration }
        var longest = 0.0
        for index in max(0, segments.count - 8)..<segments.count { longest = max(longest, segments[index].duration) }
        let isFarOff = targetDuration > 1.5 * longest || longest > 1.5 * targetDuration
        return longest > 0 && isFarOff ? longest : targetDuration
    }

    /// Parts of the segment that is not complete yet.
    package var trailingParts: [PartialSegment] { trailing.parts }
    /// Segments that a delta update leaves out; 0 in a whole playlist.
    package var skippedSegments: Int { skipped?.count ?? 0 }
    /// More may come: it has to be loaded again.
    package var isLive: Bool { !isEnded && kind != .vod }
    /// Number of the last complete segment.
    package var lastMediaSequence: Int? { segments.last?.mediaSequence }

    /// Seconds from the begin of the first segment to the end of the last complete one.
    package var duration: Double { timeline.duration }

    /// Where `segments[index]` begins, seconds from the begin of the first; `segments.count` gives `duration`.
    package func startTime(ofSegmentAt index: Int) -> Double { timeline.start(of: index) }

    /// The index in `segments` of a media sequence number.
    package func index(ofMediaSequence number: Int) -> Int? {
        guard let first = segments.first?.mediaSequence, number >= first, number - first < segments.count else {
            return nil
        }
        return number - first
    }

    /// The index of the segment that plays at `time`, seconds from the begin of the first; nil outside.
    package func index(atTime time: Double) -> Int? { timeline.index(at: time) }

    /// The wall clock's date at the segment's begin: stated, or reckoned from the nearest stated one before it, else
    /// after it (RFC 8216 §6.3.3).
    package func date(ofSegmentAt index: Int) -> Date? {
        guard segments.indices.contains(index), let anchor = timeline.dated(near: index) else { return nil }
        return segments[anchor].programDateTime?.addingTimeInterval(
            timeline.start(of: index) - timeline.start(of: anchor))
    }

    /// The index of the segment that plays at a date; nil outside and if nothing is dated.
    package func index(atDate date: Date) -> Int? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            guard let begin = self.date(ofSegmentAt: middle) else { return nil }
            if begin <= date { low = middle + 1 } else { high = middle }
        }
        guard low > 0, let begin = self.date(ofSegmentAt: low - 1),
            date < begin.addingTimeInterval(segments[low - 1].duration)
        else { return nil }
        return low - 1
    }

    /// Resolved against this playlist's URL.
    package func url(of resource: some PlaylistResource) -> URL? { resource.url(relativeTo: url) }
}
