import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming

/// The engine of a library, which runs its downloads in this process. The engine decides which download runs, how much
/// space and bandwidth it may use, and which packages are removed.
///
/// All decisions, and all writing of files and the database, are isolated to `DownloadActor`. Bytes arrive on the
/// network's loop.
@DownloadActor
final class DownloadEngine {
    private enum Life { case idle, running, closed }

    nonisolated let loop: any NetworkLoop
    nonisolated let record: DownloadRecord
    /// The library's folder.
    nonisolated let root: DiskRoot
    nonisolated var path: String { root.path }
    nonisolated let limit: RateLimit
    private let isNetworkMetered: @Sendable () -> Bool
    private var policyFile: DiskPath { root.appending("policy.json") }

    private(set) var policy: DownloadPolicy
    private var list = JobList()
    var jobs: [UUID: DownloadJob] { list.jobs }
    private var observers: [(id: UUID, call: @DownloadActor (DownloadEvent) -> Void)] = []
    private let space: LibrarySpace
    private var life = Life.idle
    private var pollTimer: (any NetworkTimer)?
    private var foreignVersion: Int64 = 0
    private var removing: Set<UUID> = []
    /// The downloads that may start. If nil, all downloads may start.
    private var chosen: Set<UUID>?
    private let usageObserver = UUID()

    /// Opens the library in `folder`.
    ///
    /// - Parameters:
    ///   - isMetered: Whether the network is metered. Called from time to time, on the actor.
    nonisolated init(at folder: URL, loop: any NetworkLoop, isMetered: @escaping @Sendable () -> Bool)
        throws(DownloadError)
    {
        guard folder.isFileURL else {
            throw DownloadError(.invalidArgument, at: folder.location, reason: "the location is not a local folder")
        }
        root = try DiskRoot(folder.standardizedFileURL.path)
        self.loop = loop
        isNetworkMetered = isMetered
        record = try DownloadRecord(in: root)
        space = LibrarySpace(root, record)
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: DownloadEngine.forever, negativeInfinity: "-inf", nan: "nan")
        let stored = try DiskFile.read(root.appending("policy.json")).map { Data($0) }
        policy = stored.flatMap { try? decoder.decode(DownloadPolicy.self, from: $0) } ?? DownloadPolicy()
        limit = RateLimit(loop: loop, bytesPerSecond: policy.bytesPerSecond)
        try DownloadActor.sync { () throws(DownloadError) in try self.load() }
        PackagesInUse.shared.onPlay(usageObserver) { [weak self] folder in
            DownloadActor.enqueue { [weak self] in self?.isPlayed(folder) }
        }
    }

    deinit { PackagesInUse.shared.stop(usageObserver) }

    private func load() throws(DownloadError) {
        let (rows, packages) = try record.read { (try $0.downloads(), try $0.packages()) }
        let byID = Dictionary(packages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        space.count(packages)
        for row in rows {
            guard let package = byID[row.package] else { continue }
            list.add(DownloadJob(row, package: package, engine: self), row.id)
        }
        try nameFiles()
        foreignVersion = record.foreignVersion
        guard record.isScrubbed else { return }
        DiskFile.makePrivate(policyFile)
        for package in packages { DiskFile.makePrivate(root.appending(package.folder)) }
    }

    /// Sets the file names of all downloads that are files and not streams, so that their playable files are known.
    private func nameFiles() throws(DownloadError) {
        let found = try record.read {
            try Row.fetchAll(
                $0,
                sql:
                    "SELECT choice.download AS id, rendition.playlist AS facts FROM rendition JOIN choice ON choice.rendition = rendition.id WHERE kind = 'file' AND playlist IS NOT NULL"
            )
        }
        for row in found {
            if let id = UUID(uuidString: row["id"]) { list[id]?.isFile(named: FileFacts(stored: row["facts"])?.name) }
        }
    }

    // MARK: starting and stopping

    /// Continues unfinished downloads and unfinished removals. Before this call, the library only lists its downloads.
    func run() {
        guard life == .idle else { return }
        life = .running
        for job in jobs.values where job.row.requestedState == .remove || job.row.requestedState == .cancel {
            remove(job)
        }
        removeStrays()
        expire()
        startNextDownloads()
        poll()
    }

    /// Continues the given downloads and no others, because other processes load the others.
    func run(only ids: Set<UUID>) {
        if life != .running || chosen != nil { chosen = (chosen ?? []).union(ids) }
        if life == .running { startNextDownloads() } else { run() }
    }

    /// Stops all downloads, and reports no further events. Downloaded bytes stay on the disk.
    func close() {
        guard life != .closed else { return }
        life = .closed
        pollTimer?.cancel()
        for job in jobs.values where job.isRunning { job.stop() }
        observers = []
    }

    /// Reads the changes of other processes and removes expired packages. Repeats every second while a download is
    /// running, otherwise every five seconds.
    private func poll() {
        guard life == .running else { return }
        let version = record.foreignVersion
        if version != foreignVersion {
            foreignVersion = version
            reload()
        }
        expire()
        startNextDownloads()
        let isBusy = jobs.values.contains(where: \.isRunning)
        pollTimer = schedule(after: isBusy ? 1_000_000_000 : 5_000_000_000) { [weak self] in self?.poll() }
    }

    /// Reads the changes of other processes from the database.
    func reload() {
        guard let rows = try? record.read({ (try $0.downloads(), try $0.packages()) }) else { return }
        let packages = Dictionary(rows.1.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        space.count(rows.1)
        var listedIDs: Set<UUID> = []
        for row in rows.0 {
            listedIDs.insert(row.id)
            guard let package = packages[row.package] else { continue }
            guard let job = jobs[row.id] else {
                let newJob = DownloadJob(row, package: package, engine: self)
                list.add(newJob, row.id)
                changed(newJob)
                continue
            }
            if job.isRunning {
                guard row.requestedState != job.row.requestedState else { continue }
                job.set(row.requestedState)
                if row.requestedState == .cancel || row.requestedState == .remove { remove(job) } else { job.stop() }
            } else if job.row != row || job.package != package {
                job.take(row, package)
                if life == .running, row.requestedState == .cancel || row.requestedState == .remove {
                    remove(job)
                } else {
                    changed(job)
                }
            }
        }
        for (id, job) in jobs where !listedIDs.contains(id) { didRemoveJob(job) }
        try? nameFiles()
    }

    // MARK: scheduling

    func startNextDownloads() {
        guard life == .running else { return }
        var running = jobs.values.count { $0.isRunning }
        for id in list.order {
            guard chosen?.contains(id) ?? true, let job = list[id], !job.isRunning, job.wantsToRun else { continue }
            // A download that waits for another network does not count as running, so that others can run.
            let isAllowed = allowsNetwork(job.row.options)
            job.setWaitsForNetwork(!isAllowed)
            guard isAllowed, running < policy.simultaneousDownloads else { continue }
            job.start()
            // If the job has ended at once, it has started others in the meantime.
            running = jobs.values.count { $0.isRunning }
        }
    }

    func isFinished(_ job: DownloadJob) { report(.changed(snapshot(job))) }

    func didRemoveJob(_ job: DownloadJob) {
        if job.isRunning { job.stop() }
        list.remove(job.row.id)
        report(.removed(job.row.id))
    }

    // MARK: requests

    /// Adds a download.
    ///
    /// - Throws: `.cancelled` after `close()`; `.invalidArgument`; or an error of the database.
    func add(
        _ url: URL, _ options: DownloadOptions, id: UUID = UUID(), session: String = "", note: String = "",
        paused: Bool = false
    ) throws(DownloadError) -> DownloadSnapshot {
        guard life != .closed else {
            throw DownloadError(
                .cancelled, at: url.location, reason: "the download library is closed",
                suggestion: "Open the library again")
        }
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw DownloadError(
                .invalidArgument, at: url.location, reason: "the URL is not an http or https URL",
                suggestion: "Use an http or https URL")
        }
        if let seconds = options.recordedDuration, !(seconds > 0) {
            throw DownloadError(
                .invalidArgument, at: url.location,
                reason: "recordedDuration is \(seconds) s, but must be greater than 0")
        }
        var (url, options) = (url, options)
        let credentials = DownloadCredentials(takenFrom: &url, &options)
        let (source, storedOptions) = (url, options)
        let asset = options.id ?? DownloadEngine.asset(url)
        let title = options.title ?? DownloadEngine.title(url)
        let path = path
        let (row, package) = try record.write { database -> (DownloadRow, PackageRow) in
            let known = try database.packages(where: "asset = ?", [asset]).first
            // The text may be too long for a file name, and may contain any character.
            let folder =
                "\(SafeName.make(title, limit: 60))-\(SafeName.digest(asset + path).prefix(8)).\(PackageNames.packageExtension)"
            let package =
                try known?.id ?? database.insertPackage(asset: asset, folder: folder, source: source, title: title)
            let queuePosition = (try Double.fetchOne(database, sql: "SELECT MAX(place) FROM download") ?? 0) + 1
            let row = DownloadRow(
                id: id, package: package, url: source, options: storedOptions, needs: credentials.needs(for: source),
                requestedState: paused ? .pause : .run, isFinished: false, failure: nil, added: Date(),
                place: queuePosition,
                progress: DownloadProgress(), session: session, note: note)
            try database.store(row)
            guard let whole = try database.package(package) else {
                throw DownloadError(.record, at: path, reason: "the package is missing in the download database")
            }
            return (row, whole)
        }
        let job = DownloadJob(row, package: package, engine: self)
        job.requests.use(credentials)
        list.add(job, id)
        changed(job)
        startNextDownloads()
        return snapshot(job)
    }

    private func job(_ id: UUID) throws(DownloadError) -> DownloadJob {
        if let job = list[id] { return job }
        reload()
        guard let job = list[id] else { throw noDownload(id) }
        return job
    }

    nonisolated func noDownload(_ id: UUID) -> DownloadError {
        DownloadError(
            .notFound, at: path, reason: "there is no download with the ID \(id.uuidString)",
            suggestion: "Check the IDs with `zoetrope downloads list`")
    }

    func pause(_ id: UUID) throws(DownloadError) {
        let job = try job(id)
        guard !job.row.isFinished, job.row.requestedState == .run else { return }
        try request(.pause, job)
        if job.isRunning { job.stop() } else { changed(job) }
        startNextDownloads()
    }

    /// Continues a paused or failed download from the bytes that are on the disk.
    ///
    /// - Parameters:
    ///   - url: The URL to use from now on, which may contain a user name and password.
    ///   - options: The options for further requests. The renditions are chosen again with these options only if `url`
    ///     changes.
    ///   - headers: The headers to send from now on. Nil keeps the current ones.
    func resume(
        _ id: UUID, with url: URL? = nil, options: DownloadOptions? = nil, headers: [String: String]? = nil
    ) throws(DownloadError) {
        let job = try job(id)
        guard !job.row.isFinished, job.row.requestedState == .run || job.row.requestedState == .pause else { return }
        if job.isRunning { job.stop() }
        let isMoved = job.prepareToResume(with: url, options: options, headers: headers)
        let row = job.row
        try record.write { database in
            try database.store(row)
            // Resources of the old URL are requested with new URLs. Segments that are on the disk are matched by their
            // numbers.
            if isMoved {
                try database.execute(
                    sql:
                        "UPDATE rendition SET playlist = NULL WHERE complete = 0 AND kind <> 'file' AND id IN (SELECT rendition FROM choice WHERE download = ?)",
                    arguments: [row.id.uuidString])
                try database.execute(sql: "DELETE FROM choice WHERE download = ?", arguments: [row.id.uuidString])
            }
        }
        changed(job)
        startNextDownloads()
    }

    /// Deletes the files of a download, except those that other downloads use, and removes the download.
    func remove(_ id: UUID, cancelling: Bool = false) throws(DownloadError) {
        let job = try job(id)
        // Store the request first: if the process is killed during the removal, the next process completes it.
        try request(cancelling ? .cancel : .remove, job)
        remove(job)
    }

    private func request(_ state: DownloadRow.RequestedState, _ job: DownloadJob) throws(DownloadError) {
        job.set(state)
        let id = job.row.id
        try record.write { try $0.setRequestedState(state, of: id) }
    }

    private func remove(_ job: DownloadJob) {
        if job.isRunning { job.stop() }
        let id = job.row.id
        do throws(DownloadError) {
            // If the package's folder is a symbolic link, delete only the link and not its target.
            let isLink = try job.folder.diskPath.status().map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
            if isLink { try DiskFile.remove(job.folder.diskPath) }
            guard let lock = try job.folder.takeLock() else {
                // Another process uses the package. If that process runs this download, it reads the removal request
                // too.
                if removing.insert(id).inserted {
                    schedule(after: 500_000_000) { [weak self, weak job] in
                        guard let self, let job else { return }
                        self.removing.remove(id)
                        if self.list[id] === job { self.remove(job) }
                    }
                }
                return
            }
            try removeFiles(job, lock)
            didRemoveJob(job)
            startNextDownloads()
        } catch {
            job.removalFailed(error)
            changed(job)
        }
    }

    private func removeFiles(_ job: DownloadJob, _ lock: FolderLock) throws(DownloadError) {
        let id = job.row.id
        let package = job.row.package
        // Only remove renditions that no other download has chosen.
        let (unusedRenditions, others) = try record.read { database in
            (
                try database.renditions(
                    where: "package = ? AND id NOT IN (SELECT rendition FROM choice WHERE download <> ?)",
                    [package, id.uuidString]),
                try database.downloads(where: "package = ? AND id <> ?", [package, id.uuidString])
            )
        }
        guard !others.isEmpty else {
            try DiskFile.removeTree(job.folder.diskPath)
            try DiskFile.syncFolder(job.folder.diskPath.folder)
            try record.write { database in
                try database.execute(sql: "DELETE FROM download WHERE id = ?", arguments: [id.uuidString])
                try database.execute(sql: "DELETE FROM package WHERE id = ?", arguments: [package])
            }
            return space.recount()
        }
        // Unpublish the renditions before deleting their files.
        try record.write { database in
            for rendition in unusedRenditions {
                try database.execute(sql: "UPDATE rendition SET complete = 0 WHERE id = ?", arguments: [rendition.id])
            }
        }
        try LocalPlaylists.writeIndex(of: job.package, in: job.folder, record)
        for rendition in unusedRenditions { try DiskFile.removeTree(job.folder.folder(of: rendition)) }
        try DiskFile.syncFolder(job.folder.diskPath)
        try record.write { database in
            try database.execute(sql: "DELETE FROM download WHERE id = ?", arguments: [id.uuidString])
            for rendition in unusedRenditions {
                try database.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [rendition.id])
            }
            try database.countBytes(of: package)
        }
        space.recount()
    }

    /// Deletes packages that are not in the database, because a removal was interrupted or an older database was
    /// restored.
    private func removeStrays() {
        guard let known = try? record.read({ Set(try String.fetchAll($0, sql: "SELECT folder FROM package")) }) else {
            return
        }
        for name in ((try? DiskFile.contents(of: root.diskPath)) ?? [:]).keys
        where name.hasSuffix("." + PackageNames.packageExtension) && !known.contains(name) {
            // Only delete folders that contain a lock file, which Zoetrope has made, and whose lock is free. A symbolic
            // link contains none.
            let folder = PackageFolder(library: root, folder: name)
            guard DiskFile.size(folder.lock) != nil, let lock = try? FolderLock.take(folder.lock) else { continue }
            withExtendedLifetime(lock) { try? DiskFile.removeTree(folder.diskPath) }
        }
    }

    // MARK: limits

    private nonisolated static let forever = "forever"

    func set(_ policy: DownloadPolicy) throws(DownloadError) {
        self.policy = policy
        limit.set(policy.bytesPerSecond)
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: DownloadEngine.forever, negativeInfinity: "-inf", nan: "nan")
        guard let bytes = try? encoder.encode(policy) else { return }
        try DiskFile.replace(policyFile, with: bytes)
        startNextDownloads()
    }

    func allowsNetwork(_ options: DownloadOptions) -> Bool {
        options.network.allowsMeteredNetwork ?? policy.allowsMeteredNetwork || !isNetworkMetered()
    }

    func packageGrew(by bytes: Int64) { space.grow(by: bytes) }
    var totalBytes: Int64 { space.bytes }

    /// Records that a player has opened the package.
    func isPlayed(_ folder: String) {
        guard let name = packageName(at: folder) else { return }
        try? record.write {
            try $0.execute(
                sql: "UPDATE package SET played = ? WHERE folder = ?", arguments: [Date().timeIntervalSince1970, name])
        }
    }

    /// Removes packages until the quota allows `bytes` more bytes, and checks that the disk has enough free space.
    ///
    /// - Throws: `.quotaExceeded` or `.diskFull`.
    func makeSpace(for job: DownloadJob, bytes: Int64) throws(DownloadError) {
        let excess = space.excess(bytes, policy)
        if excess > 0 { evict(excess, but: job.package.id) }
        try space.check(bytes, policy, at: job.folder.diskPath)
    }

    /// Removes the packages that were played longest ago, until `bytes` bytes are free.
    private func evict(_ bytes: Int64, but keptID: Int64) {
        var freed: Int64 = 0
        for package in space.evictable(but: keptID) where freed < bytes {
            if removeUnlessNeeded(package) { freed = freed.addingSaturating(package.bytes) }
        }
    }

    private func expire() {
        let now = Date().timeIntervalSince1970
        guard
            let packages = try? record.read({
                try $0.packages(where: "expires IS NOT NULL AND expires <= ? AND protected = 0", [now])
            })
        else { return }
        for package in packages { _ = removeUnlessNeeded(package) }
    }

    /// Removes all downloads of a package, unless one of them is unfinished or a reader in any process has the package
    /// open.
    ///
    /// - Returns: Whether the downloads are removed.
    private func removeUnlessNeeded(_ package: PackageRow) -> Bool {
        let all = jobs.values.filter { $0.row.package == package.id }
        guard all.allSatisfy({ $0.row.isFinished }),
            let use = try? PackageFolder(library: root, folder: package.folder).takeUse()
        else { return false }
        // Hold the lock until the files are deleted, so that no reader opens them meanwhile.
        withExtendedLifetime(use) { for job in all { try? remove(job.row.id) } }
        return true
    }

    // MARK: events

    func observe(_ id: UUID, _ call: @escaping @DownloadActor (DownloadEvent) -> Void) { observers.append((id, call)) }
    func stopObserving(_ id: UUID) { observers.removeAll { $0.id == id } }

    func report(_ event: DownloadEvent) { for observer in observers { observer.call(event) } }
    func changed(_ job: DownloadJob) { report(.changed(snapshot(job))) }

    func location(of package: PackageRow) -> URL {
        URL(fileURLWithPath: path + "/" + package.folder, isDirectory: true)
    }

    /// Returns the folder name of the package that is at `filePath` or contains it. Nil if the path is outside this
    /// library.
    nonisolated func packageName(at filePath: String) -> String? {
        // The names of files are bytes. Two strings with different bytes can be equal.
        let library = (path + "/").utf8
        guard filePath.utf8.starts(with: library) else { return nil }
        return String(Substring(filePath.utf8.dropFirst(library.count).prefix { $0 != UInt8(ascii: "/") }))
    }

    func snapshot(_ job: DownloadJob) -> DownloadSnapshot {
        let location = location(of: job.package)
        var playable: URL?
        if job.row.isFinished {
            let file = job.fileName
            playable = file.map { location.appendingPathComponent("media").appendingPathComponent($0) } ?? location
        }
        return DownloadSnapshot(
            id: job.row.id, url: job.row.url, title: job.row.options.title ?? job.package.title,
            options: job.options, state: job.state, progress: job.row.progress,
            added: job.row.added, location: location, playable: playable, session: job.row.session, note: job.row.note)
    }

    var snapshots: [DownloadSnapshot] { list.order.compactMap { list[$0].map(snapshot) } }

    // MARK: timers

    @discardableResult
    func schedule(after delay: Int64, _ body: @escaping @DownloadActor () -> Void) -> any NetworkTimer {
        loop.schedule(at: loop.time + max(0, delay)) { [weak self] in
            DownloadActor.enqueue { [weak self] in
                // A timer has no effect after the library was released. The library stays alive while a timer's closure
                // runs.
                guard let self else { return }
                withExtendedLifetime(self) { body() }
            }
        }
    }

    // MARK: names

    /// Returns the identity of a resource: its URL without query and credentials, because tokens in queries change.
    nonisolated static func asset(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        parts.query = nil
        parts.fragment = nil
        parts.user = nil
        parts.password = nil
        return parts.string ?? url.absoluteString
    }

    nonisolated static func title(_ url: URL) -> String {
        let name = url.deletingPathExtension().lastPathComponent
        // Many streams have one of these names.
        guard ["master", "index", "main", "playlist", "manifest", "/", ""].contains(name.lowercased()) else {
            return name
        }
        let parent = url.deletingLastPathComponent().lastPathComponent
        return parent == "/" || parent.isEmpty ? url.host() ?? "download" : parent
    }
}
