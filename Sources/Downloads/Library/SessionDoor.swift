import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming

/// What Apple's names (the target DownloadSessions) need of a library: its downloads, what a session keeps with each,
/// and what of which rendition has come. All but `init`, `folder`, `async`, `sync` and the storage policies: on the
/// library's queue, where events come, too.
package final class SessionDoor: Sendable {
    private let engine: DownloadEngine
    private let id = UUID()

    /// Opens the library in `folder`, which is made if it is not there; starts nothing.
    package init(at folder: URL) throws(DownloadError) {
        engine = try DownloadLibrary.engine(at: folder)
        PackagesInUse.shared.onUse(id) { [weak engine] folder in
            guard let engine else { return }
            engine.queue.async { engine.isPlayed(folder) }
        }
    }

    deinit { PackagesInUse.shared.stop(id) }

    package var folder: URL { URL(fileURLWithPath: engine.path, isDirectory: true) }
    package func async(_ body: @escaping @Sendable () -> Void) { engine.queue.async(execute: body) }
    /// Not from the queue itself.
    package func sync<T>(_ body: () -> T) -> T { engine.queue.sync(execute: body) }

    package func observe(_ id: UUID, _ call: @escaping @Sendable (DownloadEvent) -> Void) { engine.observe(id, call) }
    package func stopObserving(_ id: UUID) { engine.stopObserving(id) }
    package var snapshots: [DownloadSnapshot] { engine.snapshots }
    /// Goes on with these; the others of the library are others' business.
    package func run(_ ids: Set<UUID>) { engine.run(only: ids) }

    // MARK: wishes

    package func add(_ url: URL, _ options: DownloadOptions, id: UUID, session: String, note: String)
        throws(DownloadError)
    {
        // Apps remove what they have by removing its folder: nothing of such a package is believed any more.
        try forgetVanished()
        _ = try engine.add(url, options, id: id, session: session, note: note, paused: true)
    }
    package func pause(_ id: UUID) throws(DownloadError) { try engine.pause(id) }
    package func resume(_ id: UUID) throws(DownloadError) { try engine.resume(id) }
    package func remove(_ id: UUID, cancelling: Bool) throws(DownloadError) {
        try engine.remove(id, cancelling: cancelling)
    }

    package func setNote(_ note: String, of id: UUID) throws(DownloadError) {
        guard let job = engine.jobs[id], job.row.note != note else { return }
        try engine.record.write {
            try $0.execute(sql: "UPDATE download SET note = ? WHERE id = ?", arguments: [note, id.uuidString])
        }
        job.row.note = note
    }

    /// Before it has been resumed.
    package func setQualities(_ all: [DownloadOptions.Quality], of id: UUID) throws(DownloadError) {
        guard let job = engine.jobs[id], !job.isRunning, let first = all.first else { return }
        job.row.options.quality = first
        job.row.options.otherQualities = all.count > 1 ? Array(all.dropFirst()) : nil
        let row = job.row
        try engine.record.write { try $0.store(row) }
    }

    /// Seconds for which the network's trouble is waited out.
    package func setPatience(_ seconds: Double) throws(DownloadError) {
        guard engine.policy.patience != seconds else { return }
        var policy = engine.policy
        policy.patience = seconds
        try engine.set(policy)
    }

    /// Ends the downloads whose media somebody has removed from the disk.
    package func forgetVanished() throws(DownloadError) {
        for job in engine.jobs.values where !job.isRunning {
            let snapshot = engine.snapshot(job)
            if snapshot.playable != nil {
                if DiskFile.isMissing(job.playableFile) { try engine.remove(job.row.id) }
            } else if job.row.failure != nil, job.row.progress.bytes > 0,
                DiskFile.isMissing(job.folder.place)
            {
                try engine.remove(job.row.id)
            }
        }
    }

    /// What of it is on the disk, for a player of its stream; nil before it is known what is loaded.
    package func copies(of id: UUID) -> LocalCopies? { (try? PackageCopies(id, engine: engine))?.copies }

    /// What becomes playable: the package's folder, or the file in it of what is no stream.
    package func location(of id: UUID) -> URL? {
        guard let job = engine.jobs[id] else { return nil }
        let rows = (try? engine.record.read { try $0.renditions(of: id) }) ?? []
        let package = engine.location(of: job.package)
        guard let file = rows.first(where: { $0.kind == .file }),
            let facts = file.playlist.flatMap(FileFacts.init(stored:))
        else { return package }
        return package.appendingPathComponent(file.name).appendingPathComponent(facts.name)
    }

    /// Where that which lies at `location` came from, and what its package is known by; nil: it is none of this
    /// library's.
    package func source(of location: URL) -> (url: URL, id: String)? {
        guard location.isFileURL else { return nil }
        let name = name(of: location)
        guard let job = engine.jobs.values.first(where: { $0.package.folder == name }) else { return nil }
        return (job.row.url, job.package.asset)
    }

    // MARK: renditions

    package struct Rendition: Sendable {
        package var kind: RenditionKind
        /// In the server's playlist; nil: it is not named there.
        package var name: String?
        package var isDefault = false
        /// Stretches that are on the disk, seconds, and all there is.
        package var loaded: [Range<Double>] = []
        package var duration: Double = 0
        package var isComplete: Bool
    }

    /// What it has chosen of the stream and how far each has come.
    package func renditions(of id: UUID) -> [Rendition] {
        guard let job = engine.jobs[id] else { return [] }
        if !job.renditions.isEmpty {
            return job.renditions.map { active in
                var result = SessionDoor.told(active.row)
                result.isComplete = active.missing == 0
                result.duration = active.plan?.duration ?? 0
                result.loaded = active.loaded
                return result
            }
        }
        return ((try? engine.record.read { try $0.renditions(of: id) }) ?? []).map { row in
            var result = SessionDoor.told(row)
            if row.kind != .file, row.isComplete || job.row.isFinished, let plan = try? DownloadJob.stored(row) {
                result.duration = plan.duration
                result.loaded = [0..<max(0, plan.duration)]
            }
            return result
        }
    }

    private static func told(_ row: RenditionRow) -> Rendition {
        var result = Rendition(kind: row.kind, isComplete: row.isComplete)
        guard row.kind == .audio || row.kind == .subtitles,
            case .multivariant(let tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
            let rendition = tag.renditions.first
        else { return result }
        (result.name, result.isDefault) = (rendition.name, rendition.isDefault && !rendition.isForced)
        return result
    }

    package func variants(of id: UUID) -> [AVAssetVariant] {
        ((try? engine.record.read { try $0.renditions(of: id) }) ?? []).filter { $0.kind == .video }.compactMap { row in
            guard case .multivariant(var tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
                !tag.variants.isEmpty
            else { return nil }
            // Written as its own multivariant playlist has it, which lies elsewhere.
            tag.variants[0].uri = row.url.absoluteString
            return AVAssetVariant.all(of: tag).first
        }
    }

    // MARK: what may be evicted

    /// Of the package at `location`, or in whose folder that is. Any thread; waits for the library.
    package func storage(at location: URL) throws(DownloadError) -> (isProtected: Bool, expires: Date?)? {
        let name = name(of: location)
        return try engine.record.read {
            try $0.packages(where: "folder = ?", [name]).first.map { ($0.isProtected, $0.expires) }
        }
    }

    package func setStorage(isProtected: Bool, expires: Date?, at location: URL) throws(DownloadError) {
        let engine = engine
        let name = name(of: location)
        try engine.onQueue { () throws(DownloadError) in
            guard let package = try engine.record.read({ try $0.packages(where: "folder = ?", [name]).first }) else {
                throw DownloadError(
                    .notFound, at: location.path, reason: "the download is not in this library",
                    suggestion: "Use the location that the download session reported")
            }
            let jobs = engine.jobs.values.filter { $0.row.package == package.id }
            for job in jobs {
                // What it writes when it finishes.
                (job.row.options.isProtected, job.row.options.expirationDate) = (isProtected, expires)
                (job.package.isProtected, job.package.expires) = (isProtected, expires)
            }
            let rows = jobs.map(\.row)
            try engine.record.write { database in
                try database.execute(
                    sql: "UPDATE package SET protected = ?, expires = ? WHERE id = ?",
                    arguments: [isProtected, expires?.timeIntervalSince1970, package.id])
                for row in rows { try database.store(row) }
            }
        }
    }

    private func name(of location: URL) -> String {
        let path = location.standardizedFileURL.path
        guard path.hasPrefix(engine.path + "/") else { return "" }
        return String(path.dropFirst(engine.path.utf8.count + 1).prefix { $0 != "/" })
    }

    /// Folders of a library have a record.
    package static func isLibrary(_ folder: URL) -> Bool {
        guard let root = try? DiskRoot(folder.path, creates: false) else { return false }
        return DiskFile.size(root.appending(PackageNames.database)) != nil
    }

    /// The same for every address of one resource: without the query, in which tokens change.
    package static func asset(_ url: URL) -> String { DownloadEngine.asset(url) }
    /// One part of a path, for any name.
    package static func folderName(_ text: String) -> String {
        "\(SafeName.make(text, limit: 60))-\(SafeName.digest(text).prefix(8))"
    }
}
