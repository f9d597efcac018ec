import Foundation
import MediaCore
import Streaming

/// Every resource that a download still has to fetch: which comes next, which transfers run, and what each has left.
@DownloadActor
final class ItemTransfers {
    enum Event {
        /// New bytes; negative: bytes that were discarded.
        case progress(Int64)
        /// Something odd in a server's answer, which is used all the same. Once for each resource.
        case note(URL, String)
        /// All of it is here, neither checked nor recorded.
        case arrived(ArrivedItem)
        /// It waits again.
        case failed(ItemReference, ItemTransfer.Failure)
    }

    private let contents: DownloadContents
    private let loop: any NetworkLoop
    private let limits: [RateLimit]
    /// What is to be fetched, in the order of time, and where each of it stands.
    private var queue = ItemQueue()
    private var running: [ItemReference: ItemTransfer] = [:]
    /// Come, checked, and not yet recorded.
    private var held: [ArrivedItem] = []
    /// Of items that are not recorded as whole and whose transfer is over: what came of them, and what is known of the
    /// server's answers.
    private var plans: [ItemReference: TransferPlan] = [:]
    /// Resources of whose servers something odd has been reported.
    private var noted: Set<String> = []

    init(_ contents: DownloadContents, loop: any NetworkLoop, limits: [RateLimit]) {
        self.contents = contents
        self.loop = loop
        self.limits = limits
    }

    // MARK: the queue

    /// The plan has changed: what is in both keeps its state.
    func arrange() { queue = ItemQueue(contents.missing, keeping: queue) }

    /// The next one to be fetched, which counts as running from then on; nil: none may begin now.
    ///
    /// - Parameter most: how many run at once.
    func next(most: Int) -> ItemReference? {
        guard running.count < most, held.count < 64 else { return nil }
        return queue.next(at: loop.time) { contents.isReady($0) }
    }

    /// It is fetched again, from that time on.
    func wait(_ item: ItemReference, until time: HostTime) { queue.wait(item, until: time) }
    func done(_ item: ItemReference) {
        queue.done(item)
        plans[item] = nil
    }

    /// It is fetched again: it is not there any more.
    func lose(_ item: ItemReference) {
        if queue.state(of: item) == nil { arrange() }
        queue.wait(item, until: loop.time)
    }

    var isDone: Bool { queue.isDone }
    /// Nothing is under way, and nothing will be by itself.
    var isIdle: Bool { queue.isIdle }
    var isRunning: Bool { !running.isEmpty }
    /// When the first of those that wait may be fetched again, if that is later.
    var due: HostTime? { queue.due(after: loop.time) }
    /// Bytes that are not recorded yet.
    var arriving: Int64 {
        running.values.reduce(Int64(0)) { $0.addingSaturating($1.received) }
            + held.reduce(Int64(0)) { $0.addingSaturating($1.arrived.length) }
    }
    /// Failures of an item's transfers in a row; nil: none is known.
    func failuresInARow(_ item: ItemReference) -> Int? { plans[item]?.retry.failures }

    // MARK: transfers

    /// - Parameter report: called until the transfers are stopped.
    func begin(
        _ item: ItemReference, from url: URL, _ options: HTTPOptions, report: @escaping @DownloadActor (Event) -> Void
    ) {
        let rendition = contents.renditions[item.rendition]
        let side = contents.side(of: item)
        let isPart = rendition.isParted
        let request = ItemTransfer.Request(
            url: url, options: options, path: side,
            fileOffset: isPart ? rendition.items[item.place].range?.offset ?? 0 : 0,
            plan: plan(of: item, side, isPart: isPart), isPart: isPart, limit: rendition.limit(of: item.place))
        let transfer = ItemTransfer(request, loop: loop, limits: limits)
        let started = loop.time
        var isKept = rendition.begun[item.place] != nil
        transfer.onProgress = { [weak self, weak transfer] bytes in
            report(.progress(bytes))
            // Whatever takes long is worth going on from, should the process end.
            guard let self, !isKept, let transfer, !transfer.version.isEmpty,
                self.loop.time - started > 1_000_000_000
            else { return }
            isKept = true
            self.contents.keep(item, transfer.plan)
        }
        transfer.onVersion = { [weak self, weak transfer] in
            // It was begun with another one.
            guard isKept, let transfer else { return }
            self?.contents.keep(item, transfer.plan)
        }
        transfer.onNote = { [weak self] text in
            guard let self, self.noted.count < 1000, self.noted.insert(url.location).inserted else { return }
            report(.note(url, text))
        }
        transfer.onEnd = { [weak self, weak transfer] result in
            guard let self else { return }
            self.plans[item] = transfer?.plan
            self.running[item] = nil
            switch result {
            case .success(let arrived):
                self.queue.arrived(item)
                report(.arrived(ArrivedItem(item: item, arrived: arrived)))
            case .failure(let error):
                // Whatever is done about it, it waits again from here on: nothing that failed is forgotten.
                self.queue.wait(item, until: self.loop.time)
                report(.failed(item, error))
            }
        }
        running[item] = transfer
        transfer.start()
    }

    /// What of an item is wanted, and what an earlier try has left of it in the file `side`.
    private func plan(of item: ItemReference, _ side: DiskPath, isPart: Bool) -> TransferPlan {
        let rendition = contents.renditions[item.rendition]
        if let known = plans[item], known.received == 0 || DiskFile.size(side) != nil { return known }
        var facts = ResourceFacts()
        var range = rendition.items[item.place].range
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

    /// What came of it is of no use.
    func forget(_ item: ItemReference) {
        plans[item] = nil
        contents.forget(item)
    }

    /// Ends what is under way; its beginnings are kept, and it is fetched again.
    func stop() {
        for (item, transfer) in running {
            transfer.cancel()
            plans[item] = transfer.plan
        }
        running = [:]
        contents.keep(plans)
        queue.stopRunning()
    }

    /// Another plan: nothing is known of its resources. Nothing may run.
    func reset() {
        held = []
        plans = [:]
        queue = ItemQueue()
    }

    // MARK: what has come

    /// It is checked, and waits to be recorded.
    ///
    /// - Returns: whether it is the first one.
    func hold(_ item: ArrivedItem) -> Bool {
        held.append(item)
        return held.count == 1
    }

    /// What is to be recorded now.
    func takeHeld() -> [ArrivedItem] {
        defer { held = [] }
        return held
    }

    /// They could not be recorded. Their bytes are there, so it is gone on from them.
    func putBack(_ batch: [ArrivedItem]) {
        held = []
        for item in batch where queue.state(of: item.item) == .arrived {
            queue.wait(item.item, until: loop.time)
        }
    }
}

extension ActiveRendition {
    /// What is no segment of the promised kind ends, and does not fill the disk.
    fileprivate func limit(of place: Int) -> Int64 {
        if facts != nil { return .max }
        let item = items[place]
        switch item.kind {
        case .key: return 4096
        case .initialization: return 16 << 20
        case .segment, .part:
            let promised = Int64(saturating: max(1, item.seconds) * max(row.bitRate, 2_000_000) / 8)
            return max(
                item.range?.length ?? 0,
                min(512 << 20, promised.multipliedSaturating(by: 16).addingSaturating(16 << 20)))
        }
    }
}
