import Foundation
import MediaCore
import Streaming

/// Compares what a download's plan asks for with what lies on the disk: the only place that says whether a package is
/// whole. A download finishes by it; verifying, repairing, exporting and playing use it too.
struct PackageInspection {
    /// How much is read.
    enum Depth {
        /// Whether each file is there, with as many bytes as came.
        case sizes
        /// Each byte.
        case bytes
    }

    /// A resource that is missing or not as it came.
    struct Problem {
        var damage: DownloadDamage
        var rendition: RenditionRow
        var kind: PlanItem.Kind
        var number: Int
        /// The record knows it.
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

    /// Plans of renditions, from what the record has of their playlists; nil: of a file, or nothing is known yet.
    static func plans(of renditions: [RenditionRow]) throws(DownloadError) -> [(RenditionRow, RenditionPlan?)] {
        let known = renditions.filter { $0.playlist != nil }
        let plans = Dictionary(
            zip(known.map(\.id), try RenditionPlan.all(of: known)), uniquingKeysWith: { first, _ in first })
        return renditions.map { ($0, plans[$0.id] ?? nil) }
    }

    /// - Parameter isWhole: all of the plan has to be there; false: only what the record says has come.
    /// - Throws: what the record says; `.cancelled`.
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
            // Not one resource of it is known: its playlist has not been read.
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

    /// What is in a rendition's folder, or why nobody can tell.
    private struct Files {
        var sizes: [String: Int64]
        var problem: String?
    }

    private func name(_ file: String, of rendition: RenditionRow) -> String {
        "\(package.folder)/\(rendition.name)/\(file)"
    }

    /// Nil: it is as it came, or need not be there yet.
    private func problem(
        _ item: PlanItem, _ row: ResourceRow?, _ files: Files, _ facts: FileFacts?, _ rendition: RenditionRow,
        isWhole: Bool, _ depth: Depth
    ) -> String? {
        guard let row else { return isWhole ? "the file was never downloaded" : nil }
        if let problem = files.problem { return problem }
        var path = folder.file(item.fileName, of: rendition)
        // Parts lie to the side until all of the file has come.
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

    /// Playlists that are not as they were written.
    ///
    /// - Parameter isWhole: the package's own has to be there.
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
            // The playlists are ours, so that it is known what they say.
            compare(
                folder.file(PackageNames.index, of: rendition), LocalPlaylists.media(rendition, plan: plan).text,
                name(PackageNames.index, of: rendition))
        }
        if isWhole, let text = try LocalPlaylists.indexText(of: package, record) {
            compare(folder.index, text, "\(package.folder)/\(PackageNames.index)")
        }
        return result
    }
}
