import Foundation
import MediaCore
import MediaEngine
import Observation

/// A download that views can observe, updated on the main actor.
///
/// ```swift
/// struct DownloadRow: View {
///     let download: Download
///     var body: some View {
///         VStack(alignment: .leading) {
///             Text(download.title)
///             ProgressView(value: download.progress.fraction)
///             if let error = download.state.error { Text(error.localizedDescription) }
///         }
///     }
/// }
/// ```
@MainActor @Observable
public final class Download: Identifiable {
    /// The identifier of the download, which stays the same after a relaunch.
    public nonisolated let id: UUID
    /// The current state, updated on the main actor.
    public private(set) var state: DownloadState
    /// The current progress, updated on the main actor.
    public private(set) var progress: DownloadProgress
    /// The source's URL, without a user name and password.
    public private(set) var url: URL
    /// The title that the options give, or else a title made from the URL.
    public private(set) var title: String
    /// The options of the download when this object was created, including headers that are not stored.
    public let options: DownloadOptions
    /// The date on which the download was added to its library.
    public let added: Date
    /// The local URL to play without a network, or nil while parts of the media are missing.
    ///
    /// For a stream the URL is a folder that `AVURLAsset` accepts and whose playlists other players can read. Otherwise
    /// the URL is the media file.
    ///
    /// ```swift
    /// if let url = download.playableURL {
    ///     Button("Play") { player.replaceCurrentItem(with: AVPlayerItem(url: url)) }
    /// }
    /// ```
    public private(set) var playableURL: URL?
    /// The package's folder, known from the start of the download.
    public private(set) var location: URL

    @ObservationIgnored private let library: DownloadLibrary
    @ObservationIgnored private var continuations: [UUID: AsyncStream<DownloadState>.Continuation] = [:]

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
        // Assigning an equal value would make observing views evaluate their bodies again.
        if progress != snapshot.progress { progress = snapshot.progress }
        if playableURL != snapshot.playable { playableURL = snapshot.playable }
        if location != snapshot.location { location = snapshot.location }
        if url != snapshot.url { url = snapshot.url }
        if title != snapshot.title { title = snapshot.title }
        guard state != snapshot.state else { return }
        state = snapshot.state
        for continuation in continuations.values { continuation.yield(state) }
    }

    func isGone() {
        if state != .cancelled {
            state = .cancelled
            for continuation in continuations.values { continuation.yield(.cancelled) }
        }
        for continuation in continuations.values { continuation.finish() }
        continuations = [:]
    }

    /// A new sequence of the current state and of each later state, which ends when the download is removed.
    ///
    /// ```swift
    /// for await state in download.states {
    ///     print(state)
    ///     if state.isSettled { break }
    /// }
    /// ```
    public var states: AsyncStream<DownloadState> {
        let (stream, continuation) = AsyncStream<DownloadState>.makeStream()
        let state = withoutObservationTracking { self.state }
        continuation.yield(state)
        guard state != .cancelled else {
            continuation.finish()
            return stream
        }
        let id = UUID()
        continuations[id] = continuation
        // The closure keeps the download alive while the stream is read.
        continuation.onTermination = { [self] _ in
            Task { @MainActor in self.continuations[id] = nil }
        }
        return stream
    }

    /// Waits until the download has finished.
    ///
    /// A paused download keeps the caller waiting until the download is resumed or removed.
    ///
    /// ```swift
    /// do {
    ///     try await download.finished()
    /// } catch {
    ///     print(error.description)
    /// }
    /// ```
    ///
    /// - Throws: The error of a failed download, at once if it has already failed. `.cancelled` if the download was
    ///   canceled or removed, or if the waiting task was canceled.
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

    /// Pauses the download and keeps the bytes that are on the disk. Has no effect on a finished download.
    ///
    /// ```swift
    /// Button("Pause") {
    ///     Task {
    ///         do { try await download.pause() } catch { message = error.localizedDescription }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    public func pause() async throws(DownloadError) { try await library.pause(self) }
    /// Continues the download after `pause()` or a failure, from the bytes that are on the disk. Has no effect on a
    /// finished download. If the download is running, its requests start again.
    ///
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    public func resume() async throws(DownloadError) { try await library.resume(self) }
    /// Continues the download after a failure, from the bytes that are on the disk. Has no effect on a finished
    /// download.
    ///
    /// Passwords and headers are never stored. After a relaunch, pass them again; without them the download fails with
    /// `.credentialsNeeded`.
    ///
    /// ```swift
    /// if case .failed(let error) = download.state, error.code == .linkExpired {
    ///     try await download.retry(with: newURL)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL to continue with: the replacement of an expired link, or the same URL with its user name and
    ///     password. Nil keeps the present URL.
    ///   - headers: The headers of each request from now on. Nil keeps the present headers.
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    public func retry(with url: URL? = nil, headers: [String: String]? = nil) async throws(DownloadError) {
        try await library.retry(self, with: url, headers: headers)
    }
    /// Cancels the download and deletes its files, except those that another download of the same package uses.
    ///
    /// If the files cannot be deleted, the download stays in the library, and its state is `.failed`.
    ///
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    public func cancel() async throws(DownloadError) { try await library.cancel(self) }
    /// Removes the download from the library and deletes its files, except those that another download of the same
    /// package uses.
    ///
    /// If the files cannot be deleted, the download stays in the library, and its state is `.failed`.
    ///
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    public func remove() async throws(DownloadError) { try await library.remove(self) }

    /// Returns an asset for a player, which can be used in every state of the download.
    ///
    /// A finished download plays without a network. Otherwise the player reads downloaded parts from the disk and the
    /// rest from the server, in the downloaded variant and languages.
    ///
    /// ```swift
    /// let item = AVPlayerItem(asset: try await download.asset())
    /// player.replaceCurrentItem(with: item)
    /// player.play()
    /// ```
    ///
    /// - Throws: `.damaged` if the file of a finished download is missing; `.notFound` if the download was removed; an
    ///   error of the library's database.
    public func asset() async throws(DownloadError) -> AVURLAsset { try await library.asset(for: self) }
}
