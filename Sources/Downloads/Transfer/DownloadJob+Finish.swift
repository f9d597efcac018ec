import Foundation
import MediaCore
import MediaEngine
import Streaming

/// Everything has come: what players need is written, then the record says that it is done.
extension DownloadJob {
    func finish() throws(DownloadError) {
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
            try DiskFile.replace(folder.path + "/" + PackageNames.artwork, with: artwork)
        }
        try DiskFile.syncFolder(folder.path)
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

    private func finishFile(_ rendition: ActiveRendition) throws(DownloadError) {
        guard let facts = rendition.facts else { return }
        fileName = facts.name
        let path = folder.file(facts.name, of: rendition.row)
        let side = path + PackageNames.part
        if let size = DiskFile.size(side) {
            if let whole = facts.size, size != whole {
                throw DownloadError(
                    .damaged, at: side, reason: "has \(size) of its \(whole) bytes",
                    suggestion: "Remove the download and begin anew")
            }
            // By the name it is going to have: players tell some containers by it.
            try checkFile(side, named: facts.name)
            try DiskFile.rename(side, path)
            try DiskFile.syncFolder(folder.folder(of: rendition.row))
        } else if DiskFile.size(path) == nil {
            throw DownloadError(.damaged, at: path, reason: "has vanished", suggestion: "Retry: it begins anew")
        }
        let id = rendition.row.id
        try engine.record.write {
            try $0.execute(sql: "UPDATE rendition SET complete = 1 WHERE id = ?", arguments: [id])
        }
    }

    /// A server cuts off with 200 and a length that agrees: the container knows better.
    private func checkFile(_ path: String, named name: String) throws(DownloadError) {
        let details: AssetDetails
        do throws(AVError) {
            details = try AssetDetails.read(URL(fileURLWithPath: path))
        } catch {
            // What no decoder is for is media all the same.
            if error.code == .decoderNotFound || error.code == .cancelled { return }
            // The record forgets it, so that a retry begins anew.
            try forgetFile()
            throw DownloadError(
                .notMedia, at: row.url.location, reason: "what came is no media that can be read: \(error.reason)",
                suggestion: "Check the URL")
        }
        if let problem = details.truncation {
            try forgetFile()
            throw DownloadError(
                .notMedia, at: row.url.location, reason: "is cut off by the server: \(problem.reason)",
                suggestion: "The server is at fault; try again later")
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
