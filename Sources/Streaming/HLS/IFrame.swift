import Foundation

/// A frame of an I-frame playlist, ready for demuxing. All of its bytes are present, and nothing follows them.
package struct IFrame: Sendable {
    package let segment: StreamSegment
    package let feed: SegmentFeed

    init(_ segment: StreamSegment, gate: StreamGate) {
        self.segment = segment
        feed = SegmentFeed(gate: gate)
        feed.end()
    }
}

/// A frame of an I-frame playlist, and its bytes (RFC 8216 §4.3.3.6).
struct IFrameLocation: Sendable {
    let segment: MediaSegment
    let url: URL
    /// The frame's media time, in nanoseconds.
    let start: Int64
    let duration: Int64
    /// The byte range to load, or nil for the whole resource. An initialization section directly before the frame is
    /// loaded with it, without a request of its own.
    let range: ByteRange?
    /// The initialization section required for decoding, or nil if there is none or `range` begins with it.
    let initialization: Initialization?

    enum Initialization: Sendable {
        case map(InitializationSection)
        /// The bytes of the resource before its first frame.
        case head(URL, ByteRange)
    }

    /// Creates the location of the available frame that is nearest to `time`. Returns nil if there is none.
    /// - Parameters:
    ///   - time: The media time, in nanoseconds.
    ///   - allowed: The range in which the frame must begin, in nanoseconds.
    init?(nearest time: Int64, in allowed: ClosedRange<Int64>, of timed: TimedPlaylist) {
        let playlist = timed.playlist
        guard !playlist.segments.isEmpty else { return nil }
        let indexAtTime = timed.index(at: max(time, timed.epoch)) ?? playlist.segments.count - 1
        let near = (max(0, indexAtTime - 1)...min(playlist.segments.count - 1, indexAtTime + 1)).filter {
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
            return
        }
        guard let own = segment.byteRange else {
            initialization = nil
            range = nil
            return
        }
        // Without EXT-X-MAP, the bytes before the resource's first frame are the initialization section.
        var first = index
        while first > 0, playlist.segments[first - 1].uri == segment.uri { first -= 1 }
        let head = playlist.segments[first].byteRange?.offset ?? 0
        if head <= 0 {
            initialization = nil
            range = own
        } else if own.offset == head {
            initialization = nil
            range = ByteRange(offset: 0, length: own.end)
        } else {
            initialization = .head(url, ByteRange(offset: 0, length: head))
            range = own
        }
    }
}
