import Foundation
import MediaCore
import MediaEngine
import Streaming

/// Everything has come: it is compared with the plan, what players need is written, then the record says that it is done.
extension DownloadJob {
    /// So often it is believed that something on the disk was lost by accident.
    private static let mostLosses = 3

    func finish() throws(DownloadError) {
        guard phase == .transferring, !renditions.isEmpty else { return }
        // The one place that decides it, and the same comparison that `verify` makes.
        let plan = renditions.map { ($0.row, $0.plan) }
        let missing = try PackageInspection(package, folder, engine.record).problems(
            in: plan, isWhole: true, depth: .sizes)
        guard missing.isEmpty else { return try restore(missing) }
        if let rendition = renditions.first(where: { $0.facts != nil }) {
            try finishFile(rendition)
        } else {
            for rendition in renditions { try LocalPlaylists.write(rendition.row, plan: rendition.plan, in: folder) }
            let ids = renditions.map(\.row.id)
            try engine.record.write { database in
                for id in ids {
                    try database.execute(sql: "UPDATE rendition SET complete = 1 WHERE id = ?", arguments: [id])
                }
            }
            try LocalPlaylists.writeIndex(of: package, in: folder, engine.record)
        }
        if let artwork = row.options.artwork, artwork.count <= 8 << 20 {
            try DiskFile.replace(folder.place.appending(PackageNames.artwork), with: artwork)
        }
        try DiskFile.syncFolder(folder.place)
        measure()
        row.isFinished = true
        row.progress.bytes = renditions.reduce(Int64(0)) { $0.addingSaturating($1.bytes) }
        row.progress.expectedBytes = row.progress.bytes
        let seconds =
            renditions.compactMap { $0.row.kind == .iFrames ? nil : $0.plan?.duration }.max() ?? row.progress.seconds
        (row.progress.seconds, row.progress.expectedSeconds) = (seconds, seconds)
        let row = row
        try engine.record.write { database in
            try database.storeState(row)
            try database.execute(
                sql: "UPDATE package SET finished = ?, expires = ?, protected = ? WHERE id = ?",
                arguments: [
                    Date().timeIntervalSince1970, row.options.expirationDate?.timeIntervalSince1970,
                    row.options.isProtected, row.package,
                ])
        }
        engine.isFinished(self)
        rest()
        engine.pump()
    }

    /// What is missing although it came is fetched again.
    private func restore(_ missing: [PackageInspection.Problem]) throws(DownloadError) {
        losses += 1
        let items = missing.compactMap { problem in
            renditions.firstIndex { $0.row.id == problem.rendition.id }.flatMap { index in
                renditions[index].place(of: problem.kind, problem.number).map {
                    ItemReference(rendition: index, place: $0)
                }
            }
        }
        guard losses <= DownloadJob.mostLosses, !items.isEmpty else {
            let first = missing.first?.damage
            throw DownloadError(
                .damaged, at: first.map { engine.path + "/" + $0.file } ?? folder.path,
                reason: first?.reason ?? "the download is incomplete",
                suggestion: "Make sure that no other program changes the library's folder, then retry the download")
        }
        for item in items { lose(item) }
        try fill()
    }

    private func finishFile(_ rendition: ActiveRendition) throws(DownloadError) {
        guard let facts = rendition.facts else { return }
        fileName = facts.name
        let path = folder.file(facts.name, of: rendition.row)
        let side = path.part
        if let size = DiskFile.size(side) {
            if let whole = facts.size, size != whole {
                throw DownloadError(
                    .damaged, at: side.path, reason: "the file has only \(size) of \(whole) bytes",
                    suggestion: "Remove the download and start it again")
            }
            // By the name it is going to have: players tell some containers by it.
            try checkFile(side, named: facts.name)
            try DiskFile.rename(side, path)
            try DiskFile.syncFolder(folder.folder(of: rendition.row))
        } else if DiskFile.size(path) == nil {
            throw DownloadError(
                .damaged, at: path.path, reason: "the file is missing", suggestion: "Retry to download it again")
        }
        let id = rendition.row.id
        try engine.record.write {
            try $0.execute(sql: "UPDATE rendition SET complete = 1 WHERE id = ?", arguments: [id])
        }
    }

    /// A server cuts off with 200 and a length that agrees: the container knows better.
    private func checkFile(_ path: DiskPath, named name: String) throws(DownloadError) {
        let details: AssetDetails
        do throws(AVError) {
            details = try AssetDetails.read(URL(fileURLWithPath: path.path))
        } catch {
            // What no decoder is for is media all the same.
            if error.code == .decoderNotFound || error.code == .cancelled { return }
            // The record forgets it, so that a retry begins anew.
            try forgetFile()
            throw DownloadError(
                .notMedia, at: row.url.location, reason: "the downloaded file is not readable media: \(error.reason)",
                suggestion: "Check the URL")
        }
        if let problem = details.truncation {
            try forgetFile()
            throw DownloadError(
                .notMedia, at: row.url.location, reason: "the server's file is incomplete: \(problem.reason)",
                suggestion: "Try again later")
        }
        let seconds = details.duration.isNumeric ? details.duration.seconds : 0
        row.progress.seconds = seconds
        row.progress.expectedSeconds = seconds
    }

    func forgetFile() throws(DownloadError) {
        for rendition in renditions where rendition.facts != nil {
            let id = rendition.row.id
            try engine.record.write { database in
                try database.execute(sql: "DELETE FROM resource WHERE rendition = ?", arguments: [id])
                try database.execute(sql: "UPDATE rendition SET playlist = NULL WHERE id = ?", arguments: [id])
                try database.countBytes(of: self.package.id)
            }
            try DiskFile.removeTree(folder.folder(of: rendition.row))
        }
    }
}
