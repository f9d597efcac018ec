import Foundation
import MediaCore
import Streaming

/// The transfers of a download: the resources that are still to be loaded, the transfers that run, and the bytes that
/// each has received.
@DownloadActor
final class ItemTransfers {
    enum Event {
        /// The number of new bytes, or, if negative, the number of bytes that were discarded.
        case progress(Int64)
        /// A server's response is incorrect but usable. Reported once for each resource.
        case note(URL, String)
        /// All bytes of an item are received, but neither checked nor recorded.
        case arrived(ArrivedItem)
        /// A transfer failed, and its item waits again.
        case failed(ItemReference, ItemTransfer.Failure)
    }

    private let contents: DownloadContents
    private let loop: any NetworkLoop
    private let limits: [RateLimit]
    /// The items to load, sorted by the start of their media, each with its state.
    private var queue = ItemQueue()
    private var running: [ItemReference: ItemTransfer] = [:]
    /// The items that are received and checked but not recorded yet.
    private var held: [ArrivedItem] = []
    /// The plans of incomplete items whose transfer has ended: the received bytes, and the known facts about the
    /// server.
    private var plans: [ItemReference: TransferPlan] = [:]
    /// The resources whose incorrect responses have been reported.
    private var noted: Set<String> = []

    init(_ contents: DownloadContents, loop: any NetworkLoop, limits: [RateLimit]) {
        self.contents = contents
        self.loop = loop
        self.limits = limits
    }

    // MARK: queue

    /// Updates the queue after a change of the plan. Items that stay in the plan keep their state.
    func arrange() { queue = ItemQueue(contents.missing, keeping: queue) }

    /// Returns the next item to load and sets its state to running. Returns nil if no item may start now.
    ///
    /// - Parameter most: The maximum number of simultaneous transfers.
    func next(most: Int) -> ItemReference? {
        guard running.count < most, held.count < 64 else { return nil }
        return queue.next(at: loop.time) { contents.isReady($0) }
    }

    /// Lets an item wait, to be loaded again from `time` on.
    func wait(_ item: ItemReference, until time: HostTime) { queue.wait(item, until: time) }
    func done(_ item: ItemReference) {
        queue.done(item)
        plans[item] = nil
    }

    /// Loads an item again, because its file is missing.
    func lose(_ item: ItemReference) {
        if queue.state(of: item) == nil { arrange() }
        queue.wait(item, until: loop.time)
    }

    var isDone: Bool { queue.isDone }
    /// Whether no item is running, waiting or arrived, so that no state changes without a call.
    var isIdle: Bool { queue.isIdle }
    var isRunning: Bool { !running.isEmpty }
    /// The earliest later time at which a waiting item may be loaded again, or nil if there is none.
    var due: HostTime? { queue.due(after: loop.time) }
    /// The number of received bytes that are not recorded yet.
    var arriving: Int64 {
        running.values.reduce(Int64(0)) { $0.addingSaturating($1.received) }
            + held.reduce(Int64(0)) { $0.addingSaturating($1.arrived.length) }
    }
    /// Returns the number of consecutive failures of an item's transfers, or nil if it is unknown.
    func failuresInARow(_ item: ItemReference) -> Int? { plans[item]?.retry.failures }

    // MARK: transfers

    /// Starts the transfer of an item.
    ///
    /// - Parameter report: A closure that is called with each event until the transfers are stopped.
    func begin(
        _ item: ItemReference, from url: URL, _ options: HTTPOptions, report: @escaping @DownloadActor (Event) -> Void
    ) {
        let rendition = contents.renditions[item.rendition]
        let temporary = contents.temporaryPath(of: item)
        let isPart = rendition.isParted
        let request = ItemTransfer.Request(
            url: url, options: options, path: temporary,
            fileOffset: isPart ? rendition.items[item.place].range?.offset ?? 0 : 0,
            plan: plan(of: item, temporary, isPart: isPart), isPart: isPart, limit: rendition.limit(of: item.place))
        let transfer = ItemTransfer(request, loop: loop, limits: limits)
        let started = loop.time
        var isKept = rendition.begun[item.place] != nil
        transfer.onProgress = { [weak self, weak transfer] bytes in
            report(.progress(bytes))
            // Record the first bytes of a slow transfer, so that a later process can continue from them.
            guard let self, !isKept, let transfer, !transfer.version.isEmpty,
                self.loop.time - started > 1_000_000_000
            else { return }
            isKept = true
            self.contents.keep(item, transfer.plan)
        }
        transfer.onVersion = { [weak self, weak transfer] in
            // The database has the version of an earlier response.
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
                // Set the item to waiting before `report` handles the failure, so that no failed item is lost.
                self.queue.wait(item, until: self.loop.time)
                report(.failed(item, error))
            }
        }
        running[item] = transfer
        transfer.start()
    }

    /// Returns the plan for an item: the range to load, and the number of bytes that an earlier try left in the file
    /// `temporary`.
    private func plan(of item: ItemReference, _ temporary: DiskPath, isPart: Bool) -> TransferPlan {
        let rendition = contents.renditions[item.rendition]
        if let known = plans[item], known.received == 0 || DiskFile.size(temporary) != nil { return known }
        var facts = ResourceFacts()
        var range = rendition.items[item.place].range
        var received: Int64 = 0
        let begun = rendition.begun[item.place].flatMap { $0.validator.isEmpty ? nil : $0 }
        let size = DiskFile.size(temporary) ?? 0
        if let file = rendition.facts {
            facts.length = file.size
            facts.validator = file.validator
            facts.entityTag = facts.entityTag ?? file.weakTag
            facts.ranges = file.acceptsRanges ? .accepted : .refused
            if !isPart, !file.acceptsRanges { range = nil }
            if let begun, let earlier = facts.continued(from: begun.validator) {
                facts = earlier
                let start = isPart ? range?.offset ?? 0 : 0
                // Later parts follow in the same file, so its size does not show how many bytes of this part were
                // received.
                received = isPart ? min(begun.length, max(0, size - start)) : size
            }
        } else if let begun {
            facts.version = begun.validator
            received = size
        } else {
            try? DiskFile.remove(temporary)
        }
        if let range, received > range.length { received = 0 }
        return TransferPlan(
            from: range?.offset ?? 0, to: range?.end, received: received, facts: facts,
            earlierBytes: rendition.facts == nil ? .discarded : .kept)
    }

    /// Discards the received bytes of an item.
    func forget(_ item: ItemReference) {
        plans[item] = nil
        contents.lose(item)
    }

    /// Stops all transfers. Their bytes are kept, and their items are loaded again.
    func stop() {
        for (item, transfer) in running {
            transfer.cancel()
            plans[item] = transfer.plan
        }
        running = [:]
        contents.keep(plans)
        queue.stopRunning()
    }

    /// Clears the queue for another plan. No transfer may be running.
    func reset() {
        held = []
        plans = [:]
        queue = ItemQueue()
    }

    // MARK: received items

    /// Holds a checked item until it is recorded.
    ///
    /// - Returns: Whether it is the first held item.
    func hold(_ item: ArrivedItem) -> Bool {
        held.append(item)
        return held.count == 1
    }

    /// Returns the held items, which are to be recorded now, and clears the list.
    func takeHeld() -> [ArrivedItem] {
        defer { held = [] }
        return held
    }

    /// Loads items again that could not be recorded. Their bytes are on the disk, so the transfers continue from them.
    func putBack(_ batch: [ArrivedItem]) {
        held = []
        for item in batch where queue.state(of: item.item) == .arrived {
            queue.wait(item.item, until: loop.time)
        }
    }
}

extension ActiveRendition {
    /// Returns the maximum size of an item, in bytes. A response that is not the promised segment must not fill the
    /// disk.
    fileprivate func limit(of index: Int) -> Int64 {
        if facts != nil { return .max }
        let item = items[index]
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
