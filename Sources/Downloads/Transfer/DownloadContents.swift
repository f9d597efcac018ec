import MediaCore
import Streaming

/// The files and database rows of a download, compared with its plan. While the download runs, no other download or
/// process writes to them.
///
/// A resource becomes **durable** in four steps:
/// 1. Its bytes are written to the disk under a temporary name.
/// 2. The database lists it as complete.
/// 3. The file gets its final name.
/// 4. The folder is written to the disk.
///
/// If the process ends between two steps, `reconcile` continues from there. Resources that arrive at about the same
/// time become durable together, because each database write takes as long as writing a resource.
@DownloadActor
final class DownloadContents {
    let folder: PackageFolder
    let record: DownloadRecord
    private var lock: FolderLock?
    private(set) var renditions: [ActiveRendition] = []

    init(_ folder: PackageFolder, _ record: DownloadRecord) {
        self.folder = folder
        self.record = record
    }

    // MARK: lock and plan

    /// Takes the lock of the package for this download.
    ///
    /// - Returns: False if another download or process writes to the package.
    func takeLock() throws(DownloadError) -> Bool {
        if lock == nil { lock = try folder.takeLock() }
        return lock != nil
    }

    /// Takes the plan after all playlists are loaded, and compares it with the files on the disk.
    func take(_ rows: [RenditionRow], of package: Int64) throws(DownloadError) {
        renditions = []
        let plans = try RenditionPlan.all(of: rows)
        for (row, plan) in zip(rows, plans) {
            guard let plan else {
                guard let facts = row.playlist.flatMap(FileFacts.init(stored:)) else {
                    throw DownloadError(
                        .record, at: folder.path, reason: "the download database's entry for the file can't be read")
                }
                renditions.append(ActiveRendition(row, facts: facts))
                continue
            }
            renditions.append(ActiveRendition(row, plan: plan))
        }
        try reconcile(package)
    }

    /// Takes playlists of a live stream with additional segments.
    func grow(_ rows: [RenditionRow]) throws(DownloadError) {
        for row in rows {
            guard let rendition = renditions.first(where: { $0.row.id == row.id }) else { continue }
            rendition.take(try RenditionPlan(try row.mediaPlaylist(), kind: row.kind), row)
        }
    }

    /// Takes a playlist with new URLs for the resources of a rendition.
    func replace(_ index: Int, _ row: RenditionRow) throws(DownloadError) {
        var rows = renditions.map(\.row)
        rows[index] = row
        if let plan = try RenditionPlan.all(of: rows)[index] { renditions[index].take(plan, row) }
    }

    func forgetPlan() { renditions = [] }

    /// Releases the package.
    func close() {
        renditions = []
        lock = nil
    }

    // MARK: items

    /// Returns the path of an item while it is incomplete.
    func temporaryPath(of item: ItemReference) -> DiskPath {
        let rendition = renditions[item.rendition]
        return folder.file(rendition.items[item.place].fileName, of: rendition.row).part
    }

    func isReady(_ item: ItemReference) -> Bool { renditions[item.rendition].isReady(item.place) }

    /// The missing items, sorted by the start of their media, so that the loaded media are playable without gaps.
    /// I-frames are last.
    var missing: [ItemReference] {
        var all: [(start: Double, item: ItemReference)] = []
        for (index, rendition) in renditions.enumerated() {
            let isExtra = rendition.row.kind == .iFrames
            for itemIndex in rendition.items.indices where !rendition.isComplete[itemIndex] {
                all.append(
                    (
                        isExtra ? .infinity : rendition.items[itemIndex].start,
                        ItemReference(rendition: index, place: itemIndex)
                    ))
            }
        }
        all.sort { ($0.start, $0.item.rendition, $0.item.place) < ($1.start, $1.item.rendition, $1.item.place) }
        return all.map(\.item)
    }

    var isComplete: Bool { renditions.allSatisfy { $0.missing == 0 } }
    /// Whether everything except for I-frames is complete.
    var isCompleteWithoutIFrames: Bool { renditions.allSatisfy { $0.missing == 0 || $0.row.kind == .iFrames } }
    var bytes: Int64 { renditions.reduce(Int64(0)) { $0.addingSaturating($1.bytes) } }
    var expectedBytes: Int64 { renditions.reduce(Int64(0)) { $0.addingSaturating($1.expectedBytes) } }

    /// Returns the progress of the download.
    ///
    /// - Parameters:
    ///   - arriving: The number of received bytes that are not recorded yet.
    ///   - recordedSeconds: The duration of a recording, in seconds, or nil if the download is not a recording.
    func amounts(arriving: Int64, recordedSeconds: Double?) -> JobProgress.Amounts {
        let media = renditions.filter { $0.row.kind != .iFrames && $0.row.kind != .file }
        return JobProgress.Amounts(
            bytes: bytes.addingSaturating(arriving), isComplete: isComplete, seconds: media.map(\.seconds).min(),
            wholeSeconds: recordedSeconds ?? media.compactMap { $0.plan?.duration }.max() ?? 0)
    }

    // MARK: changes

    /// Records that the first bytes of an item are on the disk.
    ///
    /// - Parameter length: The number of the item's bytes that are written to the disk. Only used for a part of a file.
    func keep(_ item: ItemReference, _ plan: TransferPlan, length: Int64 = 0) {
        let rendition = renditions[item.rendition]
        let row = ResourceRow(
            rendition: rendition.row.id, kind: rendition.items[item.place].kind,
            number: rendition.items[item.place].number, file: rendition.items[item.place].fileName,
            length: length, digest: .none, isComplete: false, validator: plan.facts.version)
        rendition.begin(item.place, row)
        try? record.write { try $0.store(row) }
    }

    /// Records the received bytes of incomplete items whose transfers failed or were stopped. A later try continues
    /// from these bytes, even in another process.
    func keep(_ plans: [ItemReference: TransferPlan]) {
        for (item, plan) in plans where plan.received > 0 && !plan.facts.version.isEmpty {
            let rendition = renditions[item.rendition]
            guard !rendition.isComplete[item.place] else { continue }
            guard rendition.isParted else {
                keep(item, plan)
                continue
            }
            do throws(DownloadError) {
                try DiskFile.Handle(temporaryPath(of: item)).sync()
                keep(item, plan, length: plan.received)
            } catch {
                // The part is loaded again.
                continue
            }
        }
    }

    /// Discards the bytes of an item, complete or not, because they are missing or have other contents. The item is
    /// then loaded from its start.
    func lose(_ item: ItemReference) {
        let rendition = renditions[item.rendition]
        let plan = rendition.items[item.place]
        rendition.lose(item.place)
        // The file of a part contains the other parts too, which may be complete. A transfer overwrites the part.
        if !rendition.isParted {
            let file = folder.file(plan.fileName, of: rendition.row)
            for path in [file.part, file] { try? DiskFile.remove(path) }
        }
        try? record.write { try $0.removeResource(rendition.row.id, plan.kind, plan.number) }
    }

    /// Returns the key of an item if the key is complete.
    func key(of item: ItemReference) -> ItemReference? {
        let rendition = renditions[item.rendition]
        guard let number = rendition.items[item.place].key, let keyIndex = rendition.place(of: .key, number),
            rendition.isComplete[keyIndex]
        else { return nil }
        return ItemReference(rendition: item.rendition, place: keyIndex)
    }

    /// Deletes all parts of the file, which cannot be combined with new ones.
    func forgetFile(of package: Int64) throws(DownloadError) {
        for rendition in renditions where rendition.facts != nil {
            let id = rendition.row.id
            try record.write { database in
                try database.execute(sql: "DELETE FROM resource WHERE rendition = ?", arguments: [id])
                try database.execute(sql: "UPDATE rendition SET playlist = NULL WHERE id = ?", arguments: [id])
                try database.countBytes(of: package)
            }
            try DiskFile.removeTree(folder.folder(of: rendition.row))
        }
    }

    // MARK: durability

    /// Takes the first two steps of durability: writes the bytes to the disk, and records the items.
    ///
    /// - Returns: The number of bytes of the items.
    func store(_ batch: [ArrivedItem], in package: Int64) throws(DownloadError) -> Int64 {
        for item in batch { try item.arrived.file.sync() }
        let rows = batch.map { item in
            let rendition = renditions[item.item.rendition]
            let plan = rendition.items[item.item.place]
            return ResourceRow(
                rendition: rendition.row.id, kind: plan.kind, number: plan.number, file: plan.fileName,
                length: item.arrived.length, digest: item.arrived.digest,
                isComplete: true, validator: item.arrived.validator)
        }
        let bytes = rows.reduce(Int64(0)) { $0.addingSaturating($1.length) }
        try record.write { database in
            for row in rows { try database.store(row) }
            try database.execute(
                sql: "UPDATE package SET bytes = bytes + ? WHERE id = ?", arguments: [bytes, package])
        }
        return bytes
    }

    /// Takes the last two steps of durability: renames the files, and writes their folders to the disk.
    func name(_ batch: [ArrivedItem]) throws(DownloadError) {
        var named: Set<Int> = []
        for item in batch {
            let rendition = renditions[item.item.rendition]
            let plan = rendition.items[item.item.place]
            guard plan.kind != .part else { continue }
            let path = folder.file(plan.fileName, of: rendition.row)
            try DiskFile.rename(path.part, path)
            named.insert(item.item.rendition)
        }
        for index in named { try DiskFile.syncFolder(folder.folder(of: renditions[index].row)) }
    }

    func complete(_ item: ArrivedItem) {
        renditions[item.item.rendition].complete(item.item.place, length: item.arrived.length)
    }
}

/// A resource whose bytes have been received but are not recorded yet, whether checked or not.
struct ArrivedItem {
    var item: ItemReference
    var arrived: ItemTransfer.Arrived
}
