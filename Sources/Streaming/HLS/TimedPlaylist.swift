import Foundation
import MediaCore

/// A media playlist laid on the stream's timeline: media time 0 is where the first playlist of the stream began when
/// it was first loaded.
struct TimedPlaylist {
    private(set) var playlist: MediaPlaylist
    /// Media time at which the first segment begins, nanoseconds. Within 63 years, whatever playlists say: sums with
    /// what a playlist lasts (31 years) cannot overflow.
    private(set) var epoch: Int64 { didSet { epoch = Self.bounded(epoch) } }
    /// How often the stream's server had begun anew before this version.
    var generation: Int

    init(_ playlist: MediaPlaylist, epoch: Int64, generation: Int = 0) {
        self.playlist = playlist
        self.epoch = Self.bounded(epoch)
        self.generation = generation
    }

    /// A discontinuity sequence number told apart from the same of a server that has begun anew.
    func discontinuity(_ sequence: Int) -> Int { sequence &+ generation &* (1 << 40) }

    private static func bounded(_ time: Int64) -> Int64 {
        min(max(time, -2_000_000_000_000_000_000), 2_000_000_000_000_000_000)
    }

    static func nanoseconds(_ seconds: Double) -> Int64 {
        MediaTime(seconds: seconds.bounded(to: -longestPlaylistDuration...longestPlaylistDuration)).nanoseconds
    }

    func start(of index: Int) -> Int64 { epoch + TimedPlaylist.nanoseconds(playlist.startTime(ofSegmentAt: index)) }
    var end: Int64 { start(of: playlist.segments.count) }
    /// With the parts of the segment that is not complete yet.
    var edge: Int64 { end + TimedPlaylist.nanoseconds(playlist.trailingParts.reduce(0) { $0 + $1.duration }) }
    var targetDuration: Int64 { TimedPlaylist.nanoseconds(max(playlist.segmentDuration, 0.1)) }
    /// What a segment lasts on the average: a bound for how far apart equal times may lie in two playlists.
    var tolerance: Int64 { min(Self.longestTolerance, targetDuration / 4) }
    static let longestTolerance: Int64 = 500_000_000

    /// The segment that plays at `time`: before the first the first; nil beyond the last.
    func index(at time: Int64) -> Int? {
        guard !playlist.segments.isEmpty, time < end else { return nil }
        return playlist.index(atTime: max(0, Double(time - epoch) / 1e9)) ?? 0
    }

    /// Takes up a newer version of the same playlist: what both have stays where it was.
    mutating func reload(with bytes: [UInt8], url: URL, importing variables: [String: String]) throws(PlaylistError)
        -> PlaylistReload.Verdict
    {
        let number = playlist.mediaSequence
        let end = end
        let count = playlist.segments.count
        let verdict = try playlist.reload(with: bytes, url: url, importing: variables).verdict
        guard verdict != .unchanged, case let removed = playlist.mediaSequence - number, removed > 0 else {
            return verdict
        }
        // What stayed tells what the removed ones lasted; those that came and went unseen lasted what segments last.
        let kept = playlist.startTime(ofSegmentAt: max(0, count - removed))
        epoch =
            removed <= count
            ? end - TimedPlaylist.nanoseconds(kept)
            : (MediaTime(nanoseconds: end) + MediaTime(seconds: Double(removed - count) * playlist.segmentDuration))
                .nanoseconds
        return verdict
    }

    /// Starts anew where the old version ended: the server has begun another stream under the same name.
    mutating func replace(with new: MediaPlaylist) {
        epoch = end
        playlist = new
    }

    /// Where this first version of another rendition's playlist lies, told from one whose place is known: by date
    /// where both have one, else by sequence number, else (VOD) both begin together (RFC 8216 §6.2.4).
    static func align(_ new: MediaPlaylist, with known: TimedPlaylist) -> Int64 {
        guard new.isLive || known.playlist.isLive, !new.segments.isEmpty, !known.playlist.segments.isEmpty else {
            return known.epoch
        }
        if let a = new.date(ofSegmentAt: 0), let b = known.playlist.date(ofSegmentAt: 0) {
            return (MediaTime(nanoseconds: known.epoch) + MediaTime(seconds: a.timeIntervalSince(b))).nanoseconds
        }
        let first = new.segments[0].mediaSequence
        if let index = known.playlist.index(ofMediaSequence: first) { return known.start(of: index) }
        if let index = new.index(ofMediaSequence: known.playlist.segments[0].mediaSequence) {
            return known.epoch - nanoseconds(new.startTime(ofSegmentAt: index))
        }
        return known.end - nanoseconds(new.duration)
    }

    /// Where one may go: in a live stream not nearer to its end than the playlist or the rule asks (8216bis §4.4.3.8).
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

    /// Where playing begins unless told otherwise: `EXT-X-START`, else the begin, else near a live stream's end.
    func defaultStart(_ start: StartOffset?, usesParts: Bool) -> Int64 {
        let range = seekable(usesParts: usesParts)
        if let start = playlist.common.start ?? start {
            let whole = playlist.isLive && usesParts ? edge : end
            // At the end of what is on demand there would be nothing to play.
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

    /// The wall clock's date at a media time; nil if nothing is dated.
    func date(at time: Int64) -> Date? {
        let index = self.index(at: time) ?? max(0, playlist.segments.count - 1)
        return playlist.date(ofSegmentAt: index)?.addingTimeInterval(Double(time - start(of: index)) / 1e9)
    }
}
