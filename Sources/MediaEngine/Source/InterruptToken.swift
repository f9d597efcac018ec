import CFFmpeg
import MediaCore
import Synchronization

/// A token with which another thread interrupts a blocking libavformat call. Every read calls `interrupt_callback`.
/// Thread-safe.
package final class InterruptToken: Sendable {
    private let flag = Atomic<Bool>(false)
    private let preempted = Atomic<Bool>(false)
    private let holdsPreemption = Atomic<Bool>(false)
    /// The time after which the call has timed out, in nanoseconds of CLOCK_MONOTONIC; 0 for no limit.
    private let deadline = Atomic<Int64>(0)
    /// The token whose interruptions apply to this one too.
    private let leader = Mutex<InterruptToken?>(nil)
    private struct Waker {
        let number: Int
        let wake: @Sendable () -> Void?
    }
    private let wakers = Mutex<(all: [ObjectIdentifier: Waker], next: Int)>(([:], 0))

    package init() {}
    deinit { leader.withLock { $0 }?.removeWaker(self) }

    /// Makes interruptions and preemptions of `other` apply to this token too.
    func follow(_ other: InterruptToken) {
        leader.withLock { $0 = other }
        other.addWaker(self) { [weak self] in self?.wake() }
    }

    /// Interrupts all reads until `reset()`.
    ///
    /// - Parameter wakes: Whether to call `wake()`. If `false`, the caller calls it after it has released its locks.
    package func interrupt(wakes: Bool = true) {
        flag.store(true, ordering: .releasing)
        if wakes { wake() }
    }
    /// Ends waits for media, because a seek is pending. Reading available data is still allowed.
    ///
    /// - Parameter wakes: See `interrupt(wakes:)`.
    func preempt(wakes: Bool = true) {
        preempted.store(true, ordering: .releasing)
        if wakes { wake() }
    }
    /// Ends the preemption when its seek has begun.
    func resume() { preempted.store(false, ordering: .releasing) }
    var isPreempted: Bool {
        preempted.load(ordering: .acquiring) && !holdsPreemption.load(ordering: .acquiring)
            || leader.withLock { $0 }?.isPreempted == true
    }

    /// Runs `body`, for example the opening of a container, which is needed for any seek target. A preemption takes
    /// effect after `body` returns. Called on the reading thread; calls must not be nested.
    func withoutPreemption<T>(_ body: () throws(AVError) -> T) throws(AVError) -> T {
        holdsPreemption.store(true, ordering: .releasing)
        defer { holdsPreemption.store(false, ordering: .releasing) }
        return try body()
    }

    package func reset() { flag.store(false, ordering: .releasing) }
    package func setDeadline(_ ns: Int64) {
        deadline.store(ns, ordering: .releasing)
        wake()
    }

    /// The time limit in nanoseconds of CLOCK_MONOTONIC; `.max` for no limit.
    package var limit: Int64 {
        let limit = deadline.load(ordering: .acquiring)
        return limit == 0 ? .max : limit
    }

    /// Adds a closure for a source that waits instead of polling. The closure is called on any thread when this token
    /// changes. It is removed when it returns `nil`, because its owner was released.
    func addWaker(_ owner: AnyObject, _ wake: @escaping @Sendable () -> Void?) {
        wakers.withLock { wakers in
            wakers.all[ObjectIdentifier(owner)] = Waker(number: wakers.next, wake: wake)
            wakers.next += 1
        }
    }
    func removeWaker(_ owner: AnyObject) {
        wakers.withLock { _ = $0.all.removeValue(forKey: ObjectIdentifier(owner)) }
    }
    func wake() {
        let all = wakers.withLock { $0.all }
        let released = all.filter { $0.value.wake() == nil }
        guard !released.isEmpty else { return }
        wakers.withLock { wakers in
            // A new owner can have the identifier of a released one.
            for (owner, waker) in released where wakers.all[owner]?.number == waker.number { wakers.all[owner] = nil }
        }
    }

    package var isInterrupted: Bool { flag.load(ordering: .acquiring) || leader.withLock { $0 }?.isInterrupted == true }
    package var isOverTime: Bool {
        let limit = deadline.load(ordering: .acquiring)
        return limit != 0 && HostClock.now() > limit
    }

    /// Makes `context` use this token. The token must outlive the context.
    func install(in context: UnsafeMutablePointer<AVFormatContext>) {
        context.pointee.interrupt_callback.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.interrupt_callback.callback = { opaque in
            guard let opaque else { return 0 }
            let token = Unmanaged<InterruptToken>.fromOpaque(opaque).takeUnretainedValue()
            return token.isInterrupted || token.isOverTime ? 1 : 0
        }
    }
}
