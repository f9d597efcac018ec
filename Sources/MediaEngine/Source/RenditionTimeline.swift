import CFFmpeg
import MediaCore
import Streaming

/// The timeline of a rendition: the offsets from the timestamps of its containers to media time.
///
/// The offset stays the same from segment to segment as long as the timestamps continue or match the segment's start in
/// the playlist. Otherwise the timestamps restart in the segment, which is placed at its start in the playlist.
struct RenditionTimeline {
    /// The offset of a discontinuity (media time minus timestamp), and the media time at which it was found.
    struct Offset {
        let value: MediaTime
        let at: MediaTime
    }
    /// The newest offset of each discontinuity.
    typealias Offsets = [Int: Offset]

    /// The times of a packet in its container.
    struct Times {
        let timestamp: MediaTime
        let length: MediaTime
        let isVideo: Bool
    }

    /// The offset for a packet, and how it was determined.
    struct Found: Equatable {
        enum Origin { case known, first, restart }
        let offset: MediaTime
        /// `first` for the first offset of a discontinuity in any rendition, `restart` if the timestamps restart.
        let origin: Origin
    }

    private struct SegmentOffset {
        let segment: StreamSegment
        let offset: MediaTime
        /// Whether the timestamps restart in this segment.
        let restartsTimestamps: Bool
    }
    /// The offsets for the newest segments of the container. Empty before the first packet determines one.
    private var segments: [SegmentOffset] = []
    /// Earlier offsets of the container. Timestamps may jump without an announced discontinuity. Packets from before
    /// and after such a jump are then interleaved.
    private var otherOffsets: [MediaTime] = []
    /// The newest timestamps of the container.
    private var newestTimestamps: (video: MediaTime?, audio: MediaTime?) = (nil, nil)
    private var isTransportStream = false
    private var isPacked = false

    /// The newest segment of any container.
    private var newest: StreamSegment?
    /// The offsets of this rendition.
    private var offsets: Offsets = [:]

    /// The time base of transport streams and of the tags of packed audio.
    static let ticks = AVRational(num: 1, den: 90_000)
    /// The period of 33-bit timestamps, which wrap around every 26.5 hours.
    private static let wrapPeriod = MediaTime(stamp: 1 << 33, base: ticks) ?? 0

    /// Continues with another container.
    mutating func beginContainer(isTransportStream: Bool, isPacked: Bool) {
        segments = []
        otherOffsets = []
        newestTimestamps = (nil, nil)
        self.isTransportStream = isTransportStream
        self.isPacked = isPacked
    }

    /// Returns whether the timestamps restart in `segment`.
    func restarts(in segment: StreamSegment) -> Bool {
        segments.last { $0.segment === segment }?.restartsTimestamps == true
    }

    /// Returns the media time of a timestamp of the container; `nil` if no offset is known.
    ///
    /// - Parameter shared: The offsets of all renditions.
    func mediaTime(of timestamp: MediaTime, in segment: StreamSegment, shared: Offsets) -> MediaTime? {
        guard
            let offset = (segments.last { $0.segment === segment } ?? segments.last)?.offset
                ?? shared[segment.discontinuity]?.value
        else { return nil }
        let time = timestamp + offset
        guard isTransportStream else { return time }
        return time + RenditionTimeline.wrapArounds(from: time, to: MediaTime(nanoseconds: segment.start))
    }

    // MARK: packets

    /// Returns the offset from a segment's timestamps to media time; `nil` while the first frame is needed to determine
    /// it.
    ///
    /// - Parameters:
    ///   - ends: The ends of the packets that were returned before.
    ///   - hasVideo: Whether the container has video, whose first frame determines the offset.
    ///   - isOverdue: Whether audio determines the offset, because it has waited for the first frame long enough.
    ///   - shared: The offsets of all renditions.
    mutating func offset(
        for packet: Times, in segment: StreamSegment, after ends: ReadEnds, hasVideo: Bool, isOverdue: Bool,
        shared: inout Offsets
    ) -> Found? {
        if let known = segments.last(where: { $0.segment === segment }) {
            return Found(offset: known.offset, origin: .known)
        }
        // A late packet of an earlier segment without its own offset uses the oldest known offset.
        if let newest = segments.last, newest.segment.start > segment.start {
            return Found(offset: segments[0].offset, origin: .known)
        }
        let decides = packet.isVideo || !hasVideo || isOverdue
        guard var offset = segments.last?.offset ?? earlierOffset(in: segment, shared)?.value else {
            guard decides else { return nil }
            let end = ends.end(isVideo: hasVideo)
            let first = RenditionTimeline.start(of: segment, after: end) - packet.timestamp
            note(first, at: packet.timestamp + first, of: segment, &shared)
            record(first, of: segment)
            return Found(offset: first, origin: .first)
        }
        let begin = MediaTime(nanoseconds: segment.start)
        if isTransportStream || isPacked {
            offset += RenditionTimeline.wrapArounds(from: packet.timestamp + offset, to: begin)
        }
        let time = packet.timestamp + offset
        let end = ends.end(isVideo: packet.isVideo)
        let isContinuous =
            end.map { (time - $0).magnitude < max(MediaTime(nanoseconds: 300_000_000), packet.length * 2) } ?? false
        guard isContinuous || isNear(time, begin, segment, shared, hasRead: end != nil) else {
            // The first frame of the segment determines the offset, unless there is none.
            guard decides else { return nil }
            let restarted = RenditionTimeline.start(of: segment, after: end) - packet.timestamp
            note(restarted, at: begin, of: segment, &shared)
            record(restarted, of: segment, restartsTimestamps: true)
            return Found(offset: restarted, origin: .restart)
        }
        if decides { record(offset, of: segment) }
        return Found(offset: offset, origin: .known)
    }

    /// Returns the offset for a packet, or a new one if the timestamps restart within a container. Timestamps restart
    /// if they jump far from the time in the playlist, for example because the encoder was restarted without a
    /// discontinuity tag.
    ///
    /// - Parameters:
    ///   - offset: The result of `offset(for:in:after:hasVideo:isOverdue:shared:)`.
    ///   - end: The end of the packets of the same kind that were returned before.
    mutating func bridge(
        _ offset: MediaTime, for packet: Times, in segment: StreamSegment, after end: MediaTime?, shared: inout Offsets
    ) -> MediaTime {
        let timestamp = packet.timestamp
        let before = packet.isVideo ? newestTimestamps.video : newestTimestamps.audio
        if packet.isVideo { newestTimestamps.video = timestamp } else { newestTimestamps.audio = timestamp }
        let slack: Int64 = 10_000_000_000
        func fits(_ offset: MediaTime) -> Bool {
            let time = (timestamp + offset).nanoseconds
            return time > segment.start - slack && time < segment.end + slack
        }
        guard !isPacked, let before, (timestamp - before).nanoseconds.magnitude > 5_000_000_000, !fits(offset)
        else { return offset }
        let fresh: MediaTime
        if let known = otherOffsets.last(where: fits) {
            fresh = known
        } else {
            var start = MediaTime(nanoseconds: segment.start)
            if let end, (end - start).nanoseconds.magnitude < slack { start = end }
            fresh = start - timestamp
        }
        otherOffsets.append(offset)
        record(fresh, of: segment, restartsTimestamps: true)
        note(fresh, at: timestamp + fresh, of: segment, &shared)
        return fresh
    }

    private mutating func note(
        _ offset: MediaTime, at time: MediaTime, of segment: StreamSegment, _ shared: inout Offsets
    ) {
        offsets[segment.discontinuity] = Offset(value: offset, at: time)
        shared[segment.discontinuity] = Offset(value: offset, at: time)
    }

    private mutating func record(_ offset: MediaTime, of segment: StreamSegment, restartsTimestamps: Bool = false) {
        segments.removeAll { $0.segment === segment }
        segments =
            segments.suffix(7) + [
                SegmentOffset(segment: segment, offset: offset, restartsTimestamps: restartsTimestamps)
            ]
        newest = segment
    }

    /// Returns the offset that was found before in the segment's discontinuity: by this rendition, or else by any.
    ///
    /// If timestamps restart in every segment, the renditions have different offsets, because their segments have
    /// different lengths.
    private func earlierOffset(in segment: StreamSegment, _ shared: Offsets) -> Offset? {
        offsets[segment.discontinuity] ?? shared[segment.discontinuity]
    }

    /// Returns whether the timestamps match the start of the segment in the playlist.
    private func isNear(
        _ time: MediaTime, _ begin: MediaTime, _ segment: StreamSegment, _ shared: Offsets, hasRead: Bool
    ) -> Bool {
        // Timestamps that restart differ by at least the duration of the previous segment.
        let shortest = min(segment.duration, newest?.duration ?? segment.duration)
        var tolerance = MediaTime(nanoseconds: shortest / 2)
        // After a seek, the sum of the rounded durations in the playlist may differ from the timestamps.
        if !hasRead, let known = earlierOffset(in: segment, shared) {
            tolerance = max(tolerance, (begin - known.at).magnitude / 10)
        }
        return (time - begin).magnitude <= tolerance
    }

    /// Returns the media time of a segment's first packet. This is the start in the playlist, or the end of the
    /// previous segment if they are close, so that nothing overlaps.
    private static func start(of segment: StreamSegment, after end: MediaTime?) -> MediaTime {
        let start = MediaTime(nanoseconds: segment.start)
        guard let end else { return start }
        let overlap = (end - start).nanoseconds
        return overlap > -500_000_000 && overlap < 10_000_000_000 ? end : start
    }

    /// Returns the periods of the wrap-arounds that bring `time` closest to `target`.
    private static func wrapArounds(from time: MediaTime, to target: MediaTime) -> MediaTime {
        wrapPeriod * Int(saturating: ((target - time).seconds / wrapPeriod.seconds).rounded())
    }
}
