import Foundation
import MediaCore

/// One media playlist and its reloads (RFC 8216 §6.3.4; blocking ones, 8216bis §6.2.5.2).
@NetworkActor
final class PlaylistTracker {
    let url: URL
    private let loop: any NetworkLoop
    private let settings: HLSSession.Settings
    private let variables: [String: String]
    /// Lays a first version on the stream's timeline.
    private let place: (MediaPlaylist) -> (epoch: Int64, generation: Int)
    private let report: (StreamPlaylists.Event) -> Void
    private var load: SmallLoad?
    private var timer: (any NetworkTimer)?
    private(set) var timed: TimedPlaylist?
    private(set) var failure: AVError?
    /// Asking again may help.
    private(set) var failureIsTransient = false
    /// Reloaded while somebody plays from it.
    var isActive = false { didSet { if isActive, !oldValue { schedule() } else if !isActive { rest() } } }
    private var isStopped = false
    private var reloads = PlaylistReloads()
    /// Multivariant playlists that stood in its place lead there; the last one is where it is loaded from.
    private var detours: [URL] = []
    private static let mostDetours = 3

    init(
        url: URL, settings: HLSSession.Settings, loop: any NetworkLoop, variables: [String: String],
        place: @escaping (MediaPlaylist) -> (epoch: Int64, generation: Int),
        report: @escaping (StreamPlaylists.Event) -> Void
    ) {
        self.url = url
        self.settings = settings
        self.loop = loop
        self.variables = variables
        self.place = place
        self.report = report
    }

    func stop() {
        isStopped = true
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
        fetch(blockingFor: nil, retry: settings.opening)
    }

    /// Somebody who met a failure asks once more.
    func forgetFailure() { failure = nil }

    /// It has been loaded already: a stream of one media playlist.
    func adopt(_ playlist: MediaPlaylist) {
        timed = placed(playlist)
        reloads.asked(at: loop.time)
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
        if reloads.mayBlock(timed.playlist) { return fetch(blockingFor: timed, retry: settings.playing) }
        timer = loop.schedule(at: max(reloads.due(timed), loop.time)) { [weak self] in
            guard let self, self.isActive, !self.isStopped, self.load == nil else { return }
            self.fetch(blockingFor: nil, retry: self.settings.playing)
        }
    }

    private func fetch(blockingFor known: TimedPlaylist?, retry: RetryPolicy) {
        reloads.asked(at: loop.time)
        var target = detours.last ?? url
        var options = settings.options
        if let known, var parts = URLComponents(url: target, resolvingAgainstBaseURL: true) {
            var query = parts.queryItems ?? []
            query += reloads.directives(known.playlist)
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
            retry: retry, onFailure: { [weak self] in self?.report(.failed($0)) },
            completion: { [weak self] in self?.loaded($0) })
    }

    private func loaded(_ result: Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) {
        load = nil
        guard !isStopped else { return }
        switch result {
        case .failure(let error) where isMissingForNow(error): reloads.broughtNothing()
        case .failure(let error):
            failure = error.avError
            failureIsTransient = error.isTransient
        case .success(let (bytes, response)):
            do throws(PlaylistError) {
                try take(bytes, from: response.url)
                // What stands there leads elsewhere.
                if load != nil { return }
                failure = nil
                reloads.isThere()
            } catch {
                report(
                    .failed(
                        HTTPError(.other, url: response.url, status: response.status, reason: error.avError.reason)))
                // A broken reload of a playlist that was good: the next one may be good again, for as long as a player
                // waits for a network.
                let missing = reloads.missing(at: loop.time)
                if timed == nil || missing >= settings.playing.within {
                    failure = error.avError
                    failureIsTransient = false
                } else {
                    reloads.broughtNothing()
                }
            }
        }
        report(.changed(url))
        schedule()
    }

    /// A live playlist that was there a moment ago: it may be being replaced, one server of many not have it yet, or
    /// its encoder begin anew. It is asked for again as if it had not changed, for as long as a player waits for a
    /// network.
    private func isMissingForNow(_ error: HTTPError) -> Bool {
        guard error.status == 404, let timed, timed.playlist.isLive else { return false }
        return reloads.missing(at: loop.time) < settings.playing.within
    }

    private func take(_ bytes: [UInt8], from url: URL) throws(PlaylistError) {
        guard var known = timed else {
            let first = try Playlist.parse(bytes, url: url, importing: variables)
            for warning in first.warnings.entries {
                report(.warned(url, "line \(warning.line): \(warning.reason)"))
            }
            switch first {
            case .media(let playlist): timed = placed(playlist)
            case .multivariant(let playlist):
                // One that stands where a media playlist belongs has mostly a single variant.
                guard detours.count < PlaylistTracker.mostDetours,
                    let variant = playlist.variants.lazy.compactMap(\.url).first
                else {
                    throw PlaylistError(
                        url: url, line: 1,
                        reason: "the file is a multivariant playlist, but a media playlist is required")
                }
                report(.warned(url, "the file is a multivariant playlist, but a media playlist is required"))
                detours.append(variant)
                fetch(blockingFor: nil, retry: settings.opening)
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
        let fresh = reloads.took(verdict, hasEnded: end != known.playlist.isEnded)
        if let fresh { known.replace(with: fresh) }
        timed = known
        if fresh != nil { report(.beganAnew(self.url)) }
    }
}
