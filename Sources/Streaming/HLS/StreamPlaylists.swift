import Foundation
import MediaCore

/// The playlists of a stream: the multivariant playlist, and the media playlists that are loaded and reloaded.
@NetworkActor
final class StreamPlaylists {
    /// An event of the playlists.
    enum Event {
        case didLoadPresentation(PresentationLoader.Loaded)
        case presentationFailed(AVError)
        /// The playlist was loaded or reloaded, or failed.
        case changed(URL)
        /// The server has restarted the stream under the same URL.
        case restarted(URL)
        /// A request failed. It may be retried.
        case failed(HTTPError)
        /// A playlist contains an error but is used nevertheless.
        case warned(URL, String)
    }

    private let url: URL
    private let settings: HLSSession.Settings
    private let loop: any NetworkLoop
    private let report: @NetworkActor (Event) -> Void
    /// Returns the position of a first version on the stream's timeline.
    private let align: @NetworkActor (MediaPlaylist, URL) -> (epoch: Int64, generation: Int)
    /// Returns the playlist with which a new version of a playlist is aligned.
    private let reference: @NetworkActor (URL) -> URL?
    private var presentation: PresentationLoader?
    private var trackers: [URL: PlaylistTracker] = [:]
    /// The variables that the multivariant playlist defines for the others.
    private var variables: [String: String] = [:]

    nonisolated init(
        url: URL, settings: HLSSession.Settings, loop: any NetworkLoop,
        align: @escaping @NetworkActor (MediaPlaylist, URL) -> (epoch: Int64, generation: Int),
        reference: @escaping @NetworkActor (URL) -> URL?,
        report: @escaping @NetworkActor (Event) -> Void
    ) {
        self.url = url
        self.settings = settings
        self.loop = loop
        self.align = align
        self.reference = reference
        self.report = report
    }

    func stop() {
        for tracker in trackers.values { tracker.stop() }
        trackers = [:]
        presentation?.cancel()
    }

    /// Stops all loading for now. Loaded playlists are kept.
    func suspend() {
        for tracker in trackers.values { tracker.suspend() }
        presentation?.cancel()
        presentation = nil
    }

    // MARK: the multivariant playlist

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
            report(.didLoadPresentation(loaded))
        }
    }

    // MARK: media playlists

    /// Returns the tracker of the playlist at `url`, or nil if the playlist has not been requested.
    subscript(url: URL) -> PlaylistTracker? { trackers[url] }

    func tracker(_ url: URL) -> PlaylistTracker {
        if let known = trackers[url] { return known }
        let fresh = PlaylistTracker(
            url: url, settings: settings, loop: loop, variables: variables, align: { [align] in align($0, url) },
            reference: { [weak self] in self?.reference(url).flatMap { self?.trackers[$0]?.timed } },
            report: { [weak self] in self?.report($0) })
        trackers[url] = fresh
        return fresh
    }

    /// Reloads the playlist at `url` while it is live. Of the other playlists, only `others` are reloaded.
    func play(_ url: URL, besides others: [URL]) {
        for (other, known) in trackers where other != url && !others.contains(other) { known.isActive = false }
        tracker(url).isActive = true
    }

    /// Forgets the other playlists, because the stream at `url` has restarted.
    func forget(except url: URL, _ generation: Int) {
        trackers[url]?.begins(generation: generation)
        for (other, known) in trackers where other != url {
            known.stop()
            trackers[other] = nil
        }
    }
}
