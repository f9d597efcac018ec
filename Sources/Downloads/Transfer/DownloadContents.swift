import Foundation
import MediaCore
import Streaming

/// What a download has on the disk and in the record, compared with its plan: the only one that writes there while the
/// download runs.
///
/// **Durable** is a resource in this order: its bytes are on the disk under a name to the side; the record says that it
/// is whole; it gets its name; the folder is on the disk. A process that ends between two of these steps leaves
/// something from which the next one goes on (`reconcile`). What has come at about the same time goes through the steps
/// together: a record's write to the disk costs as much as a resource's.
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

    // MARK: its life

    /// Takes the package into this download's hands.
    ///
    /// - Returns: false: somebody else writes into it.
    func takeLock() throws(DownloadError) -> Bool {
        if lock == nil { lock = try folder.takeLock() }
        return lock != nil
    }

    /// Every playlist is known: what is planned, and what of it is there.
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

    /// More of a live stream is known.
    func grow(_ rows: [RenditionRow]) throws(DownloadError) {
        for row in rows {
            guard let rendition = renditions.first(where: { $0.row.id == row.id }) else { continue }
            rendition.take(try RenditionPlan(try row.mediaPlaylist(), kind: row.kind), row)
        }
    }

    /// The playlist of a rendition names its resources by other URLs.
    func replace(_ index: Int, _ row: RenditionRow) throws(DownloadError) {
        var rows = renditions.map(\.row)
        rows[index] = row
        if let plan = try RenditionPlan.all(of: rows)[index] { renditions[index].take(plan, row) }
    }

    func forgetPlan() { renditions = [] }

    /// Lets go of the package.
    func close() {
        renditions = []
        lock = nil
    }

    // MARK: what there is

    /// Where it goes while it is not whole.
    func side(of item: ItemReference) -> DiskPath {
        let rendition = renditions[item.rendition]
        return folder.file(rendition.items[item.place].fileName, of: rendition.row).part
    }

    func isReady(_ item: ItemReference) -> Bool { renditions[item.rendition].isReady(item.place) }

    /// What is missing, in the order of time, so that what has come can be played up to there; single pictures last.
    var missing: [ItemReference] {
        var all: [(start: Double, item: ItemReference)] = []
        for (index, rendition) in renditions.enumerated() {
            let isExtra = rendition.row.kind == .iFrames
            for place in rendition.items.indices where !rendition.isComplete[place] {
                all.append(
                    (isExtra ? .infinity : rendition.items[place].start, ItemReference(rendition: index, place: place)))
            }
        }
        all.sort { ($0.start, $0.item.rendition, $0.item.place) < ($1.start, $1.item.rendition, $1.item.place) }
        return all.map(\.item)
    }

    var isComplete: Bool { renditions.allSatisfy { $0.missing == 0 } }
    var bytes: Int64 { renditions.reduce(Int64(0)) { $0.addingSaturating($1.bytes) } }
    var expectedBytes: Int64 { renditions.reduce(Int64(0)) { $0.addingSaturating($1.expectedBytes) } }

    /// - Parameter arriving: bytes that are not recorded yet.
    func amounts(arriving: Int64, recordedSeconds: Double?) -> JobProgress.Amounts {
        let media = renditions.filter { $0.row.kind != .iFrames && $0.row.kind != .file }
        return JobProgress.Amounts(
            bytes: bytes.addingSaturating(arriving), isComplete: isComplete, seconds: media.map(\.seconds).min(),
            wholeSeconds: recordedSeconds ?? media.compactMap { $0.plan?.duration }.max() ?? 0)
    }

    // MARK: changes

    /// - Parameter length: how many of the item's bytes are on the disk for good; of a file's part alone.
    func keep(_ item: ItemReference, _ plan: TransferPlan, length: Int64 = 0) {
        let rendition = renditions[item.rendition]
        let row = ResourceRow(
            rendition: rendition.row.id, kind: rendition.items[item.place].kind,
            number: rendition.items[item.place].number, file: rendition.items[item.place].fileName,
            length: length, digest: .none, isComplete: false, validator: plan.facts.version)
        rendition.begin(item.place, row)
        try? record.write { try $0.store(row) }
    }

    /// Records what has come of items that are not whole, whether they failed or were stopped, so that a later try
    /// continues behind it, also in another process.
    func keep(_ plans: [ItemReference: TransferPlan]) {
        for (item, plan) in plans where plan.received > 0 && !plan.facts.version.isEmpty {
            let rendition = renditions[item.rendition]
            guard !rendition.isComplete[item.place] else { continue }
            guard rendition.isParted else {
                keep(item, plan)
                continue
            }
            do throws(DownloadError) {
                try DiskFile.Handle(side(of: item)).sync()
                keep(item, plan, length: plan.received)
            } catch {
                // It is loaded again.
                continue
            }
        }
    }

    /// The beginning of an item is of no use.
    func forget(_ item: ItemReference) {
        let rendition = renditions[item.rendition]
        rendition.begin(item.place, nil)
        try? DiskFile.remove(side(of: item))
        let plan = rendition.items[item.place]
        try? record.write { try $0.removeResource(rendition.row.id, plan.kind, plan.number) }
    }

    /// Something that had come is not there any more, or is not what it should be.
    func lose(_ item: ItemReference) {
        let rendition = renditions[item.rendition]
        let plan = rendition.items[item.place]
        rendition.lose(item.place)
        if rendition.facts == nil { try? DiskFile.remove(folder.file(plan.fileName, of: rendition.row)) }
        try? record.write { try $0.removeResource(rendition.row.id, plan.kind, plan.number) }
    }

    /// The item's key, if that has come.
    func key(of item: ItemReference) -> ItemReference? {
        let rendition = renditions[item.rendition]
        guard let number = rendition.items[item.place].key, let place = rendition.place(of: .key, number),
            rendition.isComplete[place]
        else { return nil }
        return ItemReference(rendition: item.rendition, place: place)
    }

    /// The file is loaded again: what has come of it is of no use with what comes now.
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

    // MARK: durable

    /// The first two steps: bytes on the disk, and the record.
    ///
    /// - Returns: how many bytes have come with it.
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

    /// The last two steps: names, and the folders that have them.
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

/// A resource whose bytes are here, checked or to be checked, and not yet recorded.
struct ArrivedItem {
    var item: ItemReference
    var arrived: ItemTransfer.Arrived
}
