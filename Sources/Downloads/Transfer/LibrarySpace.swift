import MediaCore

/// How much space a library's packages use, and whether more of them fit.
@DownloadActor
final class LibrarySpace {
    private let root: DiskRoot
    private let record: DownloadRecord
    /// Of all packages together.
    private(set) var bytes: Int64 = 0

    nonisolated init(_ root: DiskRoot, _ record: DownloadRecord) {
        self.root = root
        self.record = record
    }

    /// These are all packages.
    func count(_ packages: [PackageRow]) { bytes = packages.reduce(0) { $0.addingSaturating($1.bytes) } }
    func grow(by bytes: Int64) { self.bytes = self.bytes.addingSaturating(bytes) }

    /// Something was removed.
    func recount() {
        if let packages = try? record.read({ try $0.packages() }) { count(packages) }
    }

    /// How many bytes the library is over its quota once `new` more have come.
    func excess(_ new: Int64, _ policy: DownloadPolicy) -> Int64 {
        policy.quota > 0 ? max(0, bytes.addingSaturating(new) - policy.quota) : 0
    }

    /// Packages that may be removed to make space, those that were played longest ago first.
    ///
    /// - Parameter kept: one that may not.
    func evictable(but kept: Int64) -> [PackageRow] {
        let packages = try? record.read {
            try $0.packages(
                where: "finished IS NOT NULL AND protected = 0 AND id <> ? ORDER BY COALESCE(played, finished)", [kept])
        }
        return packages ?? []
    }

    /// - Throws: `.quotaExceeded` or `.diskFull` where `new` more bytes do not fit.
    func check(_ new: Int64, _ policy: DownloadPolicy, at place: DiskPath) throws(DownloadError) {
        guard excess(new, policy) == 0 else {
            throw DownloadError(
                .quotaExceeded, at: root.path,
                reason:
                    "the download needs \(new) more bytes, but downloads that may not be removed use \(bytes) bytes of the quota of \(policy.quota) bytes",
                suggestion: "Remove some downloads, or raise the quota")
        }
        guard let room = DiskFile.room(at: place) else { return }
        if room < policy.reservedSpace.addingSaturating(new) {
            throw DownloadError(
                .diskFull, at: root.path,
                reason:
                    "the download needs \(new) more bytes, but only \(room) bytes are free and \(policy.reservedSpace) bytes of these are reserved",
                suggestion: "Free some space; the download then resumes by itself")
        }
    }
}
