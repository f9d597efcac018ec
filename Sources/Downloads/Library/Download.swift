import Foundation
import MediaCore
import MediaEngine
import Observation
import Streaming

/// A download, for views: what becomes of it, as it becomes. Main actor.
///
///     let download = try await library.add(url)
///     Text("\(download.progress.fraction)")
///     for await state in download.states { … }
@MainActor @Observable
public final class Download: Identifiable {
    public nonisolated let id: UUID
    /// What it does now; kept up to date on the main actor.
    public private(set) var state: DownloadState
    /// How far it is; kept up to date on the main actor.
    public private(set) var progress: DownloadProgress
    /// The source's URL, without a user name and password.
    public private(set) var url: URL
    /// What it is called: by its options, else by what the stream or file says of itself.
    public private(set) var title: String
    /// What it was added with.
    public let options: DownloadOptions
    /// When it was added to its library.
    public let added: Date
    /// What is played without a network: a folder that `AVURLAsset` and other players' playlists take, or a file. Nil:
    /// not all of it is there.
    public private(set) var playableURL: URL?
    /// The package's folder, from the beginning on.
    public private(set) var location: URL

    @ObservationIgnored private let library: DownloadLibrary
    @ObservationIgnored private var waiting: [UUID: AsyncStream<DownloadState>.Continuation] = [:]

    init(_ snapshot: DownloadSnapshot, in library: DownloadLibrary) {
        id = snapshot.id
        state = snapshot.state
        progress = snapshot.progress
        url = snapshot.url
        title = snapshot.title
        options = snapshot.options
        added = snapshot.added
        playableURL = snapshot.playable
        location = snapshot.location
        self.library = library
    }

    func access<Member>(keyPath: KeyPath<Download, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func take(_ snapshot: DownloadSnapshot) {
        // Views that read what has not changed are not evaluated.
        if progress != snapshot.progress { progress = snapshot.progress }
        if playableURL != snapshot.playable { playableURL = snapshot.playable }
        if location != snapshot.location { location = snapshot.location }
        if url != snapshot.url { url = snapshot.url }
        if title != snapshot.title { title = snapshot.title }
        guard state != snapshot.state else { return }
        state = snapshot.state
        for continuation in waiting.values { continuation.yield(state) }
    }

    func isGone() {
        if state != .cancelled {
            state = .cancelled
            for continuation in waiting.values { continuation.yield(.cancelled) }
        }
        for continuation in waiting.values { continuation.finish() }
        waiting = [:]
    }

    /// Its state now, and each one that follows; ends when it is removed.
    public var states: AsyncStream<DownloadState> {
        let (stream, continuation) = AsyncStream<DownloadState>.makeStream()
        let state = withoutObservationTracking { self.state }
        continuation.yield(state)
        guard state != .cancelled else {
            continuation.finish()
            return stream
        }
        let id = UUID()
        waiting[id] = continuation
        // Held by whoever reads, up to the end.
        continuation.onTermination = { [self] _ in
            Task { @MainActor in self.waiting[id] = nil }
        }
        return stream
    }

    /// Waits until nothing more happens by itself.
    ///
    /// - Throws: why it failed; `.cancelled` when it was cancelled, or the task that waits was.
    public func finished() async throws(DownloadError) {
        for await state in states {
            switch state {
            case .finished: return
            case .failed(let error): throw error
            case .cancelled:
                throw DownloadError(.cancelled, at: url.absoluteString, reason: "the download was cancelled")
            default: continue
            }
        }
        throw DownloadError(.cancelled, at: url.absoluteString, reason: "the operation was cancelled")
    }

    /// Stops what is under way; what has come stays. Of what is finished nothing changes.
    ///
    /// - Throws: `DownloadError` where the library's record cannot be written.
    public func pause() async throws(DownloadError) { try await library.pause(self) }
    /// Goes on after `pause()` or a failure, from where it stands. Of what is finished nothing changes.
    ///
    /// - Throws: `DownloadError` where the library's record cannot be written.
    public func resume() async throws(DownloadError) { try await library.resume(self) }
    /// Continues after a failure from where it stands.
    ///
    /// Passwords and headers are never stored. A later process has to give them again; without them the download fails
    /// with `.credentialsNeeded`.
    ///
    /// - Parameters:
    ///   - url: Where to continue: the successor of a link that expired, or the same URL with its user name and
    ///     password. Nil: from the same URL.
    ///   - headers: The headers of each request from now on. Nil: the same as before.
    public func retry(with url: URL? = nil, headers: [String: String]? = nil) async throws(DownloadError) {
        try await library.retry(self, with: url, headers: headers)
    }
    /// Nothing of it stays.
    public func cancel() async throws(DownloadError) { try await library.cancel(self) }
    /// Takes the download and its files off the disk, finished or not; what another download of the same package has
    /// chosen stays.
    ///
    /// - Throws: `DownloadError` where the record or the disk does not let it.
    public func remove() async throws(DownloadError) { try await library.remove(self) }

    /// For a player, at any time: finished, it needs no network; else what has come is played from the disk and the
    /// rest from the server, in the rung and languages that are downloaded.
    public func asset() async throws(DownloadError) -> AVURLAsset { try await library.asset(for: self) }
}
