import Foundation
import MediaCore

/// The schedule for reloading a live playlist (RFC 8216 §6.3.4), with blocking reloads (8216bis §6.2.5.2). It has no
/// clock; callers pass the time.
struct PlaylistReloads {
    private var lastRequest = HostTime.zero
    /// Whether the last response was a new version.
    private var hasChanged = true
    /// The number of reloads in a row without a new version.
    private(set) var unchanged = 0
    /// The number of responses in a row that contradict the known version.
    private var contradictions = 0
    /// Whether a delta update may be requested, because the last one was usable.
    private var mayRequestDelta = true
    /// The time since which the playlist has been missing or invalid, or nil if it is available.
    private var missingSince: HostTime?

    // MARK: the next request

    mutating func didRequest(at time: HostTime) { lastRequest = time }

    /// Returns whether the server may delay its response until there is a new version.
    func mayBlock(_ playlist: MediaPlaylist) -> Bool {
        playlist.lowLatency.serverControl?.canBlockReload == true && unchanged < 3
    }

    /// Returns the time of the next request: a target duration after the last request if the playlist has changed, else
    /// half a target duration. The interval is limited to 0.5 s … 60 s.
    func due(_ timed: TimedPlaylist) -> HostTime {
        let wait = hasChanged ? timed.targetDuration : timed.targetDuration / 2
        return lastRequest + min(max(wait, 500_000_000), 60_000_000_000)
    }

    /// Returns the query items that request the next part or segment, and a delta update if the server supports it.
    func directives(_ playlist: MediaPlaylist) -> [URLQueryItem] {
        let next = (playlist.lastMediaSequence ?? playlist.mediaSequence - 1) + 1
        var items = [URLQueryItem(name: "_HLS_msn", value: String(next))]
        if playlist.lowLatency.partTargetDuration != nil {
            items.append(URLQueryItem(name: "_HLS_part", value: String(playlist.trailingParts.count)))
        }
        if playlist.lowLatency.serverControl?.canSkipUntil != nil, mayRequestDelta {
            items.append(URLQueryItem(name: "_HLS_skip", value: "YES"))
        }
        return items
    }

    /// Returns the URL of a request that the server may delay, or nil if there is none.
    func blockingURL(_ url: URL, for playlist: MediaPlaylist) -> URL? {
        // `URLComponents.queryItems` would encode the existing query in another way, which breaks signed URLs.
        let text = url.absoluteString.prefix { $0 != "#" }
        let items = directives(playlist).map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
        return URL(string: text + (text.contains("?") ? "&" : "?") + items)
    }

    // MARK: the response

    /// Returns for how long the playlist has been missing or invalid, in nanoseconds.
    mutating func missing(at time: HostTime) -> Int64 {
        let since = missingSince ?? time
        missingSince = since
        return time - since
    }

    /// Records that the playlist is available and valid.
    mutating func becameAvailable() { missingSince = nil }

    /// Records a failed reload. The next request follows as if the playlist had not changed.
    mutating func didNotChange() {
        hasChanged = false
        unchanged += 1
    }

    /// Records a newly loaded version.
    /// - Parameter hasEnded: Whether the playlist's end was added or removed by this version.
    /// - Returns: The playlist with which the server has restarted the stream, or nil if the stream continues.
    mutating func didLoad(_ verdict: PlaylistReload.Verdict, hasEnded: Bool) -> MediaPlaylist? {
        mayRequestDelta = true
        var fresh: MediaPlaylist?
        switch verdict {
        case .advanced, .missed:
            hasChanged = true
            contradictions = 0
        case .unchanged: hasChanged = hasEnded
        case .deltaUnusable:
            hasChanged = false
            mayRequestDelta = false
        case .isOlder(let other), .changed(_, let other):
            contradictions += 1
            hasChanged = contradictions >= PlaylistReload.contradictionsOfRestart
            if hasChanged {
                fresh = other
                contradictions = 0
            }
        }
        unchanged = hasChanged ? 0 : unchanged + 1
        return fresh
    }
}
