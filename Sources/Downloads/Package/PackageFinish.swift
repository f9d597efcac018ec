import Foundation
import MediaCore
import MediaEngine

/// The last steps of a download: compares the files with the plan, writes the files that players need, and records the
/// download as finished.
@DownloadActor
struct PackageFinish {
    let package: PackageRow
    let contents: DownloadContents
    private var record: DownloadRecord { contents.record }
    private var folder: PackageFolder { contents.folder }

    init(_ package: PackageRow, _ contents: DownloadContents) {
        self.package = package
        self.contents = contents
    }

    /// Returns the missing items of the plan. A download is finished if there are none. `verify` makes the same
    /// comparison.
    func missing() throws(DownloadError) -> [PackageInspection.Problem] {
        try PackageInspection(package, folder, record).problems(
            in: contents.renditions.map { ($0.row, $0.plan) }, isWhole: true, depth: .sizes)
    }

    /// Returns the plan's items for the missing resources.
    func items(of missing: [PackageInspection.Problem]) -> [ItemReference] {
        missing.compactMap { problem in
            contents.renditions.firstIndex { $0.row.id == problem.rendition.id }.flatMap { index in
                contents.renditions[index].place(of: problem.kind, problem.number).map {
                    ItemReference(rendition: index, place: $0)
                }
            }
        }
    }

    /// Writes the files that players need.
    ///
    /// - Returns: For a source that is not a stream, the name of its file. Also its duration in seconds, if this call
    ///   has measured it.
    func write(for row: DownloadRow) throws(DownloadError) -> (name: String, seconds: Double?)? {
        var file: (name: String, seconds: Double?)?
        if let rendition = contents.renditions.first(where: { $0.facts != nil }), let facts = rendition.facts {
            file = (facts.name, try finishFile(rendition, facts, from: row.url))
        } else {
            for rendition in contents.renditions {
                try LocalPlaylists.write(rendition.row, plan: rendition.plan, in: folder)
            }
            try setComplete(contents.renditions.map(\.row.id))
            try LocalPlaylists.writeIndex(of: package, in: folder, record)
        }
        if let artwork = row.options.artwork, artwork.count <= 8 << 20 {
            try DiskFile.replace(folder.diskPath.appending(PackageNames.artwork), with: artwork)
        }
        try DiskFile.syncFolder(folder.diskPath)
        return file
    }

    /// Records in the database that the download is finished.
    func store(_ row: DownloadRow) throws(DownloadError) {
        try record.write { database in
            try database.storeState(row)
            try database.execute(
                sql: "UPDATE package SET finished = ?, expires = ?, protected = ? WHERE id = ?",
                arguments: [
                    Date().timeIntervalSince1970, row.options.expirationDate?.timeIntervalSince1970,
                    row.options.isProtected, row.package,
                ])
        }
    }

    private func setComplete(_ renditions: [Int64]) throws(DownloadError) {
        try record.write { database in
            for id in renditions {
                try database.execute(sql: "UPDATE rendition SET complete = 1 WHERE id = ?", arguments: [id])
            }
        }
    }

    // MARK: file

    private func finishFile(_ rendition: ActiveRendition, _ facts: FileFacts, from url: URL) throws(DownloadError)
        -> Double?
    {
        let path = folder.file(facts.name, of: rendition.row)
        let temporary = path.part
        var seconds: Double?
        if let size = DiskFile.size(temporary) {
            if let whole = facts.size, size != whole {
                throw DownloadError(
                    .damaged, at: temporary.path, reason: "the file has only \(size) of \(whole) bytes",
                    suggestion: "Remove the download and start it again")
            }
            seconds = try checkFile(temporary, from: url)
            try DiskFile.rename(temporary, path)
            try DiskFile.syncFolder(folder.folder(of: rendition.row))
        } else if DiskFile.size(path) == nil {
            throw DownloadError(
                .damaged, at: path.path, reason: "the file is missing", suggestion: "Retry to download it again")
        }
        try setComplete([rendition.row.id])
        return seconds
    }

    /// Checks the duration in the container, because a server may cut off a file with status 200 and a matching length.
    ///
    /// - Returns: The duration in seconds, 0 if the container states none, or nil if the file cannot be examined.
    private func checkFile(_ path: DiskPath, from url: URL) throws(DownloadError) -> Double? {
        let details: AssetDetails
        do throws(AVError) {
            details = try AssetDetails.read(URL(fileURLWithPath: path.path))
        } catch {
            // A file without a suitable decoder is still valid media.
            if error.code == .decoderNotFound || error.code == .cancelled { return nil }
            // Removes the file from the database, so that a retry downloads it again.
            try contents.forgetFile(of: package.id)
            throw DownloadError(
                .notMedia, at: url.location, reason: "the downloaded file is not readable media: \(error.reason)",
                suggestion: "Check the URL")
        }
        if let problem = details.truncation {
            try contents.forgetFile(of: package.id)
            throw DownloadError(
                .notMedia, at: url.location, reason: "the server's file is incomplete: \(problem.reason)",
                suggestion: "Try again later")
        }
        return details.duration.isNumeric ? details.duration.seconds : 0
    }
}
