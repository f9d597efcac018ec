import Foundation
import MediaCore

/// One media playlist and its reloads (RFC 8216 §6.3.4; blocking ones, 8216bis §6.2.5.2). Confined to the loop.
final class PlaylistTracker: @unchecked Sendable {
    // Guarded by confinement: everything happens on the loop.
    let url: URL
    /// Where it is loaded from: another place than `url` where a multivariant playlist stood there.
    private var address: URL
    private var detours = 0
    private let loop: any NetworkLoop
    private let options: HTTPOptions
    private let opening: RetryPolicy
    private let playing: RetryPolicy
    private let variables: [String: String]
    /// Lays a first version on the stream's timeline.
    private let place: (MediaPlaylist) -> (epoch: Int64, generation: Int)
    /// The server has begun another stream under the same name: everything else known of it is void.
    private let onRestart: (PlaylistTracker) -> Void
    private let log: (HTTPError) -> Void
    /// Told of what is wrong in a playlist that is played all the same.
    private let warn: (URL, String) -> Void
    private var load: SmallLoad?
    private var timer: (any NetworkTimer)?
    private(set) var timed: TimedPlaylist?
    private(set) var failure: AVError?
    /// Asking again may help.
    private(set) var failureIsTransient = false
    /// Reloaded while somebody plays from it.
    var isActive = false { didSet { if isActive, !oldValue { schedule() } else if !isActive { rest() } } }
    var onChange: () -> Void = {}
    private var lastRequest = HostTime(nanoseconds: 0)
    private var hasChanged = true
    private var isStopped = false
    /// Answers in a row that contradict what we have.
    private var oddities = 0
    /// A delta update may be asked for: the last one could be used.
    private var mayAskForDelta = true
    private var missingSince: HostTime?
    private static let mostDetours = 3
    /// Reloads in a row that brought nothing new.
    private(set) var unchanged = 0

    init(
        url: URL, loop: any NetworkLoop, options: HTTPOptions, opening: RetryPolicy, playing: RetryPolicy,
        variables: [String: String],
        place: @escaping (MediaPlaylist) -> (epoch: Int64, generation: Int),
        onRestart: @escaping (PlaylistTracker) -> Void,
        log: @escaping (HTTPError) -> Void, warn: @escaping (URL, String) -> Void
    ) {
        self.url = url
        address = url
        self.loop = loop
        self.options = options
        self.opening = opening
        self.playing = playing
        self.variables = variables
        self.place = place
        self.onRestart = onRestart
        self.log = log
        self.warn = warn
    }

    func stop() {
        isStopped = true
        onChange = {}
        load?.cancel()
        timer?.cancel()
    }

    /// Nobody plays from it or waits for it.
    func suspend() {
        isActive = false
        load?.cancel()
        load = nil
    }

    private func rest() {
        timer?.cancel()
        timer = nil
    }

    /// Loads it for the first time, unless that is under way or done.
    func need() {
        guard timed == nil, failure == nil, load == nil, !isStopped else { return }
        fetch(blockingFor: nil, retry: opening)
    }

    /// Somebody who met a failure asks once more.
    func forgetFailure() { failure = nil }

    /// It has been loaded already: a stream of one media playlist.
    func adopt(_ playlist: MediaPlaylist) {
        timed = placed(playlist)
        lastRequest = loop.time
        schedule()
    }

    private func placed(_ playlist: MediaPlaylist) -> TimedPlaylist {
        let (epoch, generation) = place(playlist)
        return TimedPlaylist(playlist, epoch: epoch, generation: generation)
    }

    /// Under the number that the session has given this beginning.
    func begins(generation: Int) { timed?.generation = generation }

    // MARK: reloading

    private func schedule() {
        guard isActive, !isStopped, load == nil, let timed, timed.playlist.isLive else { return }
        timer?.cancel()
        let playlist = timed.playlist
        if playlist.serverControl?.canBlockReload == true, unchanged < 3 {
            return fetch(blockingFor: timed, retry: playing)
        }
        // After a change a whole target duration from the last request, else half of it.
        let wait = hasChanged ? timed.targetDuration : timed.targetDuration / 2
        let due = max(lastRequest + min(max(wait, 500_000_000), 60_000_000_000), loop.time)
        timer = loop.schedule(at: due) { [weak self] in
            guard let self, self.isActive, !self.isStopped, self.load == nil else { return }
            self.fetch(blockingFor: nil, retry: self.playing)
        }
    }

    private func fetch(blockingFor known: TimedPlaylist?, retry: RetryPolicy) {
        lastRequest = loop.time
        var target = address
        var options = options
        if let known, var parts = URLComponents(url: address, resolvingAgainstBaseURL: true) {
            var query = parts.queryItems ?? []
            query += directives(known.playlist)
            parts.queryItems = query
            if let asked = parts.url {
                target = asked
                // The server holds the answer back until there is news: three target durations at most (§6.2.5.2).
                options.timeouts.idle = max(options.timeouts.idle, 4 * known.targetDuration)
            }
        }
        var retry = retry
        // What is new is wanted soon after the network is back.
        if let timed, timed.playlist.isLive {
            retry.longestDelay = min(retry.longestDelay, max(timed.targetDuration, 1_000_000_000))
        }
        load = SmallLoad(
            loop: loop, request: HTTPRequest(url: target, options: options, limit: 32 << 20, acceptsCompression: true),
            retry: retry, onFailure: { [weak self] in self?.log($0) },
            completion: { [weak self] in self?.loaded($0) })
    }

    /// What to wait for: the next part, else the next segment; and that known segments may be left out.
    private func directives(_ playlist: MediaPlaylist) -> [URLQueryItem] {
        let next = (playlist.lastMediaSequence ?? playlist.mediaSequence - 1) + 1
        var items = [URLQueryItem(name: "_HLS_msn", value: String(next))]
        if playlist.partTargetDuration != nil {
            items.append(URLQueryItem(name: "_HLS_part", value: String(playlist.trailingParts.count)))
        }
        if playlist.serverControl?.canSkipUntil != nil, mayAskForDelta {
            items.append(URLQueryItem(name: "_HLS_skip", value: "YES"))
        }
        return items
    }

    private func loaded(_ result: Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) {
        load = nil
        guard !isStopped else { return }
        switch result {
        case .failure(let error) where isMissingForNow(error):
            unchanged += 1
            hasChanged = false
        case .failure(let error):
            failure = error.avError
            failureIsTransient = error.isTransient
        case .success(let (bytes, response)):
            do throws(PlaylistError) {
                try take(bytes, from: response.url)
                // What stands there leads elsewhere.
                if load != nil { return }
                failure = nil
                missingSince = nil
            } catch {
                log(HTTPError(.other, url: response.url, status: response.status, reason: error.avError.reason))
                // A broken reload of a playlist that was good: the next one may be good again, for as long as a player
                // waits for a network.
                let since = missingSince ?? loop.time
                missingSince = since
                if timed == nil || loop.time - since >= playing.within {
                    failure = error.avError
                    failureIsTransient = false
                } else {
                    unchanged += 1
                    hasChanged = false
                }
            }
        }
        onChange()
        schedule()
    }

    /// A live playlist that was there a moment ago: it may be being replaced, one server of many not have it yet, or
    /// its encoder begin anew. It is asked for again as if it had not changed, for as long as a player waits for a
    /// network.
    private func isMissingForNow(_ error: HTTPError) -> Bool {
        guard error.status == 404, let timed, timed.playlist.isLive else { return false }
        let since = missingSince ?? loop.time
        missingSince = since
        return loop.time - since < playing.within
    }

    private func take(_ bytes: [UInt8], from url: URL) throws(PlaylistError) {
        guard var known = timed else {
            let first = try Playlist.parse(bytes, url: url, importing: variables)
            for warning in first.warnings.entries {
                warn(url, "line \(warning.line): \(warning.reason)")
            }
            switch first {
            case .media(let playlist): timed = placed(playlist)
            case .multivariant(let playlist):
                // One that stands where a media playlist belongs has mostly a single variant.
                guard detours < PlaylistTracker.mostDetours,
                    let variant = playlist.variants.lazy.compactMap(\.url).first
                else {
                    throw PlaylistError(
                        url: url, line: 1,
                        reason: "the file is a multivariant playlist, but a media playlist is required")
                }
                warn(url, "the file is a multivariant playlist, but a media playlist is required")
                detours += 1
                address = variant
                fetch(blockingFor: nil, retry: opening)
            }
            return
        }
        let end = known.playlist.isEnded
        // Else the copy kept here would make the reload copy all segments.
        timed = nil
        let verdict: PlaylistReload.Verdict
        do throws(PlaylistError) {
            verdict = try known.reload(with: bytes, url: url, importing: variables)
        } catch {
            timed = known
            throw error
        }
        mayAskForDelta = true
        var isAnew = false
        switch verdict {
        case .advanced, .missed:
            hasChanged = true
            oddities = 0
        case .unchanged: hasChanged = end != known.playlist.isEnded
        case .deltaUnusable:
            hasChanged = false
            mayAskForDelta = false
        case .wentBack(let other), .changed(_, let other):
            // One stale copy from a cache is passed over; a server that insists has begun anew.
            oddities += 1
            isAnew = oddities >= 3
            hasChanged = isAnew
            if isAnew {
                known.replace(with: other)
                oddities = 0
            }
        }
        timed = known
        unchanged = hasChanged ? 0 : unchanged + 1
        if isAnew { onRestart(self) }
    }
}
