import MediaCore

/// The disk space that a library's packages use, with a check for more bytes.
@DownloadActor
final class LibrarySpace {
    private let root: DiskRoot
    private let record: DownloadRecord
    /// The size of all packages together, in bytes.
    private(set) var bytes: Int64 = 0

    nonisolated init(_ root: DiskRoot, _ record: DownloadRecord) {
        self.root = root
        self.record = record
    }

    /// Counts the size of all packages.
    func count(_ packages: [PackageRow]) { bytes = packages.reduce(0) { $0.addingSaturating($1.bytes) } }
    func grow(by bytes: Int64) { self.bytes = self.bytes.addingSaturating(bytes) }

    /// Counts the packages again after a removal.
    func recount() {
        if let packages = try? record.read({ try $0.packages() }) { count(packages) }
    }

    /// Returns the number of bytes by which `new` additional bytes exceed the quota, or 0 if they fit.
    func excess(_ new: Int64, _ policy: DownloadPolicy) -> Int64 {
        policy.quota > 0 ? max(0, bytes.addingSaturating(new) - policy.quota) : 0
    }

    /// Returns the packages that may be removed to free space, those that were played longest ago first.
    ///
    /// - Parameter kept: The package that must not be removed.
    func evictable(but kept: Int64) -> [PackageRow] {
        let packages = try? record.read {
            try $0.packages(
                where: "finished IS NOT NULL AND protected = 0 AND id <> ? ORDER BY COALESCE(played, finished)", [kept])
        }
        return packages ?? []
    }

    /// Checks that `new` additional bytes fit.
    ///
    /// - Throws: `.quotaExceeded` or `.diskFull` if they do not.
    func check(_ new: Int64, _ policy: DownloadPolicy, at folder: DiskPath) throws(DownloadError) {
        guard excess(new, policy) == 0 else {
            throw DownloadError(
                .quotaExceeded, at: root.path,
                reason:
                    "the download needs \(new) more bytes, but downloads that may not be removed use \(bytes) bytes of the quota of \(policy.quota) bytes",
                suggestion: "Remove some downloads, or raise the quota")
        }
        guard let free = DiskFile.freeSpace(at: folder) else { return }
        if free < policy.reservedSpace.addingSaturating(new) {
            throw DownloadError(
                .diskFull, at: root.path,
                reason:
                    "the download needs \(new) more bytes, but only \(free) bytes are free and \(policy.reservedSpace) bytes of these are reserved",
                suggestion: "Free some space; the download then resumes by itself")
        }
    }
}
