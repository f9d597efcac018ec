import Glibc
import Synchronization

/// A ring buffer of audio frames between one producer and one consumer, without locks.
///
/// Positions count frames since creation, so they serve as the audio's timeline. The last `history` frames that were
/// read remain available, so that the consumer can return to frames that were not heard.
package final class PCMRing: @unchecked Sendable {
    // The two positions guard the storage. The producer writes only free frames, and the consumer reads only written
    // ones. Each publishes its position after accessing the samples.
    private let storage: UnsafeMutablePointer<Float>
    private let slots: Int
    package let capacity: Int
    package let history: Int
    package let channels: Int
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    /// The largest position ever read. Used by the consumer only. The producer may have overwritten the frames that are
    /// more than `history` before this position.
    private var deepest = 0
    private let isProducerWaiting = Atomic<Bool>(false)
    private let space: UnsafeMutablePointer<sem_t>

    /// Creates a ring buffer.
    ///
    /// - Parameters:
    ///   - channels: The number of channels.
    ///   - capacity: The number of frames by which the producer may be ahead of the consumer.
    ///   - history: The number of frames by which the consumer may go back.
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
        // The read position is loaded first. It cannot pass the written one, so the difference is never negative.
        let from = readFrames
        return writtenFrames - from
    }
    package var freeFrames: Int { max(0, capacity - availableFrames) }

    /// Writes as many frames as fit. Called by the producer.
    ///
    /// - Returns: The number of frames written.
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

    /// Reads up to `frames` frames, or discards them if `target` is `nil`. Called by the consumer.
    ///
    /// - Returns: The number of frames read.
    package func read(into target: UnsafeMutablePointer<Float>?, frames: Int) -> Int {
        let at = read.load(ordering: .relaxed)
        let count = min(frames, written.load(ordering: .acquiring) - at)
        guard count > 0 else { return 0 }
        if let target { _ = copy(from: at, into: target, frames: count) }
        publish(at + count)
        return count
    }

    /// Copies the available frames from `frame` on without reading them. Called by the consumer.
    ///
    /// - Returns: The number of frames copied; 0 if `frame` is no longer available or not written yet.
    package func copy(from frame: Int, into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let count = min(frames, written.load(ordering: .acquiring) - frame)
        guard count > 0, frame >= oldestFrame else { return 0 }
        let offset = frame % slots
        let first = min(count, slots - offset)
        target.update(from: storage + offset * channels, count: first * channels)
        if count > first { (target + first * channels).update(from: storage, count: (count - first) * channels) }
        return count
    }

    /// The first frame to which the consumer can return. Called by the consumer.
    package var oldestFrame: Int { max(0, max(deepest, read.load(ordering: .relaxed)) - history) }

    /// Moves to `frame`, forward or back, or to the nearest available frame. Called by the consumer.
    ///
    /// - Returns: The new position.
    @discardableResult
    package func move(to frame: Int) -> Int {
        let newPosition = min(max(frame, oldestFrame), written.load(ordering: .acquiring))
        publish(newPosition)
        return newPosition
    }

    private func publish(_ position: Int) {
        deepest = max(deepest, position)
        read.store(position, ordering: .releasing)
        // Together with the producer's check for space, this is Dekker's handshake. Each side writes its own variable
        // before it reads the other's, so at least one of them sees the change.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        // `sem_post` takes no lock: it is async-signal-safe (sem_post(3)).
        if isProducerWaiting.exchange(false, ordering: .acquiringAndReleasing) { sem_post(space) }
    }

    /// Waits until there is space for `frames` frames (or for the whole ring, if that is less), or until
    /// `wakeProducer()` is called. A call before the wait is not lost. Called by the producer.
    package func waitForSpace(_ frames: Int) {
        let needed = min(frames, capacity)
        while true {
            isProducerWaiting.store(true, ordering: .releasing)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            if freeFrames >= needed || isWoken.exchange(false, ordering: .acquiringAndReleasing) { break }
            while sem_wait(space) != 0, errno == EINTR {}
        }
        isProducerWaiting.store(false, ordering: .releasing)
        // Remove posts for which no thread waits any more. They would make the next wait check the space more often
        // than needed.
        while sem_trywait(space) == 0 {}
    }

    private let isWoken = Atomic<Bool>(false)

    /// Ends the current wait for space, or else the next one. Thread-safe.
    package func wakeProducer() {
        isWoken.store(true, ordering: .releasing)
        sem_post(space)
    }
}
