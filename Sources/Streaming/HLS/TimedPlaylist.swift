import Foundation
import MediaCore

/// A media playlist on the stream's timeline. Media time 0 is the start of the stream's first playlist when it was
/// first loaded.
struct TimedPlaylist {
    private(set) var playlist: MediaPlaylist
    /// The media time of the first segment, in nanoseconds. It is limited to ±63 years, so that adding the duration of
    /// a playlist (at most 31 years) cannot overflow.
    private(set) var epoch: Int64 { didSet { epoch = Self.bounded(epoch) } }
    /// The number of times the server had restarted the stream before this version.
    var generation: Int

    init(_ playlist: MediaPlaylist, epoch: Int64, generation: Int = 0) {
        self.playlist = playlist
        self.epoch = Self.bounded(epoch)
        self.generation = generation
    }

    /// Returns a number for a discontinuity. After a restart of the stream, the server may use the same sequence
    /// numbers again, but the results differ.
    func discontinuity(_ sequence: Int) -> Int { sequence &+ generation &* (1 << 40) }

    private static func bounded(_ time: Int64) -> Int64 {
        min(max(time, -2_000_000_000_000_000_000), 2_000_000_000_000_000_000)
    }

    static func nanoseconds(_ seconds: Double) -> Int64 {
        MediaTime(seconds: seconds.bounded(to: -longestPlaylistDuration...longestPlaylistDuration)).nanoseconds
    }

    func start(of index: Int) -> Int64 { epoch + TimedPlaylist.nanoseconds(playlist.startTime(ofSegmentAt: index)) }
    var end: Int64 { start(of: playlist.segments.count) }
    /// The end of the playlist, including the parts of the incomplete segment.
    var edge: Int64 { end + TimedPlaylist.nanoseconds(playlist.trailingParts.reduce(0) { $0 + $1.duration }) }
    var targetDuration: Int64 { TimedPlaylist.nanoseconds(max(playlist.segmentDuration, 0.1)) }
    /// The maximum difference between the times that two playlists state for the same media: a quarter of a segment's
    /// duration, at most half a second.
    var tolerance: Int64 { min(Self.longestTolerance, targetDuration / 4) }
    static let longestTolerance: Int64 = 500_000_000

    /// Returns the index of the segment that plays at `time`. The result is 0 before the first segment, and nil after
    /// the last one.
    func index(at time: Int64) -> Int? {
        guard !playlist.segments.isEmpty, time < end else { return nil }
        return playlist.index(atTime: max(0, Double(time - epoch) / 1e9)) ?? 0
    }

    /// Updates the playlist with a newer version. Segments in both versions keep their media times.
    /// - Parameter reference: Another playlist of the stream that is up to date. If the versions have no segment in
    ///   common, the new one is aligned with it.
    mutating func reload(
        with bytes: [UInt8], url: URL, importing variables: [String: String], beside reference: TimedPlaylist? = nil
    ) throws(PlaylistError) -> PlaylistReload.Verdict {
        let number = playlist.mediaSequence
        let end = end
        let count = playlist.segments.count
        let verdict = try playlist.reload(with: bytes, url: url, importing: variables).verdict
        guard verdict != .unchanged, case let removed = playlist.mediaSequence - number, removed > 0 else {
            return verdict
        }
        if removed <= count {
            // The remaining segments show how long the removed ones were.
            epoch = end - TimedPlaylist.nanoseconds(playlist.startTime(ofSegmentAt: count - removed))
        } else if let reference, reference.generation == generation,
            let start = TimedPlaylist.commonStart(of: playlist, with: reference)
        {
            epoch = start
        } else {
            // Segments that were never seen are assumed to be as long as the others on average. The target duration is
            // up to one second longer, which adds up to minutes.
            let number = playlist.segments.count
            let mean = number > 0 ? playlist.duration / Double(number) : playlist.segmentDuration
            epoch = (MediaTime(nanoseconds: end) + MediaTime(seconds: Double(removed - count) * mean)).nanoseconds
        }
        return verdict
    }

    /// Replaces the playlist after the server has restarted the stream. The new one begins where the old one ended.
    mutating func replace(with new: MediaPlaylist) {
        epoch = end
        playlist = new
    }

    /// Returns the media time of the first version of another rendition's playlist, relative to a known playlist.
    ///
    /// Playlists on demand begin at the same time. Live playlists are aligned by date if both state dates, or else by
    /// sequence number (RFC 8216 §6.2.4). If they have no common number, they end at the same time.
    static func align(_ new: MediaPlaylist, with known: TimedPlaylist) -> Int64 {
        guard new.isLive || known.playlist.isLive, !new.segments.isEmpty, !known.playlist.segments.isEmpty else {
            return known.epoch
        }
        return commonStart(of: new, with: known) ?? known.end - nanoseconds(new.duration)
    }

    /// Returns the media time of a playlist, found by date or else by sequence number; nil if the playlists have
    /// neither in common.
    fileprivate static func commonStart(of new: MediaPlaylist, with known: TimedPlaylist) -> Int64? {
        guard !new.segments.isEmpty, !known.playlist.segments.isEmpty else { return nil }
        if let a = new.date(ofSegmentAt: 0), let b = known.playlist.date(ofSegmentAt: 0) {
            return (MediaTime(nanoseconds: known.epoch) + MediaTime(seconds: a.timeIntervalSince(b))).nanoseconds
        }
        let first = new.segments[0].mediaSequence
        if let index = known.playlist.index(ofMediaSequence: first) { return known.start(of: index) }
        if let index = new.index(ofMediaSequence: known.playlist.segments[0].mediaSequence) {
            return known.epoch - nanoseconds(new.startTime(ofSegmentAt: index))
        }
        return nil
    }

    /// Returns the range in which the user can seek. In a live stream, it ends at the distance from the live edge that
    /// the playlist or the specification requires (8216bis §4.4.3.8).
    func seekable(usesParts: Bool) -> Range<Int64> {
        guard playlist.isLive else { return epoch..<max(epoch, end) }
        let last = usesParts ? edge : end
        return epoch..<max(epoch, last - holdBack(usesParts: usesParts))
    }

    func holdBack(usesParts: Bool) -> Int64 {
        if usesParts, let part = playlist.lowLatency.partTargetDuration {
            return TimedPlaylist.nanoseconds(playlist.lowLatency.serverControl?.partHoldBack ?? 3 * part)
        }
        return playlist.lowLatency.serverControl?.holdBack.map(TimedPlaylist.nanoseconds) ?? 3 * targetDuration
    }

    /// Returns the default start: the one from `EXT-X-START`, or else the beginning of the stream, or the end of a live
    /// stream's seekable range.
    func defaultStart(_ start: StartOffset?, usesParts: Bool) -> Int64 {
        let range = seekable(usesParts: usesParts)
        if let start = playlist.common.start ?? start {
            let whole = playlist.isLive && usesParts ? edge : end
            // At the end of a stream on demand, there would be nothing to play.
            if !playlist.isLive, epoch + TimedPlaylist.nanoseconds(start.timeOffset) >= whole {
                return range.lowerBound
            }
            let wanted =
                start.timeOffset >= 0
                ? epoch + TimedPlaylist.nanoseconds(start.timeOffset)
                : whole + TimedPlaylist.nanoseconds(start.timeOffset)
            return min(max(wanted, range.lowerBound), range.upperBound)
        }
        return playlist.isLive ? range.upperBound : range.lowerBound
    }

    /// Returns the date of a media time, or nil if the playlist states no dates.
    func date(at time: Int64) -> Date? {
        let index = self.index(at: time) ?? max(0, playlist.segments.count - 1)
        return playlist.date(ofSegmentAt: index)?.addingTimeInterval(Double(time - start(of: index)) / 1e9)
    }
}

extension MediaPlaylist {
    /// Returns the time from the start of another rendition's playlist to the start of this one, in seconds. Both are
    /// the newest playlists of one live stream, which may just have ended.
    ///
    /// - Returns: The time, and whether dates or numbers prove it. Otherwise both playlists are assumed to end at the
    ///   same time. Dates prove nothing if they are far apart, because some servers state wrong ones.
    package func start(relativeTo other: MediaPlaylist) -> (seconds: Double, isProven: Bool) {
        let start = TimedPlaylist.commonStart(of: self, with: TimedPlaylist(other, epoch: 0))
        let slack = 3 * max(segmentDuration, other.segmentDuration)
        guard let seconds = start.map({ Double($0) / 1e9 }), seconds < other.duration + slack,
            seconds + duration > -slack
        else { return (other.duration - duration, false) }
        return (seconds, true)
    }
}
