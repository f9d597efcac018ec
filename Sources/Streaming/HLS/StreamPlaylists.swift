import Foundation
import MediaCore

/// The playlists of a stream: what there is to choose, and the media playlists that are loaded and reloaded.
@NetworkActor
final class StreamPlaylists {
    /// What happens to them.
    enum Event {
        case presentationCame(PresentationLoader.Loaded)
        case presentationFailed(AVError)
        /// It has come, has been reloaded, or has failed.
        case changed(URL)
        /// Its server has begun another stream under the same name.
        case beganAnew(URL)
        /// A request failed; it may be retried.
        case failed(HTTPError)
        /// What is wrong in a playlist that is played all the same.
        case warned(URL, String)
    }

    private let url: URL
    private let settings: HLSSession.Settings
    private let loop: any NetworkLoop
    private let report: @NetworkActor (Event) -> Void
    /// Lays a first version on the stream's timeline.
    private let place: @NetworkActor (MediaPlaylist, URL) -> (epoch: Int64, generation: Int)
    private var presentation: PresentationLoader?
    private var trackers: [URL: PlaylistTracker] = [:]
    /// What the multivariant playlist defines for the others.
    private var variables: [String: String] = [:]

    nonisolated init(
        url: URL, settings: HLSSession.Settings, loop: any NetworkLoop,
        place: @escaping @NetworkActor (MediaPlaylist, URL) -> (epoch: Int64, generation: Int),
        report: @escaping @NetworkActor (Event) -> Void
    ) {
        self.url = url
        self.settings = settings
        self.loop = loop
        self.place = place
        self.report = report
    }

    func stop() {
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
        presentation?.cancel()
    }

    /// Nothing is loaded for now; what has come is kept.
    func suspend() {
        for tracker in trackers.values { tracker.suspend() }
        presentation?.cancel()
        presentation = nil
    }

    // MARK: what there is to choose

    func loadPresentation() {
        guard presentation == nil else { return }
        presentation = PresentationLoader(
            url: url, options: settings.options, retry: settings.opening, canDecode: settings.canDecode, loop: loop,
            onFailure: { [weak self] in self?.report(.failed($0)) },
            completion: { [weak self] in self?.presentationEnded($0) })
    }

    private func presentationEnded(_ result: Result<PresentationLoader.Loaded, AVError>) {
        presentation = nil
        switch result {
        case .failure(let error): report(.presentationFailed(error))
        case .success(let loaded):
            variables = loaded.presentation.multivariant?.variables ?? [:]
            let warnings = loaded.presentation.multivariant?.common.warnings ?? loaded.media?.common.warnings
            for warning in warnings?.entries ?? [] { report(.warned(url, "line \(warning.line): \(warning.reason)")) }
            if let playlist = loaded.media { tracker(url).adopt(playlist) }
            report(.presentationCame(loaded))
        }
    }

    // MARK: media playlists

    /// The one that is known at `url`; nil: it has not been asked for.
    subscript(url: URL) -> PlaylistTracker? { trackers[url] }

    func tracker(_ url: URL) -> PlaylistTracker {
        if let known = trackers[url] { return known }
        let fresh = PlaylistTracker(
            url: url, settings: settings, loop: loop, variables: variables, place: { [place] in place($0, url) },
            report: { [weak self] in self?.report($0) })
        trackers[url] = fresh
        return fresh
    }

    /// Reloads the one at `url` while it is live, and of the others only these.
    func play(_ url: URL, besides others: [URL]) {
        for (other, known) in trackers where other != url && !others.contains(other) { known.isActive = false }
        tracker(url).isActive = true
    }

    /// Another stream has begun at `url`: the other playlists are void.
    func forget(except url: URL, _ generation: Int) {
        trackers[url]?.begins(generation: generation)
        for (other, known) in trackers where other != url {
            known.stop()
            trackers[other] = nil
        }
    }
}
