import Foundation
import MediaCore

/// One picture of an I-frame playlist, ready to be demuxed: its bytes are all there, and nothing follows them.
package struct IFrame: Sendable {
    package let segment: StreamSegment
    package let feed: SegmentFeed

    init(_ segment: StreamSegment, gate: StreamGate) {
        self.segment = segment
        feed = SegmentFeed(gate: gate)
        feed.end()
    }
}

/// Which picture of an I-frame playlist is meant, and which bytes it takes (RFC 8216 §4.3.3.6).
struct IFramePlace: Sendable {
    let segment: MediaSegment
    let url: URL
    /// Media time at which it stands, nanoseconds.
    let start: Int64
    let duration: Int64
    /// Nil: the whole resource.
    let range: ByteRange?
    /// What must be known before it can be decoded; nil: nothing, or it is in `leading`.
    let initialization: Initialization?
    /// Bytes of `range` that come before the picture's own: an initialization section that lies right before it
    /// costs no request of its own.
    let leading: Int64

    enum Initialization: Sendable {
        case map(InitializationSection)
        /// What lies in the resource before its first picture.
        case head(URL, ByteRange)
    }

    /// The picture nearest to `time` among those that begin in `range`, nanoseconds; nil if there is none, or none that
    /// is to be had.
    init?(nearest time: Int64, in allowed: ClosedRange<Int64>, of timed: TimedPlaylist) {
        let playlist = timed.playlist
        guard !playlist.segments.isEmpty else { return nil }
        let at = timed.index(at: max(time, timed.epoch)) ?? playlist.segments.count - 1
        let near = (max(0, at - 1)...min(playlist.segments.count - 1, at + 1)).filter {
            allowed.contains(timed.start(of: $0)) && !playlist.segments[$0].isGap
        }
        func distance(_ index: Int) -> UInt { timed.start(of: index).distance(to: time).magnitude }
        guard let index = near.min(by: { distance($0) < distance($1) }),
            let url = playlist.segments[index].url(relativeTo: playlist.url)
        else { return nil }
        let segment = playlist.segments[index]
        self.segment = segment
        self.url = url
        start = timed.start(of: index)
        duration = timed.start(of: index + 1) - start
        if let map = segment.map {
            initialization = .map(map)
            range = segment.byteRange
            leading = 0
            return
        }
        guard let own = segment.byteRange else {
            initialization = nil
            range = nil
            leading = 0
            return
        }
        // Without EXT-X-MAP the initialization section is what lies before the resource's first picture.
        var first = index
        while first > 0, playlist.segments[first - 1].uri == segment.uri { first -= 1 }
        let head = playlist.segments[first].byteRange?.offset ?? 0
        if head <= 0 {
            initialization = nil
            range = own
            leading = 0
        } else if own.offset == head {
            initialization = nil
            range = ByteRange(offset: 0, length: own.end)
            leading = head
        } else {
            initialization = .head(url, ByteRange(offset: 0, length: head))
            range = own
            leading = 0
        }
    }
}
