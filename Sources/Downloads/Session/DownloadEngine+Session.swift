import Foundation
import GRDB
import MediaEngine
import Streaming

/// The calls that only sessions need: notes stored with downloads, the progress of each rendition, and storage
/// policies.
extension DownloadEngine {
    func setNote(_ note: String, of id: UUID) throws(DownloadError) {
        guard let job = jobs[id], job.row.note != note else { return }
        try record.write {
            try $0.execute(sql: "UPDATE download SET note = ? WHERE id = ?", arguments: [note, id.uuidString])
        }
        job.setNote(note)
    }

    /// Sets the qualities of a download that has not been started. Has no effect if the download is running or `all` is
    /// empty.
    func setQualities(_ all: [DownloadOptions.Quality], of id: UUID) throws(DownloadError) {
        guard let job = jobs[id], !job.isRunning, let first = all.first else { return }
        job.setQualities(first, Array(all.dropFirst()))
        let row = job.row
        try record.write { try $0.store(row) }
    }

    /// Sets the maximum time to retry after network failures, for all downloads of the library, in seconds.
    func setPatience(_ seconds: Double) throws(DownloadError) {
        guard policy.patience != seconds else { return }
        var policy = policy
        policy.patience = seconds
        try set(policy)
    }

    /// Removes the downloads whose files were deleted outside the library.
    func forgetVanished() throws(DownloadError) {
        for job in jobs.values where !job.isRunning {
            let snapshot = self.snapshot(job)
            if snapshot.playable != nil {
                if DiskFile.isMissing(job.playableFile) { try remove(job.row.id) }
            } else if job.row.failure != nil, job.row.progress.bytes > 0,
                DiskFile.isMissing(job.folder.diskPath)
            {
                try remove(job.row.id)
            }
        }
    }

    /// Returns the downloaded parts for a player of the stream, or nil before the resources are known.
    func copies(of id: UUID) -> LocalCopies? { (try? PackageCopies(id, engine: self))?.copies }

    /// Returns the URL that becomes playable: the package's folder, or the media file in it if the source is not a
    /// stream.
    func location(of id: UUID) -> URL? {
        guard let job = jobs[id] else { return nil }
        let rows = (try? record.read { try $0.renditions(of: id) }) ?? []
        let package = location(of: job.package)
        guard let file = rows.first(where: { $0.kind == .file }),
            let facts = file.playlist.flatMap(FileFacts.init(stored:))
        else { return package }
        return package.appendingPathComponent(file.name).appendingPathComponent(facts.name)
    }

    /// Returns the source URL of the download at `location` and the identity of its package. Nil if the location is
    /// outside this library.
    func source(of location: URL) -> (url: URL, id: String)? {
        guard location.isFileURL, let name = packageName(at: location.standardizedFileURL.path),
            let job = jobs.values.first(where: { $0.package.folder == name })
        else { return nil }
        return (job.row.url, job.package.asset)
    }

    // MARK: renditions

    struct RenditionProgress: Sendable {
        var kind: RenditionKind
        /// The name in the server's playlist, or nil if the playlist gives no name.
        var name: String?
        var isDefault = false
        /// The time ranges that are on the disk, in seconds. `duration` is the duration of the rendition, in seconds.
        var loaded: [Range<Double>] = []
        var duration: Double = 0
        var isComplete: Bool
    }

    /// Returns the chosen renditions of a download, with the progress of each.
    func renditions(of id: UUID) -> [RenditionProgress] {
        guard let job = jobs[id] else { return [] }
        if !job.contents.renditions.isEmpty {
            return job.contents.renditions.map { active in
                var result = DownloadEngine.described(active.row)
                result.isComplete = active.missing == 0
                result.duration = active.plan?.duration ?? 0
                result.loaded = active.loaded
                return result
            }
        }
        return ((try? record.read { try $0.renditions(of: id) }) ?? []).map { row in
            var result = DownloadEngine.described(row)
            if row.kind != .file, row.isComplete || job.row.isFinished, let plan = try? row.mediaPlaylist() {
                result.duration = plan.duration
                result.loaded = [0..<max(0, plan.duration)]
            }
            return result
        }
    }

    private static func described(_ row: RenditionRow) -> RenditionProgress {
        var result = RenditionProgress(kind: row.kind, isComplete: row.isComplete)
        guard row.kind == .audio || row.kind == .subtitles,
            case .multivariant(let tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
            let rendition = tag.renditions.first
        else { return result }
        (result.name, result.isDefault) = (rendition.name, rendition.isDefault && !rendition.isForced)
        return result
    }

    func variants(of id: UUID) -> [AVAssetVariant] {
        ((try? record.read { try $0.renditions(of: id) }) ?? []).filter { $0.kind == .video }.compactMap { row in
            guard case .multivariant(var tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
                !tag.variants.isEmpty
            else { return nil }
            // The stored tag has the URI of its multivariant playlist, which may be relative to another URL.
            tag.variants[0].uri = row.url.absoluteString
            return AVAssetVariant.all(of: tag).first
        }
    }

    // MARK: storage policies

    /// Returns the storage policy of the package that contains `location`, or nil if there is none. Any thread.
    nonisolated func storage(at location: URL) throws(DownloadError) -> (isProtected: Bool, expires: Date?)? {
        guard let name = packageName(at: location.standardizedFileURL.path) else { return nil }
        return try record.read {
            try $0.packages(where: "folder = ?", [name]).first.map { ($0.isProtected, $0.expires) }
        }
    }

    func setStorage(isProtected: Bool, expires: Date?, at location: URL) throws(DownloadError) {
        guard let name = packageName(at: location.standardizedFileURL.path),
            let package = try record.read({ try $0.packages(where: "folder = ?", [name]).first })
        else {
            throw DownloadError(
                .notFound, at: location.path, reason: "the download is not in this library",
                suggestion: "Use the location that the download session reported")
        }
        let jobs = jobs.values.filter { $0.row.package == package.id }
        for job in jobs { job.setStorage(isProtected: isProtected, expires: expires) }
        let rows = jobs.map(\.row)
        try record.write { database in
            try database.execute(
                sql: "UPDATE package SET protected = ?, expires = ? WHERE id = ?",
                arguments: [isProtected, expires?.timeIntervalSince1970, package.id])
            for row in rows { try database.store(row) }
        }
    }

    /// Returns whether a folder is a library, which is the case if it contains a database.
    nonisolated static func isLibrary(_ folder: URL) -> Bool {
        guard let root = try? DiskRoot(folder.path, creates: false) else { return false }
        return DiskFile.size(root.appending(PackageNames.database)) != nil
    }
}
