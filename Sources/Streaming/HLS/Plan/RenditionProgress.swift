import Foundation
import MediaCore

/// The loading state of one rendition, and the decision about what follows in its playlist.
struct RenditionProgress {
    struct Load {
        let order: SegmentOrder
        /// Whether more parts will be requested, because the segment is not complete on the server.
        var isOpen: Bool
        /// The number of parts that are handled: requested, or skipped because the playlist marks them as missing.
        var taken: Int
        /// The duration of these parts, in nanoseconds.
        var takenDuration: Int64 = 0
        /// Whether any part has been requested.
        var hasRequested: Bool
        /// Whether the load is being abandoned in favor of another variant.
        var isLeaving = false

        /// Creates a load.
        /// - Parameter parts: The parts of an incomplete segment, or nil if the segment is complete.
        init(_ order: SegmentOrder, parts: [PartialSegment]?) {
            self.order = order
            isOpen = parts != nil
            taken = 0
            hasRequested = if case .parts(let pieces) = order.content { !pieces.isEmpty } else { true }
            take((parts ?? [])[...])
        }

        mutating func take(_ parts: ArraySlice<PartialSegment>) {
            taken += parts.count
            for part in parts {
                takenDuration = takenDuration.addingSaturating(TimedPlaylist.nanoseconds(part.duration))
            }
        }

        /// Returns whether parts of the complete segment have not been handled. Playlists round durations.
        func lacksParts(of segment: MediaSegment) -> Bool {
            TimedPlaylist.nanoseconds(segment.duration) > takenDuration.addingSaturating(50_000_000)
        }
    }

    let role: StreamRole
    /// The media time at which the next segment begins, or nil if no segment is wanted.
    var position: Int64?
    /// Whether `position` is the start of a segment in some playlist, so that the segment may begin slightly later in
    /// another playlist. Otherwise `position` is the target of a seek, at any time within a segment.
    var isAtBoundary = false
    /// The last segment and its playlist. In the same playlist, the next segment is found by its number.
    var last: (url: URL, sequence: Int)?
    var load: Load?
    var wakesAt: HostTime?
    var isEnded = false
    var isFull = false
    /// Whether the next segment has failed or is no longer available. The feed reports this after the loaded segments.
    var hasFailed = false
    /// The newest media times for which the playlist has no media. They count as loaded.
    var gaps: [Range<Int64>] = []
    /// The variant of the newest segment.
    var variant: Int?
    /// The number of segments loaded since the start or a seek.
    var loaded = 0
    /// The number of segments skipped since the last loaded one.
    var skippedInRow = 0
    /// Whether the newest skipped segment was skipped because of a network failure, so that the network may be down.
    var skippedForNetwork = false
    /// The segments for which no alternative is tried if a reader rejects them: all alternatives have failed, or a
    /// reader has rejected the same segment of this playlist before.
    var givenUp: Set<SegmentCache.Key> = []

    init(_ role: StreamRole) { self.role = role }

    /// Stops loading: no segment is wanted.
    mutating func stop() {
        load = nil
        wakesAt = nil
        position = nil
        last = nil
        isEnded = false
        isFull = false
        hasFailed = false
        loaded = 0
        skippedInRow = 0
        skippedForNetwork = false
        givenUp = []
    }

    /// Goes back to `start`, so that this time is loaded from another playlist.
    mutating func goBack(to start: Int64) {
        load = nil
        position = start
        isAtBoundary = true
        last = nil
    }

    mutating func addGap(_ range: Range<Int64>) {
        if !range.isEmpty { gaps = gaps.suffix(63) + [range] }
    }

    mutating func pass(_ sequence: Int, of url: URL, to end: Int64) {
        last = (url, sequence)
        position = end
        isAtBoundary = true
    }

    /// The result of looking for the next segment in a playlist.
    enum Next: Equatable {
        /// The segment with this index in the playlist.
        case segment(Int)
        /// A segment with this index that is marked as missing (`EXT-X-GAP`).
        case gap(Int)
        /// The parts of the segment that is not complete yet.
        case parts
        /// The segment has left the window of a live stream.
        case isLost
        /// The segment is not available yet.
        case later
        case end
    }

    /// Returns the next segment in a playlist.
    func next(in timed: TimedPlaylist, of url: URL, usesParts: Bool) -> Next {
        guard let position else { return .later }
        let playlist = timed.playlist
        // Half a millisecond allows for rounding of a time in other units.
        let time = position + (isAtBoundary ? timed.tolerance : 500_000)
        var index: Int?
        if let last, last.url == url {
            let wanted = last.sequence + 1
            if let first = playlist.segments.first?.mediaSequence, first > wanted, playlist.isLive { return .isLost }
            index = playlist.index(ofMediaSequence: wanted)
            if index == nil, let final = playlist.lastMediaSequence, wanted > final + 1 {
                // The server has restarted its numbering.
                index = timed.index(at: time)
            }
        } else {
            if playlist.isLive, position < timed.epoch - timed.tolerance { return .isLost }
            index = timed.index(at: time)
        }
        if let index { return playlist.segments[index].isGap ? .gap(index) : .segment(index) }
        guard playlist.isLive else { return .end }
        // Another variant's playlist may be older than the current one. Its parts may have been played already.
        let incompleteRange = timed.end..<(timed.end + timed.targetDuration + timed.tolerance)
        return usesParts && !playlist.trailingParts.isEmpty && incompleteRange.contains(time) ? .parts : .later
    }
}
