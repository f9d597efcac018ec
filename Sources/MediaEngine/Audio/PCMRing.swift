import Glibc
import Synchronization

/// A ring of sample frames between one producer and one consumer, neither of which ever locks.
///
/// Positions count frames since creation and never go back, so they serve as the sound's timeline.
package final class PCMRing: @unchecked Sendable {
    // The storage is guarded by the two positions: the producer writes only what is free, the consumer
    // reads only what is written, and each publishes its position after touching the samples.
    private let storage: UnsafeMutablePointer<Float>
    package let capacity: Int
    package let channels: Int
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    private let isProducerWaiting = Atomic<Bool>(false)
    private let space: UnsafeMutablePointer<sem_t>

    package init(channels: Int, capacity: Int) {
        self.channels = max(1, channels)
        self.capacity = max(1, capacity)
        storage = .allocate(capacity: self.capacity * self.channels)
        storage.initialize(repeating: 0, count: self.capacity * self.channels)
        space = .allocate(capacity: 1)
        sem_init(space, 0, 0)
    }

    deinit {
        storage.deallocate()
        sem_destroy(space)
        space.deallocate()
    }

    package var writtenFrames: Int { written.load(ordering: .acquiring) }
    package var readFrames: Int { read.load(ordering: .acquiring) }
    package var availableFrames: Int { writtenFrames - readFrames }
    package var freeFrames: Int { capacity - availableFrames }

    /// Producer: takes as many frames as fit.
    package func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        let at = written.load(ordering: .relaxed)
        let count = min(frames, capacity - (at - read.load(ordering: .acquiring)))
        guard count > 0 else { return 0 }
        let offset = at % capacity
        let first = min(count, capacity - offset)
        (storage + offset * channels).update(from: samples, count: first * channels)
        if count > first { storage.update(from: samples + first * channels, count: (count - first) * channels) }
        written.store(at + count, ordering: .releasing)
        return count
    }

    /// Consumer: up to `frames` frames, unless `target` is nil: then they are dropped.
    package func read(into target: UnsafeMutablePointer<Float>?, frames: Int) -> Int {
        let at = read.load(ordering: .relaxed)
        let count = min(frames, written.load(ordering: .acquiring) - at)
        guard count > 0 else { return 0 }
        if let target {
            let offset = at % capacity
            let first = min(count, capacity - offset)
            target.update(from: storage + offset * channels, count: first * channels)
            if count > first { (target + first * channels).update(from: storage, count: (count - first) * channels) }
        }
        read.store(at + count, ordering: .releasing)
        // A semaphore's post takes no lock (sem_post(3) is async-signal-safe).
        if isProducerWaiting.load(ordering: .sequentiallyConsistent) { sem_post(space) }
        return count
    }

    /// Producer: waits until `frames` fit, or `wakeProducer()`.
    package func waitForSpace(_ frames: Int) {
        isProducerWaiting.store(true, ordering: .sequentiallyConsistent)
        if freeFrames < min(frames, capacity) { sem_wait(space) }
        isProducerWaiting.store(false, ordering: .sequentiallyConsistent)
        while sem_trywait(space) == 0 {}
    }

    /// Any thread: ends a wait for space.
    package func wakeProducer() { sem_post(space) }
}
