import Glibc
import Synchronization

/// A ring of sample frames between one producer and one consumer, neither of which ever locks.
///
/// Positions count frames since creation, so they serve as the sound's timeline. What was read stays
/// for `history` frames more: the consumer may go back to what it took but nobody heard.
package final class PCMRing: @unchecked Sendable {
    // The storage is guarded by the two positions: the producer writes only what is free, the consumer
    // reads only what is written, and each publishes its position after touching the samples.
    private let storage: UnsafeMutablePointer<Float>
    private let slots: Int
    package let capacity: Int
    package let history: Int
    package let channels: Int
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    /// The consumer's own: how far it has ever read. The producer may have overwritten what lies more
    /// than `history` behind that.
    private var deepest = 0
    private let isProducerWaiting = Atomic<Bool>(false)
    private let space: UnsafeMutablePointer<sem_t>

    /// - Parameters:
    ///   - capacity: frames the producer may be ahead of the consumer.
    ///   - history: frames the consumer may go back.
    package init(channels: Int, capacity: Int, history: Int = 0) {
        self.channels = max(1, channels)
        self.capacity = max(1, capacity)
        self.history = max(0, history)
        slots = self.capacity + self.history
        storage = .allocate(capacity: slots * self.channels)
        storage.initialize(repeating: 0, count: slots * self.channels)
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
    package var availableFrames: Int {
        // Read first: it cannot pass what is written, so the difference is never negative.
        let from = readFrames
        return writtenFrames - from
    }
    package var freeFrames: Int { max(0, capacity - availableFrames) }

    /// Producer: takes as many frames as fit.
    package func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        let at = written.load(ordering: .relaxed)
        let count = min(frames, capacity - (at - read.load(ordering: .acquiring)))
        guard count > 0 else { return 0 }
        let offset = at % slots
        let first = min(count, slots - offset)
        (storage + offset * channels).update(from: samples, count: first * channels)
        if count > first { storage.update(from: samples + first * channels, count: (count - first) * channels) }
        written.store(at + count, ordering: .releasing)
        return count
    }

    /// Consumer: up to `frames` frames; into nowhere (dropped) when `target` is nil.
    package func read(into target: UnsafeMutablePointer<Float>?, frames: Int) -> Int {
        let at = read.load(ordering: .relaxed)
        let count = min(frames, written.load(ordering: .acquiring) - at)
        guard count > 0 else { return 0 }
        if let target { _ = copy(from: at, into: target, frames: count) }
        publish(at + count)
        return count
    }

    /// Consumer: the frames from `frame` on as far as the ring has them, without taking them.
    /// Returns how many; 0 when `frame` itself is gone or not written yet.
    package func copy(from frame: Int, into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let count = min(frames, written.load(ordering: .acquiring) - frame)
        guard count > 0, frame >= oldestFrame else { return 0 }
        let offset = frame % slots
        let first = min(count, slots - offset)
        target.update(from: storage + offset * channels, count: first * channels)
        if count > first { (target + first * channels).update(from: storage, count: (count - first) * channels) }
        return count
    }

    /// Consumer: the first frame that can still be gone back to.
    package var oldestFrame: Int { max(0, max(deepest, read.load(ordering: .relaxed)) - history) }

    /// Consumer: goes to `frame`, forward or back, as near as the ring has it. Returns where it stands.
    @discardableResult
    package func move(to frame: Int) -> Int {
        let there = min(max(frame, oldestFrame), written.load(ordering: .acquiring))
        publish(there)
        return there
    }

    private func publish(_ position: Int) {
        deepest = max(deepest, position)
        read.store(position, ordering: .releasing)
        // Against the producer's "I wait, is there room?" this is Dekker's handshake: each side writes its
        // own word before it reads the other's, so one of them sees.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        // A semaphore's post takes no lock (sem_post(3) is async-signal-safe).
        if isProducerWaiting.exchange(false, ordering: .acquiringAndReleasing) { sem_post(space) }
    }

    /// Producer: waits until the consumer has made room for `frames` (or for the whole ring, if that is
    /// less), or for `wakeProducer()`. A wake that came before the wait is not lost.
    package func waitForSpace(_ frames: Int) {
        let needed = min(frames, capacity)
        while true {
            isProducerWaiting.store(true, ordering: .releasing)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            if freeFrames >= needed || isWoken.exchange(false, ordering: .acquiringAndReleasing) { break }
            while sem_wait(space) != 0, errno == EINTR {}
        }
        isProducerWaiting.store(false, ordering: .releasing)
        // Posts nobody waits for any more: they would only make the next wait look twice.
        while sem_trywait(space) == 0 {}
    }

    private let isWoken = Atomic<Bool>(false)

    /// Any thread: ends a wait for space, the present one or else the next.
    package func wakeProducer() {
        isWoken.store(true, ordering: .releasing)
        sem_post(space)
    }
}
