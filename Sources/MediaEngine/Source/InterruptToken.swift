import CFFmpeg
import MediaCore
import Synchronization

/// Lets another thread break a blocking libavformat call: every read polls `interrupt_callback`.
package final class InterruptToken: Sendable {
    private let flag = Atomic<Bool>(false)
    private let preempted = Atomic<Bool>(false)
    private let holdsPreemption = Atomic<Bool>(false)
    /// CLOCK_MONOTONIC nanoseconds after which the call is over time; 0: no limit.
    private let deadline = Atomic<Int64>(0)
    /// Whose word counts for this one too.
    private let leader = Mutex<InterruptToken?>(nil)
    private let wakers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    package init() {}
    deinit { leader.withLock { $0 }?.removeWaker(self) }

    /// From now on what `other` is told counts for whoever waits by this one too.
    func follow(_ other: InterruptToken) {
        leader.withLock { $0 = other }
        other.addWaker(self) { [weak self] in self?.wake() }
    }

    /// - Parameter wakes: false: the caller calls `wake` itself, when nothing is locked.
    package func interrupt(wakes: Bool = true) {
        flag.store(true, ordering: .releasing)
        if wakes { wake() }
    }
    /// The reader is wanted for a seek: it is not to wait any longer, but may read what is there.
    /// - Parameter wakes: see `interrupt`.
    func preempt(wakes: Bool = true) {
        preempted.store(true, ordering: .releasing)
        if wakes { wake() }
    }
    /// The seek it was wanted for has begun.
    func resume() { preempted.store(false, ordering: .releasing) }
    var isPreempted: Bool {
        preempted.load(ordering: .acquiring) && !holdsPreemption.load(ordering: .acquiring)
            || leader.withLock { $0 }?.isPreempted == true
    }

    /// Runs `body`, which has to succeed whatever place is wanted (opening a container): a preemption counts only after
    /// it. The reading thread; not nested.
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

    /// CLOCK_MONOTONIC nanoseconds; `.max`: no limit.
    package var limit: Int64 {
        let limit = deadline.load(ordering: .acquiring)
        return limit == 0 ? .max : limit
    }

    /// A source that waits instead of polling is woken by `wake` when this token has changed, on any thread.
    func addWaker(_ owner: AnyObject, _ wake: @escaping @Sendable () -> Void) {
        wakers.withLock { $0[ObjectIdentifier(owner)] = wake }
    }
    func removeWaker(_ owner: AnyObject) {
        wakers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(owner)) }
    }
    func wake() {
        let all = wakers.withLock { Array($0.values) }
        for wake in all { wake() }
    }

    package var isInterrupted: Bool { flag.load(ordering: .acquiring) || leader.withLock { $0 }?.isInterrupted == true }
    package var isOverTime: Bool {
        let limit = deadline.load(ordering: .acquiring)
        return limit != 0 && HostClock.now() > limit
    }

    /// Points `context` at this token. The token must outlive the context.
    func install(in context: UnsafeMutablePointer<AVFormatContext>) {
        context.pointee.interrupt_callback.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.interrupt_callback.callback = { opaque in
            guard let opaque else { return 0 }
            let token = Unmanaged<InterruptToken>.fromOpaque(opaque).takeUnretainedValue()
            return token.isInterrupted || token.isOverTime ? 1 : 0
        }
    }
}
