import Foundation
import MediaCore

/// The loading and reloading of one media playlist (RFC 8216 §6.3.4; blocking reloads, 8216bis §6.2.5.2).
@NetworkActor
final class PlaylistTracker {
    private var location: PlaylistLocation
    private let loop: any NetworkLoop
    private let settings: HLSSession.Settings
    private let variables: [String: String]
    /// Returns the position of a first version on the stream's timeline.
    private let align: (MediaPlaylist) -> (epoch: Int64, generation: Int)
    /// Returns another playlist of the stream that is up to date.
    private let reference: () -> TimedPlaylist?
    private let report: (StreamPlaylists.Event) -> Void
    private var load: SmallLoad?
    private var timer: (any NetworkTimer)?
    private(set) var timed: TimedPlaylist?
    private var failures = PlaylistFailures()
    /// Whether the playlist is reloaded, because segments are loaded from it.
    var isActive = false {
        didSet {
            if isActive { isSuspended = false }
            if isActive, !oldValue { schedule() }
            guard !isActive else { return }
            cancelTimer()
            if oldValue, failures.reloadsFail { stopFailingReload() }
        }
    }
    private var isStopped = false
    /// Whether the playlist has been neither loaded nor active since the stream was suspended.
    private var isSuspended = false
    private var reloads = PlaylistReloads()

    init(
        url: URL, settings: HLSSession.Settings, loop: any NetworkLoop, variables: [String: String],
        align: @escaping (MediaPlaylist) -> (epoch: Int64, generation: Int),
        reference: @escaping () -> TimedPlaylist?,
        report: @escaping (StreamPlaylists.Event) -> Void
    ) {
        location = PlaylistLocation(url)
        self.settings = settings
        self.loop = loop
        self.variables = variables
        self.align = align
        self.reference = reference
        self.report = report
    }

    var url: URL { location.url }
    var failure: AVError? { failures.failure }
    /// Whether another request may succeed after `failure`.
    var failureIsTransient: Bool { failures.isTransient }
    /// The last failure, if several reloads in a row have failed. They are still retried.
    var reloadFailure: AVError? { failures.reloadFailure }

    func stop() {
        isStopped = true
        load?.cancel()
        timer?.cancel()
    }

    /// Stops loading while no segments are loaded from the playlist.
    func suspend() {
        isSuspended = true
        isActive = false
        load?.cancel()
        load = nil
    }

    private func cancelTimer() {
        timer?.cancel()
        timer = nil
    }

    /// Whether a live playlist was not reloaded in time while the stream was suspended, so that its window may have
    /// moved on.
    var isOutdated: Bool {
        guard isSuspended, let timed, timed.playlist.isLive else { return false }
        return load != nil || failure != nil || loop.time >= reloads.due(timed)
    }

    /// Loads the playlist for the first time, or an outdated one again, unless it is loading.
    func need() {
        guard timed == nil || isOutdated, failure == nil, load == nil, !isStopped else { return }
        // A stream that has played waits for the network as long as during playback.
        fetch(blockingFor: nil, retry: timed == nil ? settings.opening : settings.playing)
    }

    /// Forgets a failure, so that the playlist can be requested again.
    func forgetFailure() { failures.forget() }

    /// Stops the retries of a reload while another playlist is played. The next use begins with a reload; if it fails
    /// too, the failure is reported at once.
    private func stopFailingReload() {
        load?.cancel()
        load = nil
        forgetFailure()
    }

    /// Uses a playlist that is already loaded, because the stream is a single media playlist.
    func adopt(_ playlist: MediaPlaylist) {
        timed = placed(playlist)
        reloads.didRequest(at: loop.time)
        schedule()
    }

    private func placed(_ playlist: MediaPlaylist) -> TimedPlaylist {
        let (epoch, generation) = align(playlist)
        return TimedPlaylist(playlist, epoch: epoch, generation: generation)
    }

    /// Sets the generation that the plan has assigned after a restart of the stream.
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
        reloads.didRequest(at: loop.time)
        var target = location.current
        var options = settings.options
        if let known, let blocking = reloads.blockingURL(target, for: known.playlist) {
            target = blocking
            // The server delays its response for up to three target durations (§6.2.5.2).
            options.timeouts.idle = max(options.timeouts.idle, 4 * known.targetDuration)
        }
        var retry = retry
        // After a network failure, a live playlist should be updated quickly.
        if let timed, timed.playlist.isLive {
            retry.longestDelay = min(retry.longestDelay, max(timed.targetDuration, 1_000_000_000))
        }
        load = SmallLoad(
            loop: loop, request: HTTPRequest(url: target, options: options, limit: 32 << 20, acceptsCompression: true),
            retry: retry, onFailure: { [weak self] in self?.requestFailed($0) },
            completion: { [weak self] in self?.loaded($0) })
    }

    /// Handles a failed request, which is retried if its failure is transient.
    private func requestFailed(_ error: HTTPError) {
        count(error)
        if reloadFailure != nil { report(.changed(url)) }
    }

    private func count(_ error: HTTPError) {
        report(.failed(error))
        guard timed?.playlist.isLive == true else { return }
        failures.reloadDidFail(error)
    }

    private func loaded(_ result: Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) {
        load = nil
        guard !isStopped else { return }
        switch result {
        case .failure(let error):
            reloads.didNotChange()
            if !isMissingForNow(error) {
                failures.loadDidFail(error.avError, isTransient: error.isTransient)
            }
        case .success(let (bytes, response)):
            do throws(PlaylistError) {
                try take(bytes, from: response.url)
                // The server sent a multivariant playlist, and its variant is being loaded.
                if load != nil { return }
                isSuspended = false
                failures.didSucceed()
                reloads.becameAvailable()
            } catch {
                count(HTTPError(.other, url: response.url, status: response.status, reason: error.avError.reason))
                reloads.didNotChange()
                // The playlist was valid before, so the next reload may be valid again. The limit is the time for which
                // a player waits for a network.
                let missing = reloads.missing(at: loop.time)
                if timed == nil || missing >= settings.playing.within {
                    failures.loadDidFail(error.avError, isTransient: false)
                }
            }
        }
        report(.changed(url))
        schedule()
    }

    /// Returns whether a live playlist that was available before is only temporarily missing. The server may be
    /// replacing it, it may not have reached every server, or the encoder may be restarting. It is then requested again
    /// as if it had not changed, up to the time for which a player waits for a network.
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
                guard location.follow(playlist) else {
                    throw PlaylistError(
                        url: url, line: 1,
                        reason: "the file is a multivariant playlist, but a media playlist is required")
                }
                report(.warned(url, "the file is a multivariant playlist, but a media playlist is required"))
                fetch(blockingFor: nil, retry: settings.opening)
            }
            return
        }
        let end = known.playlist.isEnded
        // A second copy of the playlist would make `reload` copy all segments.
        timed = nil
        let verdict: PlaylistReload.Verdict
        do throws(PlaylistError) {
            verdict = try known.reload(with: bytes, url: url, importing: variables, beside: reference())
        } catch {
            timed = known
            throw error
        }
        let fresh = reloads.didLoad(verdict, hasEnded: end != known.playlist.isEnded)
        if let fresh { known.replace(with: fresh) }
        timed = known
        if fresh != nil { report(.restarted(self.url)) }
    }
}
