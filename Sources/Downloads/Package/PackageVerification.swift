import Foundation
import MediaCore

/// Something of a package that is not as it was when it came.
public struct DownloadDamage: Sendable, Hashable {
    /// In the library's folder.
    public let file: String
    /// Which bytes, of a part of a file; nil: all of the file.
    public let bytes: Range<Int64>?
    /// One sentence without a final full stop.
    public let reason: String
}

extension DownloadEngine {
    /// Reads all that is on the disk of a download and compares it with what came. Blocks as long as that takes; any
    /// thread but the queue.
    func verify(_ id: UUID, isCancelled: () -> Bool = { false }) throws(DownloadError) -> [DownloadDamage] {
        try damaged(id, isCancelled).map(\.told)
    }

    /// What the record has of a download. Any thread. - Throws: `.notFound`.
    func recorded(_ id: UUID) throws(DownloadError) -> (
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

    private struct Damage {
        var told: DownloadDamage
        /// Nil: a playlist, which is written anew.
        var row: ResourceRow?
        var rendition: RenditionRow?
    }

    private func damaged(_ id: UUID, _ isCancelled: () -> Bool) throws(DownloadError) -> [Damage] {
        let (download, package, renditions) = try recorded(id)
        let folder = PackageFolder(library: path, folder: package.folder)
        var result: [Damage] = []
        let plans = try RenditionPlan.all(of: renditions.filter { $0.playlist != nil })
        let planOf = Dictionary(
            zip(renditions.filter { $0.playlist != nil }.map(\.id), plans), uniquingKeysWith: { first, _ in first })
        for rendition in renditions {
            let rows = try record.read { try $0.resources(of: rendition.id, completeOnly: true) }
            let facts = rendition.kind == .file ? rendition.playlist.flatMap(FileFacts.init(stored:)) : nil
            for row in rows {
                if isCancelled() { throw DownloadError(.cancelled, at: folder.path, reason: "was given up") }
                var place = folder.file(row.file, of: rendition)
                if facts != nil, DiskFile.size(place) == nil { place += PackageNames.part }
                let offset = facts.map { Int64(row.number) * $0.partLength } ?? 0
                guard let reason = problem(place, row, offset, isPart: facts != nil) else { continue }
                let told = DownloadDamage(
                    file: "\(package.folder)/\(rendition.name)/\(row.file)",
                    bytes: facts != nil ? offset..<offset + max(0, row.length) : nil, reason: reason)
                result.append(Damage(told: told, row: row, rendition: rendition))
            }
            guard rendition.kind != .file, rendition.isComplete, let plan = planOf[rendition.id] ?? nil else {
                continue
            }
            // The playlists are ours, so that it is known what they say.
            let file = folder.file(PackageNames.index, of: rendition)
            if (try? Data(contentsOf: URL(fileURLWithPath: file)))
                != Data(LocalPlaylists.media(rendition, plan: plan).text.utf8)
            {
                result.append(
                    Damage(
                        told: DownloadDamage(
                            file: "\(package.folder)/\(rendition.name)/\(PackageNames.index)", bytes: nil,
                            reason: "is not as it was written")))
            }
        }
        if download.isFinished, let text = try LocalPlaylists.indexText(of: package, record),
            (try? Data(contentsOf: URL(fileURLWithPath: folder.index))) != Data(text.utf8)
        {
            result.append(
                Damage(
                    told: DownloadDamage(
                        file: "\(package.folder)/\(PackageNames.index)", bytes: nil, reason: "is not as it was written")
                ))
        }
        return result
    }

    private func problem(_ file: String, _ row: ResourceRow, _ offset: Int64, isPart: Bool) -> String? {
        guard let size = DiskFile.size(file) else { return "has vanished" }
        if isPart ? size < offset.addingSaturating(row.length) : size != row.length {
            return "has \(size) bytes, other than when it came"
        }
        let digest = ContentDigest.Maker()
        do throws(DownloadError) {
            try DiskFile.Handle(reading: file).read(from: offset, count: row.length) { digest.add($0) }
        } catch {
            return error.reason
        }
        return digest.finish() == row.digest ? nil : "has other bytes than those that came"
    }

    /// Fetches again what is damaged, and nothing else. Blocks as `verify` does; the fetching goes on behind it.
    ///
    /// - Returns: what was found.
    func repair(_ id: UUID) throws(DownloadError) -> [DownloadDamage] {
        let all = try damaged(id) { false }
        guard !all.isEmpty else { return [] }
        try onQueue { () throws(DownloadError) in
            let job = self.jobs[id]
            if let job, job.isRunning { job.rest() }
            let row = try self.record.read { try $0.download(id) }
            guard var row, let package = try self.record.read({ try $0.package(row.package) }) else { return }
            let folder = PackageFolder(library: self.path, folder: package.folder)
            for damage in all {
                guard let resource = damage.row, let rendition = damage.rendition else { continue }
                let file = folder.file(resource.file, of: rendition)
                if rendition.kind == .file {
                    // The other parts stay where they are.
                    if DiskFile.size(file) != nil { try DiskFile.rename(file, file + PackageNames.part) }
                } else {
                    try DiskFile.remove(file)
                }
            }
            row.isFinished = false
            row.failure = nil
            row.wish = .run
            let told = row
            try self.record.write { database in
                for damage in all {
                    if let resource = damage.row {
                        try database.removeResource(resource.rendition, resource.kind, resource.number)
                    }
                }
                try database.countBytes(of: package.id)
                try database.store(told)
            }
            job?.row = told
            if let job { self.changed(job) }
            self.pump()
        }
        return all.map(\.told)
    }

    /// A copy of a finished package that needs nothing of ours: plain HLS, or the file.
    ///
    /// - Parameters:
    ///   - target: a folder that is not there yet, or of a file its new name.
    ///   - isLast: the download is removed next, so that no byte need be there twice.
    func export(_ id: UUID, to target: URL, isLast: Bool = false) throws(DownloadError) {
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
                .damaged, at: download.url.location, reason: "not all of it has come",
                suggestion: "Wait until it is finished")
        }
        guard target.isFileURL, !FileManager.default.fileExists(atPath: target.path) else {
            throw DownloadError(
                .invalidArgument, at: target.location, reason: "is there already, or no place on this machine",
                suggestion: "Choose another name")
        }
        let folder = PackageFolder(library: path, folder: package.folder)
        // To the side first: a name stands for something whole.
        let side = target.deletingLastPathComponent().appendingPathComponent(
            "." + target.lastPathComponent + PackageNames.part)
        func copy(_ path: String) throws {
            // What others have of the package may be written anew in its place.
            if isLast, others == 0, DiskFile.link(path, to: side.path) { return }
            try? FileManager.default.removeItem(at: side)
            try FileManager.default.copyItem(at: URL(fileURLWithPath: path), to: side)
        }
        do {
            try? FileManager.default.removeItem(at: side)
            if let file = renditions.first(where: { $0.kind == .file }),
                let name = file.playlist.flatMap(FileFacts.init(stored:))?.name
            {
                try copy(folder.file(name, of: file))
            } else {
                try copy(folder.path)
                try? FileManager.default.removeItem(at: side.appendingPathComponent(PackageNames.lock))
            }
            try FileManager.default.moveItem(at: side, to: target)
        } catch {
            try? FileManager.default.removeItem(at: side)
            let code = (error as NSError).code
            throw code == CocoaError.fileWriteOutOfSpace.rawValue
                ? DownloadError(
                    .diskFull, at: target.path, reason: "no room is left",
                    suggestion: "Make room, or choose another place")
                : DownloadError(.disk, at: target.path, reason: error.localizedDescription)
        }
    }
}
