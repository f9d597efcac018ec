import Foundation
import MediaCore

/// A file of a package that is missing or has changed since it was downloaded.
public struct DownloadDamage: Sendable, Hashable {
    /// The path of the file, relative to the library's folder.
    public let file: String
    /// The damaged range of bytes, for a part of a file. If nil, the entire file is damaged.
    public let bytes: Range<Int64>?
    /// The reason: a clause in lower case, without a final full stop.
    public let reason: String
}

extension DownloadEngine {
    /// Compares a download with its files on the disk. Blocks while the files are read. Any thread.
    nonisolated func verify(
        _ id: UUID, _ depth: PackageInspection.Depth = .bytes, isCancelled: () -> Bool = { false }
    ) throws(DownloadError) -> [DownloadDamage] {
        let (problems, playlists) = try inspect(id, depth, isCancelled)
        return problems.map(\.damage) + playlists
    }

    /// Returns the rows of a download. Any thread.
    ///
    /// - Throws: `.notFound`.
    nonisolated func recorded(_ id: UUID) throws(DownloadError) -> (
        download: DownloadRow, package: PackageRow, renditions: [RenditionRow]
    ) {
        let (download, package, renditions) = try record.read { database in
            let download = try database.download(id)
            return (
                download, try download.flatMap { try database.package($0.package) }, try database.renditions(of: id)
            )
        }
        guard let download, let package else { throw noDownload(id) }
        return (download, package, renditions)
    }

    private nonisolated func inspect(_ id: UUID, _ depth: PackageInspection.Depth, _ isCancelled: () -> Bool)
        throws(DownloadError) -> (problems: [PackageInspection.Problem], playlists: [DownloadDamage])
    {
        let (download, package, renditions) = try recorded(id)
        let inspection = PackageInspection(package, PackageFolder(library: root, folder: package.folder), record)
        let plans = try PackageInspection.plans(of: renditions)
        guard !plans.isEmpty || !download.isFinished else {
            return ([], [DownloadDamage(file: package.folder, bytes: nil, reason: "the file was never downloaded")])
        }
        return (
            try inspection.problems(in: plans, isWhole: download.isFinished, depth: depth, isCancelled: isCancelled),
            try inspection.wrongPlaylists(in: plans, isWhole: download.isFinished)
        )
    }

    /// Starts to load the damaged or missing files again. Blocks while the files are read, and returns before the new
    /// ones are loaded.
    ///
    /// - Returns: The damage that was found.
    nonisolated func repair(_ id: UUID) throws(DownloadError) -> [DownloadDamage] {
        let (problems, playlists) = try inspect(id, .bytes) { false }
        guard !problems.isEmpty || !playlists.isEmpty else { return [] }
        try DownloadActor.sync { () throws(DownloadError) in
            let job = self.jobs[id]
            if let job, job.isRunning { job.stop() }
            let row = try self.record.read { try $0.download(id) }
            guard var row, let package = try self.record.read({ try $0.package(row.package) }) else { return }
            let folder = PackageFolder(library: self.root, folder: package.folder)
            for problem in problems {
                guard let resource = problem.row else { continue }
                let file = folder.file(resource.file, of: problem.rendition)
                if problem.rendition.kind == .file {
                    // Keep the other parts of the file.
                    if DiskFile.size(file) != nil { try DiskFile.rename(file, file.part) }
                } else {
                    try DiskFile.remove(file)
                }
            }
            row.isFinished = false
            row.failure = nil
            row.requestedState = .run
            let resetRow = row
            try self.record.write { database in
                for resource in problems.compactMap(\.row) {
                    try database.removeResource(resource.rendition, resource.kind, resource.number)
                }
                try database.countBytes(of: package.id)
                try database.store(resetRow)
            }
            job?.take(resetRow, package)
            if let job { self.changed(job) }
            self.startNextDownloads()
        }
        return problems.map(\.damage) + playlists
    }

    /// Copies a finished download, in a form that does not depend on Zoetrope: plain HLS, or the media file.
    ///
    /// - Parameters:
    ///   - target: The path of the new folder, or of the new file if the source is not a stream. It must not exist.
    ///   - isLast: Whether the download is removed next, so that hard links can replace copies.
    nonisolated func export(_ id: UUID, to target: URL, isLast: Bool = false) throws(DownloadError) {
        let (download, package, renditions, others) = try record.read { database in
            let download = try database.download(id)
            let others =
                try download.map {
                    try database.downloads(where: "package = ? AND id <> ?", [$0.package, id.uuidString]).count
                } ?? 0
            return (
                download, try download.flatMap { try database.package($0.package) }, try database.renditions(of: id),
                others
            )
        }
        guard let download, let package else { throw noDownload(id) }
        guard download.isFinished else {
            throw DownloadError(
                .damaged, at: download.url.location, reason: "a download can be exported only after it is finished",
                suggestion: "Wait until the download is finished")
        }
        guard target.isFileURL, !FileManager.default.fileExists(atPath: target.path) else {
            throw DownloadError(
                .invalidArgument, at: target.location, reason: "the path already exists or is not a local path",
                suggestion: "Choose another name")
        }
        let folder = PackageFolder(library: root, folder: package.folder)
        // Do not export an incomplete package.
        if let damage = try verify(id, .sizes).first {
            throw DownloadError(
                .damaged, at: path + "/" + damage.file, reason: damage.reason, suggestion: "Repair the download")
        }
        // Use a temporary name until the copy is complete.
        let temporary = target.deletingLastPathComponent().appendingPathComponent(
            "." + target.lastPathComponent + PackageNames.part)
        var source = folder.diskPath
        if let file = renditions.first(where: { $0.kind == .file }),
            let name = file.playlist.flatMap(FileFacts.init(stored:))?.name
        {
            source = folder.file(name, of: file)
        }
        try? FileManager.default.removeItem(at: temporary)
        do throws(DownloadError) {
            // Hard links would change with the files of the package if other downloads still use them.
            try DiskFile.export(
                source, to: temporary.path, leavingOut: [PackageNames.lock], links: isLast && others == 0)
            guard rename(temporary.path, target.path) == 0 else {
                throw DownloadError.system(errno, at: target.path, "writing failed")
            }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
    }
}
