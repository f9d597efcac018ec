import Foundation
import MediaCore
import Streaming

/// A comparison of a download's plan with the files on the disk. Only this comparison decides whether a package is
/// complete. It is used to finish, verify, repair and export downloads.
struct PackageInspection {
    /// The extent of an inspection.
    enum Depth {
        /// Each file exists with its recorded size.
        case sizes
        /// The contents of each file are unchanged.
        case bytes
    }

    /// A resource that is missing or has changed.
    struct Problem {
        var damage: DownloadDamage
        var rendition: RenditionRow
        var kind: PlanItem.Kind
        var number: Int
        /// The resource's row in the database, if there is one.
        var row: ResourceRow?
    }

    private let package: PackageRow
    private let folder: PackageFolder
    private let record: DownloadRecord

    init(_ package: PackageRow, _ folder: PackageFolder, _ record: DownloadRecord) {
        self.package = package
        self.folder = folder
        self.record = record
    }

    /// Returns the plans of renditions, from their stored playlists. Nil for a file, and for a rendition without a
    /// playlist.
    static func plans(of renditions: [RenditionRow]) throws(DownloadError) -> [(RenditionRow, RenditionPlan?)] {
        let known = renditions.filter { $0.playlist != nil }
        let plans = Dictionary(
            zip(known.map(\.id), try RenditionPlan.all(of: known)), uniquingKeysWith: { first, _ in first })
        return renditions.map { ($0, plans[$0.id] ?? nil) }
    }

    /// Returns the problems of renditions.
    ///
    /// - Parameter isWhole: Whether the entire plan has to be on the disk. If false, only recorded resources are
    ///   checked.
    /// - Throws: An error of the database; `.cancelled`.
    func problems(
        in renditions: [(row: RenditionRow, plan: RenditionPlan?)], isWhole: Bool, depth: Depth,
        isCancelled: () -> Bool = { false }
    ) throws(DownloadError) -> [Problem] {
        var result: [Problem] = []
        for (rendition, plan) in renditions {
            let rows = Dictionary(
                try record.read { try $0.resources(of: rendition.id, completeOnly: true) }.map { (Key($0), $0) },
                uniquingKeysWith: { first, _ in first })
            let facts = rendition.kind == .file ? rendition.playlist.flatMap(FileFacts.init(stored:)) : nil
            let files: Files
            do throws(DownloadError) {
                files = Files(sizes: try DiskFile.contents(of: folder.folder(of: rendition)), problem: nil)
            } catch {
                files = Files(sizes: [:], problem: error.reason)
            }
            let items = plan?.items ?? facts?.parts(of: rendition.url) ?? []
            for item in items {
                if isCancelled() {
                    throw DownloadError(.cancelled, at: folder.path, reason: "the operation was cancelled")
                }
                let row = rows[Key(kind: item.kind, number: item.number)]
                guard let reason = problem(item, row, files, facts, rendition, isWhole: isWhole, depth) else {
                    continue
                }
                result.append(
                    Problem(
                        damage: DownloadDamage(
                            file: name(item.fileName, of: rendition),
                            bytes: facts == nil
                                ? nil : item.range.map { $0.offset..<$0.end } ?? 0..<max(0, row?.length ?? 0),
                            reason: reason), rendition: rendition, kind: item.kind, number: item.number, row: row))
            }
            // The rendition has no playlist, so none of its resources are known.
            if plan == nil, facts == nil, isWhole {
                result.append(
                    Problem(
                        damage: DownloadDamage(
                            file: name(PackageNames.index, of: rendition), bytes: nil,
                            reason: "the file was never downloaded"),
                        rendition: rendition, kind: .segment, number: -1, row: nil))
            }
        }
        return result
    }

    private struct Key: Hashable {
        var kind: PlanItem.Kind
        var number: Int
        init(kind: PlanItem.Kind, number: Int) { (self.kind, self.number) = (kind, number) }
        init(_ row: ResourceRow) { self.init(kind: row.kind, number: row.number) }
    }

    /// The entries of a rendition's folder, or the reason why they cannot be read.
    private struct Files {
        var sizes: [String: Int64]
        var problem: String?
    }

    private func name(_ file: String, of rendition: RenditionRow) -> String {
        "\(package.folder)/\(rendition.name)/\(file)"
    }

    /// Returns the problem of an item, or nil if the item is unchanged or does not have to exist yet.
    private func problem(
        _ item: PlanItem, _ row: ResourceRow?, _ files: Files, _ facts: FileFacts?, _ rendition: RenditionRow,
        isWhole: Bool, _ depth: Depth
    ) -> String? {
        guard let row else { return isWhole ? "the file was never downloaded" : nil }
        if let problem = files.problem { return problem }
        var path = folder.file(item.fileName, of: rendition)
        // The parts have a temporary name until the entire file is complete.
        if facts != nil, files.sizes[path.name] == nil { path = path.part }
        let offset = facts == nil ? 0 : item.range?.offset ?? 0
        guard let size = files.sizes[path.name] else { return "the file is missing" }
        guard size >= 0 else { return "the path is not a regular file" }
        guard facts == nil ? size == row.length : size >= offset.addingSaturating(row.length) else {
            return "the file has \(size) bytes, a different size than when it was downloaded"
        }
        if let facts, isWhole, let whole = facts.size, path.name == facts.name, size != whole {
            return "the file has \(size) bytes, a different size than when it was downloaded"
        }
        guard depth == .bytes else { return nil }
        let digest = ContentDigest.Maker()
        do throws(DownloadError) {
            try DiskFile.Handle(reading: path).read(from: offset, count: row.length) { digest.add($0) }
        } catch {
            return error.reason
        }
        return digest.finish() == row.digest ? nil : "the file's contents have changed since it was downloaded"
    }

    /// Returns the playlists that have changed since they were written.
    ///
    /// - Parameter isWhole: Whether the package's multivariant playlist has to exist.
    func wrongPlaylists(in renditions: [(row: RenditionRow, plan: RenditionPlan?)], isWhole: Bool)
        throws(DownloadError) -> [DownloadDamage]
    {
        var result: [DownloadDamage] = []
        func compare(_ path: DiskPath, _ text: String, _ name: String) {
            var reason: String?
            do throws(DownloadError) {
                let bytes = try DiskFile.read(path)
                if bytes == nil { reason = "the file is missing" }
                if let bytes, bytes != Array(text.utf8) { reason = "the file has changed since it was written" }
            } catch {
                reason = error.reason
            }
            if let reason { result.append(DownloadDamage(file: name, bytes: nil, reason: reason)) }
        }
        for (rendition, plan) in renditions where rendition.isComplete {
            guard let plan else { continue }
            // Zoetrope writes the playlists itself, so their texts can be generated again.
            compare(
                folder.file(PackageNames.index, of: rendition), LocalPlaylists.media(plan).text,
                name(PackageNames.index, of: rendition))
        }
        if isWhole, let text = try LocalPlaylists.indexText(of: package, record) {
            compare(folder.index, text, "\(package.folder)/\(PackageNames.index)")
        }
        return result
    }
}
