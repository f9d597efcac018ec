import Foundation
import MediaCore

/// How far one rendition is loaded, and what comes next in its playlist.
struct RenditionProgress {
    struct Load {
        let order: SegmentOrder
        /// More parts will be asked for: the segment is still being made.
        var isOpen: Bool
        /// Parts that have been dealt with: asked for, or passed over as the playlist says that they are not to be had.
        var taken: Int
        /// Some part has been asked for.
        var hasAsked: Bool
        /// It is being given up for another rung.
        var isLeaving = false

        /// - Parameter parts: how many of a segment that is still being made; nil: it is whole.
        init(_ order: SegmentOrder, parts: Int?) {
            self.order = order
            isOpen = parts != nil
            taken = parts ?? 0
            hasAsked = if case .parts(let pieces) = order.content { !pieces.isEmpty } else { true }
        }
    }

    let role: StreamRole
    /// Media time at which the next segment begins; nil: not wanted.
    var position: Int64?
    /// `position` is where some playlist has a segment begin: another playlist may have it begin a little later. Else
    /// it is where a seek goes, anywhere in a segment.
    var isAtBoundary = false
    /// What came last, and from where: its successor is known by number.
    var last: (url: URL, sequence: Int)?
    var load: Load?
    var wakesAt: HostTime?
    var isEnded = false
    var isFull = false
    /// What comes next is gone or has failed, which the feed tells behind what has come.
    var hasFailed = false
    /// Media times of which the playlist said that nothing is to be had there: as good as loaded. The newest.
    var gaps: [Range<Int64>] = []
    /// The rung of the newest segment.
    var rung: Int?
    /// Segments since the start or a seek.
    var loaded = 0
    /// Segments passed over since the newest one that came.
    var passedOver = 0
    /// The newest of them was passed over because of the network, which may be gone altogether.
    var isInTrouble = false

    init(_ role: StreamRole) { self.role = role }

    /// Nothing more is wanted.
    mutating func stop() {
        load = nil
        wakesAt = nil
        position = nil
        last = nil
        isEnded = false
        isFull = false
        hasFailed = false
        loaded = 0
        passedOver = 0
        isInTrouble = false
    }

    /// The same time is asked of another source next.
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

    enum Next: Equatable {
        /// Index in the playlist.
        case segment(Int)
        /// Nothing is to be had until its end.
        case gap(Int)
        /// The parts of the segment that is being made.
        case parts
        /// It has left the window of a live stream.
        case isLost
        /// It is not there yet.
        case later
        case end
    }

    /// What comes next in a playlist.
    func next(in timed: TimedPlaylist, of url: URL, usesParts: Bool) -> Next {
        guard let position else { return .later }
        let playlist = timed.playlist
        // Half a millisecond: what a time told in other units is rounded by.
        let place = position + (isAtBoundary ? timed.tolerance : 500_000)
        var index: Int?
        if let last, last.url == url {
            let wanted = last.sequence + 1
            if let first = playlist.segments.first?.mediaSequence, first > wanted, playlist.isLive { return .isLost }
            index = playlist.index(ofMediaSequence: wanted)
            if index == nil, let final = playlist.lastMediaSequence, wanted > final + 1 {
                // The server counts anew.
                index = timed.index(at: place)
            }
        } else {
            if playlist.isLive, position < timed.epoch - timed.tolerance { return .isLost }
            index = timed.index(at: place)
        }
        if let index { return playlist.segments[index].isGap ? .gap(index) : .segment(index) }
        guard playlist.isLive else { return .end }
        // A playlist of another rung may not be as new: its parts have been played.
        let making = timed.end..<(timed.end + timed.targetDuration + timed.tolerance)
        return usesParts && !playlist.trailingParts.isEmpty && making.contains(place) ? .parts : .later
    }
}
