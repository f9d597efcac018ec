import Foundation
import MediaCore

/// Decides when and how a live playlist is asked for again (RFC 8216 §6.3.4; blocking reloads, 8216bis §6.2.5.2). A value
/// without a clock.
struct PlaylistReloads {
    private var lastRequest = HostTime.zero
    /// The last answer was new.
    private var hasChanged = true
    /// Reloads in a row that brought nothing new.
    private(set) var unchanged = 0
    /// Answers in a row that contradict what we have.
    private var oddities = 0
    /// A delta update may be asked for: the last one could be used.
    private var mayAskForDelta = true
    /// Since when it is not to be had, or no good.
    private var missingSince: HostTime?

    // MARK: the next request

    mutating func asked(at time: HostTime) { lastRequest = time }

    /// The server may hold its answer back until there is news.
    func mayBlock(_ playlist: MediaPlaylist) -> Bool {
        playlist.lowLatency.serverControl?.canBlockReload == true && unchanged < 3
    }

    /// When to ask again: after a change a whole target duration from the last request, else half of it.
    func due(_ timed: TimedPlaylist) -> HostTime {
        let wait = hasChanged ? timed.targetDuration : timed.targetDuration / 2
        return lastRequest + min(max(wait, 500_000_000), 60_000_000_000)
    }

    /// What to wait for: the next part, else the next segment; and that known segments may be left out.
    func directives(_ playlist: MediaPlaylist) -> [URLQueryItem] {
        let next = (playlist.lastMediaSequence ?? playlist.mediaSequence - 1) + 1
        var items = [URLQueryItem(name: "_HLS_msn", value: String(next))]
        if playlist.lowLatency.partTargetDuration != nil {
            items.append(URLQueryItem(name: "_HLS_part", value: String(playlist.trailingParts.count)))
        }
        if playlist.lowLatency.serverControl?.canSkipUntil != nil, mayAskForDelta {
            items.append(URLQueryItem(name: "_HLS_skip", value: "YES"))
        }
        return items
    }

    // MARK: its answer

    /// How long, in nanoseconds, it has not been to be had, or no good.
    mutating func missing(at time: HostTime) -> Int64 {
        let since = missingSince ?? time
        missingSince = since
        return time - since
    }

    /// It is there, and good.
    mutating func isThere() { missingSince = nil }

    /// It is asked for again as if it had not changed.
    mutating func broughtNothing() {
        hasChanged = false
        unchanged += 1
    }

    /// A newer version has been read.
    /// - Parameter hasEnded: with it the playlist ends, or goes on again.
    /// - Returns: The playlist with which the server has restarted the stream; nil if the stream goes on.
    mutating func took(_ verdict: PlaylistReload.Verdict, hasEnded: Bool) -> MediaPlaylist? {
        mayAskForDelta = true
        var fresh: MediaPlaylist?
        switch verdict {
        case .advanced, .missed:
            hasChanged = true
            oddities = 0
        case .unchanged: hasChanged = hasEnded
        case .deltaUnusable:
            hasChanged = false
            mayAskForDelta = false
        case .wentBack(let other), .changed(_, let other):
            // One stale copy from a cache is ignored. A server that repeats it has restarted the stream.
            oddities += 1
            hasChanged = oddities >= 3
            if hasChanged {
                fresh = other
                oddities = 0
            }
        }
        unchanged = hasChanged ? 0 : unchanged + 1
        return fresh
    }
}
