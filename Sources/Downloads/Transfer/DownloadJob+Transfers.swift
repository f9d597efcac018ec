import Foundation
import MediaCore
import Streaming

/// Fetching: which resource next, and what becomes of one that has come.
///
/// **Durable** is a resource in this order: its bytes are on the disk under a name to the side; the record says that it
/// is whole; it gets its name; the folder is on the disk. A process that ends between two of these steps leaves
/// something from which the next one goes on (`reconcile`). What has come at about the same time goes through the steps
/// together: a record's write to the disk costs as much as a resource's.
extension DownloadJob {
    // MARK: what is there

    /// Makes the disk and the record agree: what has come but not got its name gets it, what nobody knows goes.
    func reconcile() throws(DownloadError) {
        let folder = folder
        for rendition in renditions {
            let place = folder.folder(of: rendition.row)
            try DiskFile.makeFolder(place)
            var rows: [String: [ResourceRow]] = [:]
            var known: Set<String> = []
            for row in try engine.record.read({ try $0.resources(of: rendition.row.id) }) {
                rows[row.file, default: []].append(row)
            }
            var isRenamed = false
            var sizes = try DiskFile.contents(of: place)
            let whole = rendition.facts != nil ? Set(rendition.items.map(\.fileName)) : []
            var gone: [ResourceRow] = []
            for (file, list) in rows {
                let side = file + PackageNames.part
                if whole.contains(file) {
                    // Parts of one file: to the side until all have come.
                    let size = sizes[file] ?? sizes[side] ?? 0
                    known.insert(sizes[file] != nil ? file : side)
                    for row in list {
                        guard let index = rendition.place(of: row.kind, row.number) else { continue }
                        let end = (rendition.items[index].range?.offset ?? 0).addingSaturating(row.length)
                        if row.isComplete, end <= size {
                            rendition.complete(index, length: row.length)
                        } else if !row.isComplete, size > 0 {
                            rendition.begun[index] = row
                        } else {
                            gone.append(row)
                        }
                    }
                    continue
                }
                for row in list {
                    if row.isComplete, sizes[file] == row.length {
                        known.insert(file)
                    } else if row.isComplete, sizes[side] == row.length {
                        try DiskFile.rename(place.appending(side), place.appending(file))
                        sizes[side] = nil
                        sizes[file] = row.length
                        known.insert(file)
                        isRenamed = true
                    } else if !row.isComplete, let size = sizes[side], size > 0,
                        let index = rendition.place(of: row.kind, row.number)
                    {
                        known.insert(side)
                        rendition.begun[index] = row
                        continue
                    } else {
                        gone.append(row)
                        continue
                    }
                    if let index = rendition.place(of: row.kind, row.number) {
                        rendition.complete(index, length: row.length)
                    }
                }
            }
            if isRenamed { try DiskFile.syncFolder(place) }
            for name in sizes.keys where !known.contains(name) && name != PackageNames.index {
                try DiskFile.removeTree(place.appending(name))
            }
            if !gone.isEmpty {
                try engine.record.write { database in
                    for row in gone { try database.removeResource(row.rendition, row.kind, row.number) }
                }
            }
        }
        try engine.record.write { try $0.countBytes(of: self.package.id) }
        // Folders of renditions that nobody knows any more.
        let names = Set(
            try engine.record.read { try $0.renditions(where: "package = ?", [self.package.id]) }.map(\.name))
        let ours: Set = [PackageNames.index, PackageNames.lock]
        for name in try DiskFile.contents(of: folder.place).keys
        where !names.contains(name) && !ours.contains(name) && !name.hasPrefix(PackageNames.artwork) {
            try DiskFile.removeTree(folder.place.appending(name))
        }
    }

    // MARK: the next ones

    func fill() throws(DownloadError) {
        guard phase == .transferring else { return }
        guard engine.allowsNetwork(row.options) else {
            return wait(
                DownloadError(
                    .meteredNetwork, at: row.url.location, reason: "the network connection is metered",
                    suggestion:
                        "Connect to an unmetered network; in an app, you can set allowsMeteredNetwork in DownloadOptions or DownloadPolicy instead"
                ), again: 5_000_000_000)
        }
        if missingBytes > 0 { try engine.makeRoom(for: self, bytes: missingBytes) }
        if trouble?.code == .diskFull || trouble?.code == .quotaExceeded || trouble?.code == .meteredNetwork {
            becomesFree()
        }
        let mine = turn
        beginMore()
        // One that could not be begun has ended it all.
        guard turn == mine else { return }
        // Whoever puts something off need not think of who comes back to it.
        if let due = queue.due(after: engine.loop.now) { wake(at: due) }
        guard recording == nil else { return }
        if queue.isDone {
            try finish()
        } else if queue.isIdle {
            // Nothing is on its way for which it could wait.
            fail(
                DownloadError(
                    .damaged, at: folder.path,
                    reason: "the key or initialization section of some segments is missing",
                    suggestion: "Retry the download"))
        }
    }

    private func beginMore() {
        while transfers.count < engine.policy.simultaneousSegments, arrived.count < 64,
            let item = queue.next(at: engine.loop.now, isReady: isReady)
        {
            begin(item)
        }
    }

    private var missingBytes: Int64 {
        guard renditions.contains(where: { $0.missing > 0 }) else { return 0 }
        return max(0, row.progress.expectedBytes - renditions.reduce(Int64(0)) { $0.addingSaturating($1.bytes) })
    }

    private func isReady(_ item: ItemReference) -> Bool { renditions[item.rendition].isReady(item.place) }

    private func begin(_ item: ItemReference) {
        let rendition = renditions[item.rendition]
        let plan = rendition.items[item.place]
        guard let url = rendition.url(of: item.place) else {
            queue.wait(item, until: engine.loop.now)
            return checkFailed(
                item,
                DownloadError(
                    .notMedia, at: row.url.location, reason: "“\(plan.uri)” is not a valid URL",
                    suggestion: "Report the error to the publisher of the stream"))
        }
        let begun = rendition.begun[item.place]
        let side = folder.file(plan.fileName, of: rendition.row).part
        let isPart = rendition.facts != nil && rendition.items.count > 1
        let request = ItemTransfer.Request(
            url: credentials.authorized(url), options: httpOptions, path: side,
            fileOffset: isPart ? plan.range?.offset ?? 0 : 0,
            plan: transferPlan(item, side, isPart: isPart), isPart: isPart, limit: DownloadJob.limit(plan, rendition))
        let transfer = ItemTransfer(request, queue: engine.queue, loop: engine.loop, limits: [engine.limit, limit])
        let mine = turn
        let started = engine.loop.now
        var isKept = begun != nil
        transfer.onProgress = { [weak self, weak engine, weak transfer] bytes in
            DownloadJob.enter(self, engine, turn: mine) { job in
                job.progressed(bytes)
                // Whatever takes long is worth going on from, should the process end.
                if !isKept, let transfer, !transfer.version.isEmpty, job.engine.loop.now - started > 1_000_000_000 {
                    isKept = true
                    job.keep(item, transfer.plan)
                }
            }
        }
        transfer.onVersion = { [weak self, weak engine, weak transfer] in
            // It was begun with another one.
            guard isKept, let transfer else { return }
            DownloadJob.enter(self, engine, turn: mine) { $0.keep(item, transfer.plan) }
        }
        transfer.onNote = { [weak self, weak engine] text in
            DownloadJob.enter(self, engine, turn: mine) { $0.note(url, text) }
        }
        transfer.onEnd = { [weak self, weak engine, weak transfer] result in
            DownloadJob.enter(self, engine, turn: mine) { job in
                job.plans[item] = transfer?.plan
                job.transfers[item] = nil
                switch result {
                case .success(let arrived): job.came(ArrivedItem(item: item, arrived: arrived))
                case .failure(let error): job.failed(item, error)
                }
            }
        }
        transfers[item] = transfer
        transfer.start()
    }

    /// What of an item is wanted, and what an earlier try has left of it in the file `side`.
    private func transferPlan(_ item: ItemReference, _ side: DiskPath, isPart: Bool) -> TransferPlan {
        let rendition = renditions[item.rendition]
        let plan = rendition.items[item.place]
        if let known = plans[item], known.received == 0 || DiskFile.size(side) != nil { return known }
        var facts = ResourceFacts()
        var range = plan.range
        var received: Int64 = 0
        let begun = rendition.begun[item.place].flatMap { $0.validator.isEmpty ? nil : $0 }
        let size = DiskFile.size(side) ?? 0
        if let file = rendition.facts {
            facts.length = file.size
            facts.validator = file.validator
            facts.entityTag = facts.entityTag ?? file.weakTag
            facts.ranges = file.acceptsRanges ? .accepted : .refused
            if !isPart, !file.acceptsRanges { range = nil }
            if let begun, let earlier = facts.continued(from: begun.validator) {
                facts = earlier
                let start = isPart ? range?.offset ?? 0 : 0
                // Other parts lie behind this one: the file's size does not tell how far this one came.
                received = isPart ? min(begun.length, max(0, size - start)) : size
            }
        } else if let begun {
            facts.version = begun.validator
            received = size
        } else {
            try? DiskFile.remove(side)
        }
        if let range, received > range.length { received = 0 }
        return TransferPlan(
            from: range?.offset ?? 0, to: range?.end, received: received, facts: facts,
            earlierBytes: rendition.facts == nil ? .discarded : .kept)
    }

    /// Whatever is done about it, it waits again from here on: nothing that failed is forgotten.
    private func failed(_ item: ItemReference, _ failure: ItemTransfer.Failure) {
        queue.wait(item, until: engine.loop.now)
        itemFailed(item, failure)
    }

    /// Ends what is under way; its beginnings are kept, and it is fetched again.
    func stopTransfers() {
        for (item, transfer) in transfers {
            transfer.cancel()
            plans[item] = transfer.plan
        }
        transfers = [:]
        keepBegun()
        queue.stopRunning()
    }

    /// What is no segment of the promised kind ends, and does not fill the disk.
    private static func limit(_ item: PlanItem, _ rendition: ActiveRendition) -> Int64 {
        if rendition.facts != nil { return .max }
        switch item.kind {
        case .key: return 4096
        case .initialization: return 16 << 20
        case .segment, .part:
            let promised = Int64(saturating: max(1, item.seconds) * max(rendition.row.bitRate, 2_000_000) / 8)
            return max(
                item.range?.length ?? 0,
                min(512 << 20, promised.multipliedSaturating(by: 16).addingSaturating(16 << 20)))
        }
    }

    /// - Parameter length: how many of the item's bytes are on the disk for good; of a file's part alone.
    private func keep(_ item: ItemReference, _ plan: TransferPlan, length: Int64 = 0) {
        let rendition = renditions[item.rendition]
        let row = ResourceRow(
            rendition: rendition.row.id, kind: rendition.items[item.place].kind,
            number: rendition.items[item.place].number, file: rendition.items[item.place].fileName,
            length: length, digest: .none, isComplete: false, validator: plan.facts.version)
        rendition.begun[item.place] = row
        try? engine.record.write { try $0.store(row) }
    }

    /// Records what has come of items that are not whole, whether they failed or were stopped, so that a later try
    /// continues behind it, also in another process.
    private func keepBegun() {
        for (item, plan) in plans where plan.received > 0 && !plan.facts.version.isEmpty {
            let rendition = renditions[item.rendition]
            guard !rendition.isComplete[item.place] else { continue }
            guard rendition.facts != nil, rendition.items.count > 1 else {
                keep(item, plan)
                continue
            }
            let side = folder.file(rendition.items[item.place].fileName, of: rendition.row).part
            do throws(DownloadError) {
                try DiskFile.Handle(side).sync()
                keep(item, plan, length: plan.received)
            } catch {
                // It is loaded again.
                continue
            }
        }
    }

    /// Reports once for each resource what is odd about its server's answers.
    private func note(_ url: URL, _ text: String) {
        let location = url.location
        guard noted.count < 1000, noted.insert(location).inserted else { return }
        engine.tell(.noted(row.id, DownloadError(.network, at: location, reason: text)))
    }

    // MARK: one has come

    private func came(_ item: ArrivedItem) {
        queue.arrived(item.item)
        let rendition = renditions[item.item.rendition]
        let plan = rendition.items[item.item.place]
        // The network has something to do while this one is looked at.
        let mine = turn
        if phase == .transferring { beginMore() }
        // One that could not be begun has ended it all.
        guard turn == mine else { return }
        // Its key turned out to be wrong meanwhile: without the next one it cannot be checked.
        guard isReady(item.item) else {
            queue.wait(item.item, until: engine.loop.now)
            return attempt { () throws(DownloadError) in try fill() }
        }
        do throws(DownloadError) {
            try check(item, rendition, plan)
        } catch {
            queue.wait(item.item, until: engine.loop.now)
            try? DiskFile.remove(folder.file(plan.fileName, of: rendition.row).part)
            plans[item.item] = nil
            return checkFailed(item, error)
        }
        arrived.append(item)
        // Behind whatever else has come by now.
        if arrived.count == 1 {
            let mine = turn
            engine.queue.async { [weak self, weak engine] in
                DownloadJob.enter(self, engine, turn: mine) { job in
                    job.commit()
                    job.attempt { () throws(DownloadError) in try job.fill() }
                }
            }
        }
        attempt { () throws(DownloadError) in try fill() }
    }

    private func check(_ item: ArrivedItem, _ rendition: ActiveRendition, _ plan: PlanItem) throws(DownloadError) {
        let location = rendition.url(of: item.item.place)?.location ?? plan.uri
        switch plan.kind {
        case .key:
            guard item.arrived.length <= 64,
                KeyStore.key(in: try item.arrived.file.bytes(item.arrived.length)) != nil
            else {
                throw DownloadError(
                    .keyMissing, at: location,
                    reason: "the key has \(item.arrived.length) bytes instead of 16",
                    suggestion: "Report the error to the publisher of the stream")
            }
        case .part:
            if let range = plan.range, item.arrived.length != range.length {
                throw DownloadError(
                    .network, at: location,
                    reason: "the server returned \(item.arrived.length) of \(range.length) bytes")
            }
        case .initialization, .segment:
            if let range = plan.range, item.arrived.length != range.length {
                throw DownloadError(
                    .network, at: location,
                    reason: "the server returned \(item.arrived.length) of \(range.length) bytes")
            }
            // Most segments are seen to be whole by that, and a demuxer costs many times as much.
            if plan.kind == .segment, plan.fileExtension == "ts", plan.key == nil, plan.initialization == nil,
                [.video, .audio].contains(rendition.row.kind), plan.seconds > 0,
                try SegmentCheck.isWhole(item.arrived.file, length: item.arrived.length, duration: plan.seconds)
            {
                return
            }
            var input = SegmentCheck.Input(
                bytes: try SegmentBytes(item.arrived.file, item.arrived.length),
                cipher: try rendition.cipher(of: item.item.place, in: folder),
                kind: plan.kind == .segment ? rendition.row.kind : .iFrames,
                fileExtension: plan.fileExtension, duration: plan.seconds, location: location)
            if let number = plan.initialization, let place = rendition.place(of: .initialization, number) {
                let section = try rendition.small(place, in: folder)
                input.initialization = try SegmentCheck.decrypted(
                    section, rendition.cipher(of: place, in: folder), at: location)
            }
            try SegmentCheck.check(input)
        }
    }

    /// It is fetched again before anything that it decrypts is.
    func forgetKey(of item: ItemReference) {
        let rendition = renditions[item.rendition]
        guard let number = rendition.items[item.place].key, let place = rendition.place(of: .key, number),
            rendition.isComplete[place]
        else { return }
        lose(ItemReference(rendition: item.rendition, place: place))
    }

    /// Something that had come is not there any more, or is not what it should be: it is fetched again.
    func lose(_ item: ItemReference) {
        let rendition = renditions[item.rendition]
        let plan = rendition.items[item.place]
        rendition.lose(item.place)
        if rendition.facts == nil { try? DiskFile.remove(folder.file(plan.fileName, of: rendition.row)) }
        try? engine.record.write { try $0.removeResource(rendition.row.id, plan.kind, plan.number) }
        if queue.state(of: item) == nil { arrange() }
        queue.wait(item, until: engine.loop.now)
    }

    /// Puts what has come on the disk for good, in the steps told above.
    func commit() {
        guard !arrived.isEmpty else { return }
        let batch = arrived
        arrived = []
        attempt { () throws(DownloadError) in
            do throws(DownloadError) {
                try commit(batch)
            } catch {
                // Its bytes are there: it is gone on from.
                arrived = []
                for item in batch where queue.state(of: item.item) == .arrived {
                    queue.wait(item.item, until: engine.loop.now)
                }
                throw error
            }
        }
    }

    private func commit(_ batch: [ArrivedItem]) throws(DownloadError) {
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
        try engine.record.write { database in
            for row in rows { try database.store(row) }
            try database.execute(
                sql: "UPDATE package SET bytes = bytes + ? WHERE id = ?", arguments: [bytes, self.package.id])
        }
        package.bytes = package.bytes.addingSaturating(bytes)
        engine.packageGrew(package.id, by: bytes)
        var named: Set<Int> = []
        for (index, item) in batch.enumerated() where rows[index].kind != .part {
            let path = folder.file(rows[index].file, of: renditions[item.item.rendition].row)
            try DiskFile.rename(path.part, path)
            named.insert(item.item.rendition)
        }
        for index in named { try DiskFile.syncFolder(folder.folder(of: renditions[index].row)) }
        for item in batch {
            let rendition = renditions[item.item.rendition]
            rendition.complete(item.item.place, length: item.arrived.length)
            queue.done(item.item)
            plans[item.item] = nil
            failures[item.item] = nil
            checkFailures[item.item] = nil
            if item.item.rendition == 0, rendition.items[item.item.place].kind == .segment {
                tellLoaded(rendition, rendition.items[item.item.place])
            }
        }
        progressed(0)
    }

    private func tellLoaded(_ rendition: ActiveRendition, _ item: PlanItem) {
        guard let duration = rendition.plan?.duration else { return }
        engine.tell(.loaded(row.id, item.start..<item.start + item.seconds, all: rendition.loaded, whole: 0..<duration))
    }
}
