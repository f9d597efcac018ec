import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming

/// What a session needs of its library besides what every client does: what it keeps with each download, what of which
/// rendition has come, and storage policies.
extension DownloadEngine {
    func setNote(_ note: String, of id: UUID) throws(DownloadError) {
        guard let job = jobs[id], job.row.note != note else { return }
        try record.write {
            try $0.execute(sql: "UPDATE download SET note = ? WHERE id = ?", arguments: [note, id.uuidString])
        }
        job.setNote(note)
    }

    /// Before it has been resumed.
    func setQualities(_ all: [DownloadOptions.Quality], of id: UUID) throws(DownloadError) {
        guard let job = jobs[id], !job.isRunning, let first = all.first else { return }
        job.setQualities(first, Array(all.dropFirst()))
        let row = job.row
        try record.write { try $0.store(row) }
    }

    /// Seconds for which the network's trouble is waited out.
    func setPatience(_ seconds: Double) throws(DownloadError) {
        guard policy.patience != seconds else { return }
        var policy = policy
        policy.patience = seconds
        try set(policy)
    }

    /// Ends the downloads whose media somebody has removed from the disk.
    func forgetVanished() throws(DownloadError) {
        for job in jobs.values where !job.isRunning {
            let snapshot = self.snapshot(job)
            if snapshot.playable != nil {
                if DiskFile.isMissing(job.playableFile) { try remove(job.row.id) }
            } else if job.row.failure != nil, job.row.progress.bytes > 0,
                DiskFile.isMissing(job.folder.place)
            {
                try remove(job.row.id)
            }
        }
    }

    /// What of it is on the disk, for a player of its stream; nil before it is known what is loaded.
    func copies(of id: UUID) -> LocalCopies? { (try? PackageCopies(id, engine: self))?.copies }

    /// What becomes playable: the package's folder, or the file in it of what is no stream.
    func location(of id: UUID) -> URL? {
        guard let job = jobs[id] else { return nil }
        let rows = (try? record.read { try $0.renditions(of: id) }) ?? []
        let package = location(of: job.package)
        guard let file = rows.first(where: { $0.kind == .file }),
            let facts = file.playlist.flatMap(FileFacts.init(stored:))
        else { return package }
        return package.appendingPathComponent(file.name).appendingPathComponent(facts.name)
    }

    /// Where that which lies at `location` came from, and what its package is known by; nil: it is none of this
    /// library's.
    func source(of location: URL) -> (url: URL, id: String)? {
        guard location.isFileURL else { return nil }
        let name = name(of: location)
        guard let job = jobs.values.first(where: { $0.package.folder == name }) else { return nil }
        return (job.row.url, job.package.asset)
    }

    // MARK: renditions

    struct RenditionProgress: Sendable {
        var kind: RenditionKind
        /// In the server's playlist; nil: it is not named there.
        var name: String?
        var isDefault = false
        /// Stretches that are on the disk, seconds, and all there is.
        var loaded: [Range<Double>] = []
        var duration: Double = 0
        var isComplete: Bool
    }

    /// What it has chosen of the stream and how far each has come.
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
            // Written as its own multivariant playlist has it, which lies elsewhere.
            tag.variants[0].uri = row.url.absoluteString
            return AVAssetVariant.all(of: tag).first
        }
    }

    // MARK: what may be evicted

    /// Of the package at `location`, or in whose folder that is. Any thread.
    nonisolated func storage(at location: URL) throws(DownloadError) -> (isProtected: Bool, expires: Date?)? {
        let name = name(of: location)
        return try record.read {
            try $0.packages(where: "folder = ?", [name]).first.map { ($0.isProtected, $0.expires) }
        }
    }

    func setStorage(isProtected: Bool, expires: Date?, at location: URL) throws(DownloadError) {
        let name = name(of: location)
        guard let package = try record.read({ try $0.packages(where: "folder = ?", [name]).first }) else {
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

    private nonisolated func name(of location: URL) -> String {
        let place = location.standardizedFileURL.path
        guard place.hasPrefix(path + "/") else { return "" }
        return String(place.dropFirst(path.utf8.count + 1).prefix { $0 != "/" })
    }

    /// Folders of a library have a record.
    nonisolated static func isLibrary(_ folder: URL) -> Bool {
        guard let root = try? DiskRoot(folder.path, creates: false) else { return false }
        return DiskFile.size(root.appending(PackageNames.database)) != nil
    }
}
