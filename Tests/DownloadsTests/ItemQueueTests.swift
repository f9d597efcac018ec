import MediaCore
import TestSupport
import Testing

@testable import Downloads

/// Tests the queue of items that a download still has to load, under random events and without threads.
@Suite("Download item queue") struct ItemQueueTests {
    /// A disk and a network whose failures depend on a seed.
    private struct World {
        var numbers: SeededNumbers
        var queue: ItemQueue
        let all: [ItemReference]
        var now = HostTime.zero
        /// The items that are on the disk and in the record.
        var disk: Set<ItemReference> = []
        var isFull = false
        var isPaused = false

        init(seed: UInt64, count: Int) {
            numbers = SeededNumbers(seed: seed)
            all = (0..<count).map { ItemReference(rendition: $0 % 3, place: $0 / 3) }
            queue = ItemQueue(all)
        }

        /// Returns whether the item's key is available. Every fifth item of a rendition is the key of the four after
        /// it.
        func isReady(_ item: ItemReference) -> Bool {
            let key = item.place / 5 * 5
            return item.place == key || disk.contains(ItemReference(rendition: item.rendition, place: key))
        }

        func items(_ isWanted: (ItemQueue.State) -> Bool) -> [ItemReference] {
            all.filter { queue.state(of: $0).map(isWanted) ?? false }
        }
        var running: [ItemReference] { items { $0 == .running } }
        var arrived: [ItemReference] { items { $0 == .arrived } }

        mutating func pick(_ items: [ItemReference]) -> ItemReference? {
            items.isEmpty ? nil : items[numbers.below(items.count)]
        }

        mutating func begin() {
            while !isPaused, running.count < 4, let item = queue.next(at: now, isReady: isReady) {
                #expect(isReady(item))
            }
        }

        mutating func commit() {
            let batch = arrived
            if isFull {
                for item in batch { queue.wait(item, until: now) }
                return
            }
            for item in batch {
                disk.insert(item)
                queue.done(item)
            }
        }

        /// Performs one random event.
        mutating func step() {
            now = now + Int64(numbers.below(2_000_000_000))
            switch numbers.below(14) {
            case 0: isFull = true
            case 1: isFull = false
            case 2:
                // A pause or a killed process: the items that are not on the disk are planned again.
                queue.stopRunning()
                queue = ItemQueue(all.filter { !disk.contains($0) })
                isPaused = numbers.below(2) == 0
            case 3: isPaused = false
            case 4: if let item = pick(running) { queue.wait(item, until: now + Int64(numbers.below(15_000_000_000))) }
            case 5: if let item = pick(arrived) { queue.wait(item, until: now) }
            case 6:
                // A wrong key, or a file that was removed.
                guard let item = pick(items { $0 == .done }) else { break }
                disk.remove(item)
                queue.wait(item, until: now)
            case 7: queue = ItemQueue(all.filter { !disk.contains($0) || queue.state(of: $0) != nil }, keeping: queue)
            case 8...11:
                guard let item = pick(running) else { break }
                if isFull {
                    queue.wait(item, until: now)
                    queue.stopRunning()
                } else {
                    queue.arrived(item)
                }
            default: commit()
            }
            begin()
        }
    }

    @Test("no item is lost in any order of failures", arguments: 0..<60 as Range<UInt64>)
    func conserved(_ seed: UInt64) {
        var world = World(seed: seed, count: 40)
        world.begin()
        for _ in 0..<400 {
            world.step()
            // Each item is on the disk, or in a state from which it will be loaded.
            for item in world.all {
                let state = world.queue.state(of: item)
                #expect((state ?? .done) == .done ? world.disk.contains(item) : !world.disk.contains(item))
            }
            #expect(world.queue.isDone == (world.disk.count == world.all.count))
            #expect(world.running.count <= 4)
        }
        // Without further failures, all items must be loaded in a number of steps that allows for retry delays.
        (world.isFull, world.isPaused) = (false, false)
        for _ in 0..<200 where !world.queue.isDone {
            world.begin()
            #expect(!world.queue.isIdle, "the queue is not idle")
            for item in world.running { world.queue.arrived(item) }
            world.commit()
            if let due = world.queue.due(after: world.now) { world.now = due }
        }
        #expect(world.queue.isDone && world.disk == Set(world.all))
    }

    @Test("a failed item is retried before new ones when due")
    func order() {
        let items = (0..<4).map { ItemReference(rendition: 0, place: $0) }
        var queue = ItemQueue(items)
        let (five, ten) = (HostTime(nanoseconds: 5), HostTime(nanoseconds: 10))
        #expect(queue.next(at: .zero) { _ in true } == items[0])
        queue.wait(items[0], until: ten)
        #expect(queue.next(at: five) { _ in true } == items[1])
        #expect(queue.due(after: five) == ten && queue.due(after: ten) == nil)
        #expect(queue.next(at: ten) { _ in true } == items[0])
        #expect(queue.next(at: ten) { _ in true } == items[2])
    }

    @Test("many failures at once stop the queue from starting everything")
    func brake() {
        var queue = ItemQueue((0..<10_000).map { ItemReference(rendition: 0, place: $0) })
        var begun = 0
        let later = HostTime(nanoseconds: 1_000)
        while let item = queue.next(at: .zero, isReady: { _ in true }) {
            begun += 1
            queue.wait(item, until: later)
        }
        #expect(begun == ItemQueue.mostWaiting && !queue.isDone && queue.due(after: .zero) == later)
    }
}
