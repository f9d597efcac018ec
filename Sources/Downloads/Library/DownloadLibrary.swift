import Foundation
import MediaCore
import MediaEngine
import Observation
import Streaming
import Synchronization

/// A library of downloads in a folder, with a policy for all of them. Downloads survive the end of the process.
///
/// All libraries of one folder in a process share their downloads. Several processes can open the same folder: each
/// sees the changes of the others, and only one at a time loads a package. The library stays open while the app has a
/// reference to it or to one of its downloads. You can use a library on any thread; `downloads`, the subscript and
/// `add` run on the main actor.
///
/// ```swift
/// let library = try DownloadLibrary()
/// let download = try await library.add(url)
/// try await download.finished()
/// let player = AVPlayer(playerItem: AVPlayerItem(asset: try await download.asset()))
/// ```
public final class DownloadLibrary: Observable, Sendable {
    let engine: DownloadEngine
    private let observer = UUID()
    private let registrar = ObservationRegistrar()
    @MainActor private var order: [UUID] = []
    @MainActor private var latest: [UUID: DownloadSnapshot] = [:]
    /// Weak references to the download objects that the app uses. Each download object retains its library.
    @MainActor private var live: [UUID: WeakDownload] = [:]
    private struct WeakDownload { weak var download: Download? }
    private let inbox = Mutex<(latest: [UUID: DownloadSnapshot], order: [UUID], removed: [UUID], isDue: Bool)>(
        ([:], [], [], false))

    /// The default folder of a library: `zoetrope/downloads` in the user's data folder (`XDG_DATA_HOME`, else
    /// `~/.local/share`).
    public static var defaultFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
        return URL(fileURLWithPath: data + "/zoetrope/downloads", isDirectory: true)
    }

    private static let engines = Mutex<[String: WeakEngine]>([:])
    private struct WeakEngine { weak var engine: DownloadEngine? }

    static func engine(
        at folder: URL, loop: any NetworkLoop = HTTPClient.shared,
        isMetered: @escaping @Sendable () -> Bool = { NetworkMeter.shared.isMetered }
    ) throws(DownloadError) -> DownloadEngine {
        let path = folder.standardizedFileURL.path
        let result: Result<DownloadEngine, DownloadError> = engines.withLock { engines in
            if let known = engines[path]?.engine { return .success(known) }
            do throws(DownloadError) {
                let fresh = try DownloadEngine(at: folder, loop: loop, isMetered: isMetered)
                engines[path] = WeakEngine(engine: fresh)
                return .success(fresh)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Opens the library in a folder. The call blocks until the database is open.
    ///
    /// ```swift
    /// let folder = URL(fileURLWithPath: "/srv/films", isDirectory: true)
    /// let library = try DownloadLibrary(at: folder)
    /// ```
    /// - Parameters:
    ///   - folder: The library's folder, which is created if it does not exist.
    ///   - startsDownloads: Whether the library starts downloads. If false, the library only shows them. Added
    ///     downloads then wait until another library of the folder, in any process, starts them.
    /// - Throws: `.record`, `.disk` or `.diskFull`; `.inUse` if another process locks the database for several seconds;
    ///   `.damaged` if the database is a symbolic link; `.invalidArgument` if `folder` is not a local folder.
    public convenience init(at folder: URL = DownloadLibrary.defaultFolder, startsDownloads: Bool = true)
        throws(DownloadError)
    {
        try self.init(engine: DownloadLibrary.engine(at: folder), startsDownloads: startsDownloads)
    }

    package init(
        at folder: URL, startsDownloads: Bool = true, loop: any NetworkLoop, isMetered: @escaping @Sendable () -> Bool
    ) throws(DownloadError) {
        engine = try DownloadLibrary.engine(at: folder, loop: loop, isMetered: isMetered)
        begin(startsDownloads)
    }

    init(engine: DownloadEngine, startsDownloads: Bool) {
        self.engine = engine
        begin(startsDownloads)
    }

    private func begin(_ startsDownloads: Bool) {
        let engine = engine
        DownloadActor.sync {
            engine.observe(observer) { [weak self] in self?.take($0) }
            // Take all downloads in their order before the first event arrives.
            for snapshot in engine.snapshots { take(.changed(snapshot)) }
            if startsDownloads { engine.run() }
        }
    }

    deinit {
        let engine = engine
        let observer = observer
        DownloadActor.enqueue { engine.stopObserving(observer) }
    }

    /// The library's folder.
    public var folder: URL { URL(fileURLWithPath: engine.path, isDirectory: true) }

    /// Stops all transfers of this process and closes the library. Other libraries of the same folder in this process
    /// are closed too.
    ///
    /// Downloaded bytes stay on the disk. Downloads continue when the folder is opened again. Do not use a closed
    /// library or its downloads. The downloads are no longer updated, so calls of `Download.finished()` may wait
    /// forever. A second call has no effect.
    public func close() async {
        await engine.close()
        DownloadLibrary.engines.withLock { if $0[engine.path]?.engine === engine { $0[engine.path] = nil } }
    }

    // MARK: downloads

    /// All downloads, in the order in which they were added.
    ///
    /// A view that reads the list is updated when a download is added or removed. For the state and the progress of a
    /// download, the view reads the properties of the download.
    /// ```swift
    /// struct DownloadList: View {
    ///     let library: DownloadLibrary
    ///     var body: some View {
    ///         List(library.downloads) { download in
    ///             Text(download.title)
    ///         }
    ///     }
    /// }
    /// ```
    @MainActor public var downloads: [Download] {
        withoutObservationTracking { drain() }
        ObservationScope.access(registrar, self, \.downloads)
        return order.compactMap(object)
    }

    @MainActor private func object(_ id: UUID) -> Download? {
        if let known = live[id]?.download { return known }
        guard let snapshot = latest[id] else { return nil }
        let fresh = Download(snapshot, in: self)
        live[id] = WeakDownload(download: fresh)
        return fresh
    }

    /// The download with the identifier `id`, or nil if there is none. The object stays the same as long as the app
    /// keeps it.
    @MainActor public subscript(id: UUID) -> Download? {
        withoutObservationTracking {
            drain()
            return object(id)
        }
    }

    /// Returns the size of all packages together, in bytes on the disk.
    public func totalSize() async -> Int64 { await engine.totalBytes }

    // MARK: requests

    /// Adds a download of `url` to the library.
    ///
    /// The call returns when the download is recorded. Follow its progress with `state` or `states`.
    ///
    /// ```swift
    /// var options = DownloadOptions()
    /// options.quality = .height(720)
    /// options.subtitleLanguages = ["en"]
    /// do {
    ///     let download = try await library.add(url, options: options)
    ///     print(download.title)
    /// } catch {
    ///     print(error.localizedDescription)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of a stream or file (http, https or file).
    ///   - options: The quality, the languages and other options of the download.
    ///   - paused: Whether the download waits for `resume(_:)`. If false, it starts when the policy allows one more.
    /// - Throws: `.invalidArgument` for an invalid URL or option; `.cancelled` if the library is closed, or if the
    ///   download is removed before the call returns; an error of the database, such as `.diskFull` or `.record`.
    @MainActor @discardableResult
    public func add(_ url: URL, options: DownloadOptions = DownloadOptions(), paused: Bool = false)
        async throws(DownloadError) -> Download
    {
        let snapshot = try await engine.add(url, options, paused: paused)
        drain()
        if let download = object(snapshot.id) { return download }
        throw DownloadError(.cancelled, at: url.location, reason: "the download was removed while it was being added")
    }

    /// Pauses a download, as `Download.pause()` does.
    public func pause(_ download: Download) async throws(DownloadError) {
        try await engine.pause(download.id)
    }
    /// Continues a download, as `Download.resume()` does.
    public func resume(_ download: Download) async throws(DownloadError) {
        try await engine.resume(download.id)
    }
    /// Continues a failed download, as `Download.retry(with:headers:)` does.
    public func retry(_ download: Download, with url: URL? = nil, headers: [String: String]? = nil)
        async throws(DownloadError)
    {
        try await engine.resume(download.id, with: url, headers: headers)
    }
    /// Cancels a download, as `Download.cancel()` does.
    public func cancel(_ download: Download) async throws(DownloadError) {
        try await engine.remove(download.id, cancelling: true)
    }
    /// Removes a download, as `Download.remove()` does.
    public func remove(_ download: Download) async throws(DownloadError) {
        try await engine.remove(download.id)
    }

    /// Returns the policy for all downloads of the library.
    public func policy() async -> DownloadPolicy { await engine.policy }
    /// Sets the policy and stores it with the library.
    ///
    /// The speed limit takes effect at once, the other values when the next transfer or download starts. Other
    /// processes that have the library open keep the earlier policy.
    ///
    /// ```swift
    /// var policy = await library.policy()
    /// policy.quota = 20_000_000_000  // 20 GB
    /// policy.bytesPerSecond = 2_000_000
    /// try await library.setPolicy(policy)
    /// ```
    ///
    /// - Throws: `.disk` or `.diskFull` if the policy cannot be stored. It then applies until the library is closed.
    public func setPolicy(_ policy: DownloadPolicy) async throws(DownloadError) {
        try await engine.set(policy)
    }

    // MARK: files

    /// Compares a finished download with its files on the disk, without changing anything. Finds missing files and any
    /// changed bit. Of an unfinished download, only the files that are already complete are compared.
    ///
    /// ```swift
    /// for damage in try await library.verify(download) {
    ///     print("\(damage.file): \(damage.reason)")
    /// }
    /// ```
    ///
    /// - Returns: The damaged files, or an empty array if there are none.
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    public func verify(_ download: Download) async throws(DownloadError) -> [DownloadDamage] {
        let engine = engine
        let id = download.id
        return try await onThread { () throws(DownloadError) in try engine.verify(id) }
    }

    /// Verifies a finished download, and downloads only its damaged or missing files again. The call returns before
    /// these files are loaded. An unfinished download in which damage is found is resumed, even if it was paused.
    ///
    /// ```swift
    /// let damage = try await library.repair(download)
    /// if !damage.isEmpty { try await download.finished() }
    /// ```
    ///
    /// - Returns: The damage that was found, or an empty array if there is none.
    /// - Throws: `.notFound` if the download was removed, or an error of the library's database.
    @discardableResult
    public func repair(_ download: Download) async throws(DownloadError) -> [DownloadDamage] {
        let engine = engine
        let id = download.id
        return try await onThread { () throws(DownloadError) in try engine.repair(id) }
    }

    /// Copies a finished download to `target`, in a form that does not depend on Zoetrope: a folder with plain HLS, or
    /// the media file.
    ///
    /// ```swift
    /// let folder = URL(fileURLWithPath: "/media/usb/film", isDirectory: true)
    /// try await library.export(download, to: folder)
    /// ```
    ///
    /// - Throws: `.invalidArgument` if `target` exists or is not a local path; `.damaged` if the download is not
    ///   finished or lacks files; `.notFound` if it was removed; `.diskFull`; `.disk`.
    public func export(_ download: Download, to target: URL) async throws(DownloadError) {
        let engine = engine
        let id = download.id
        try await onThread { () throws(DownloadError) in try engine.export(id, to: target) }
    }

    /// Returns an asset for a player, as `Download.asset()` does.
    public func asset(for download: Download) async throws(DownloadError) -> AVURLAsset {
        try await engine.asset(for: download.id)
    }

    /// Calls `body` for each resource whose response from the server is incorrect but usable. The calls are made on the
    /// queue `zt-downloads`.
    package func onNote(_ body: @escaping @Sendable (UUID, DownloadError) -> Void) {
        let engine = engine
        DownloadActor.enqueue { engine.observe(UUID()) { if case .noted(let id, let note) = $0 { body(id, note) } } }
    }

    // MARK: updates on the main actor

    private func take(_ event: DownloadEvent) {
        let isDue = inbox.withLock { inbox in
            switch event {
            case .changed(let snapshot):
                if inbox.latest.updateValue(snapshot, forKey: snapshot.id) == nil { inbox.order.append(snapshot.id) }
            case .removed(let id): inbox.removed.append(id)
            case .planned, .loaded, .noted: return false
            }
            defer { inbox.isDue = true }
            return !inbox.isDue
        }
        guard isDue else { return }
        Task { @MainActor [weak self] in self?.drain() }
    }

    @MainActor private func drain() {
        let (changed, changedOrder, removed) = inbox.withLock { inbox in
            defer { inbox = ([:], [], [], false) }
            return (inbox.latest, inbox.order, inbox.removed)
        }
        var newOrder = order
        for id in changedOrder {
            guard let snapshot = changed[id] else { continue }
            if latest.updateValue(snapshot, forKey: id) == nil { newOrder.append(id) }
            live[id]?.download?.take(snapshot)
        }
        for id in removed {
            latest[id] = nil
            live.removeValue(forKey: id)?.download?.isGone()
        }
        if !removed.isEmpty { newOrder.removeAll(where: removed.contains) }
        guard newOrder != order else { return }
        registrar.withMutation(of: self, keyPath: \.downloads) { order = newOrder }
    }

    /// Runs `body` on a global queue, because reading many files would block the downloads' queue.
    func onThread<T: Sendable>(_ body: @escaping @Sendable () throws(DownloadError) -> T) async throws(DownloadError)
        -> T
    {
        let result: Result<T, DownloadError> = await withCheckedContinuation { done in
            DispatchQueue.global(qos: .utility).async {
                do throws(DownloadError) { done.resume(returning: .success(try body())) } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}

extension DownloadEngine {
    func asset(for id: UUID) throws(DownloadError) -> AVURLAsset {
        guard let job = jobs[id] else { throw noDownload(id) }
        if let playable = snapshot(job).playable {
            let file = job.playableFile
            guard DiskFile.size(file) != nil else {
                throw DownloadError(
                    .damaged, at: file.path, reason: "the file is missing or is not a regular file",
                    suggestion: "Repair the download")
            }
            return AVURLAsset(url: playable)
        }
        var options = job.requests.httpOptions(of: job.row)
        options.copies = try PackageCopies(id, engine: self).copies
        return AVURLAsset(url: job.requests.credentials.authorized(job.row.url), http: options)
    }
}
