import Foundation
import MediaCore
import MediaEngine
import Streaming
import Synchronization

/// Downloads in a folder: what there is, what is under way, and the rules for both. Survives whatever ends the process.
///
/// Several libraries of one folder are one; several processes may open one folder: each sees what the others do, and no
/// package is loaded by two at once. It works as long as somebody holds it, or one of its downloads. Any thread, but
/// for `downloads`, which is on the main actor.
public final class DownloadLibrary: Sendable {
    let engine: DownloadEngine
    private let observer = UUID()
    @MainActor private var order: [UUID] = []
    @MainActor private var latest: [UUID: DownloadSnapshot] = [:]
    /// They hold their library, so that it works as long as somebody looks at one of them; it does not hold them.
    @MainActor private var live: [UUID: WeakDownload] = [:]
    private struct WeakDownload { weak var download: Download? }
    private let inbox = Mutex<(latest: [UUID: DownloadSnapshot], order: [UUID], gone: [UUID], isDue: Bool)>(
        ([:], [], [], false))

    /// The folder that `shared` has: `zoetrope/downloads` in the user's data folder (`XDG_DATA_HOME`, else
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

    /// - Parameters:
    ///   - folder: made if it is not there.
    ///   - startsDownloads: false: it shows what there is, and what is added waits for a process that starts it.
    /// - Throws: `.record`, `.disk`, `.diskFull`, `.invalidArgument` for what is no folder of this machine.
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
            // In order, before anything happens.
            for snapshot in engine.snapshots { take(.changed(snapshot)) }
            if startsDownloads { engine.run() }
        }
    }

    deinit {
        let engine = engine
        let observer = observer
        DownloadActor.enqueue { engine.stopObserving(observer) }
    }

    /// Where it lies.
    public var folder: URL { URL(fileURLWithPath: engine.path, isDirectory: true) }

    /// Ends everything that is under way in this process; what has come stays, and goes on when the folder is opened
    /// again.
    public func close() async {
        await engine.close()
        DownloadLibrary.engines.withLock { if $0[engine.path]?.engine === engine { $0[engine.path] = nil } }
    }

    // MARK: what there is

    /// In the order in which they were added.
    @MainActor public var downloads: [Download] {
        withoutObservationTracking {
            drain()
            return order.compactMap(object)
        }
    }

    @MainActor private func object(_ id: UUID) -> Download? {
        if let known = live[id]?.download { return known }
        guard let snapshot = latest[id] else { return nil }
        let fresh = Download(snapshot, in: self)
        live[id] = WeakDownload(download: fresh)
        return fresh
    }

    /// The download of that identity, always the same object while anybody has it; nil: there is none.
    @MainActor public subscript(id: UUID) -> Download? {
        withoutObservationTracking {
            drain()
            return object(id)
        }
    }

    /// Bytes on the disk, of all packages together.
    public func totalSize() async -> Int64 { await engine.totalBytes }

    // MARK: wishes

    /// - Returns: at once; how it goes its state tells.
    /// - Throws: `.invalidArgument` for an address or option that makes no sense, `.diskFull`, `.record`.
    @MainActor @discardableResult
    public func add(_ url: URL, options: DownloadOptions = DownloadOptions(), paused: Bool = false)
        async throws(DownloadError) -> Download
    {
        let snapshot = try await engine.add(url, options, paused: paused)
        drain()
        if let download = object(snapshot.id) { return download }
        throw DownloadError(.cancelled, at: url.location, reason: "the download was removed while it was being added")
    }

    /// As `Download.pause()`.
    public func pause(_ download: Download) async throws(DownloadError) {
        try await engine.pause(download.id)
    }
    /// As `Download.resume()`.
    public func resume(_ download: Download) async throws(DownloadError) {
        try await engine.resume(download.id)
    }
    /// As `Download.retry(with:headers:)`.
    public func retry(_ download: Download, with url: URL? = nil, headers: [String: String]? = nil)
        async throws(DownloadError)
    {
        try await engine.resume(download.id, with: url, headers: headers)
    }
    /// As `Download.cancel()`.
    public func cancel(_ download: Download) async throws(DownloadError) {
        try await engine.remove(download.id, cancelling: true)
    }
    /// As `Download.remove()`.
    public func remove(_ download: Download) async throws(DownloadError) {
        try await engine.remove(download.id)
    }

    /// What holds for all of the library's downloads now.
    public func policy() async -> DownloadPolicy { await engine.policy }
    /// Kept with the library; takes effect at once.
    public func setPolicy(_ policy: DownloadPolicy) async throws(DownloadError) {
        try await engine.set(policy)
    }

    // MARK: what is on the disk

    /// Compares all of it with what lies on the disk. Whatever a finished download lacks is found, and any flipped bit.
    /// Nothing is changed.
    public func verify(_ download: Download) async throws(DownloadError) -> [DownloadDamage] {
        let engine = engine
        let id = download.id
        return try await onThread { () throws(DownloadError) in try engine.verify(id) }
    }

    /// Verifies, and fetches what is damaged or missing again and nothing else.
    @discardableResult
    public func repair(_ download: Download) async throws(DownloadError) -> [DownloadDamage] {
        let engine = engine
        let id = download.id
        return try await onThread { () throws(DownloadError) in try engine.repair(id) }
    }

    /// A copy of a finished download that needs nothing of ours: a folder of plain HLS, or the file.
    ///
    /// - Throws: `.invalidArgument` where something of that name is, `.damaged` when it is not finished, `.diskFull`,
    ///   `.disk`.
    public func export(_ download: Download, to target: URL) async throws(DownloadError) {
        let engine = engine
        let id = download.id
        try await onThread { () throws(DownloadError) in try engine.export(id, to: target) }
    }

    /// See `Download.asset()`.
    public func asset(for download: Download) async throws(DownloadError) -> AVURLAsset {
        try await engine.asset(for: download.id)
    }

    /// Calls `body`, on the queue `zt-downloads`, for each resource whose server answers oddly and which is downloaded all
    /// the same.
    package func onNote(_ body: @escaping @Sendable (UUID, DownloadError) -> Void) {
        let engine = engine
        DownloadActor.enqueue { engine.observe(UUID()) { if case .noted(let id, let note) = $0 { body(id, note) } } }
    }

    // MARK: the way to the main actor

    private func take(_ event: DownloadEvent) {
        let isDue = inbox.withLock { inbox in
            switch event {
            case .changed(let snapshot):
                if inbox.latest.updateValue(snapshot, forKey: snapshot.id) == nil { inbox.order.append(snapshot.id) }
            case .removed(let id): inbox.gone.append(id)
            case .planned, .loaded, .noted: return false
            }
            defer { inbox.isDue = true }
            return !inbox.isDue
        }
        guard isDue else { return }
        Task { @MainActor [weak self] in self?.drain() }
    }

    @MainActor private func drain() {
        let (news, newsOrder, gone) = inbox.withLock { inbox in
            defer { inbox = ([:], [], [], false) }
            return (inbox.latest, inbox.order, inbox.gone)
        }
        for id in newsOrder {
            guard let snapshot = news[id] else { continue }
            if latest.updateValue(snapshot, forKey: id) == nil { order.append(id) }
            live[id]?.download?.take(snapshot)
        }
        guard !gone.isEmpty else { return }
        for id in gone {
            latest[id] = nil
            live.removeValue(forKey: id)?.download?.isGone()
        }
        order.removeAll(where: gone.contains)
    }

    /// What reads much, apart from what decides.
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
