import Dispatch
import Foundation
import MediaCore

/// A periodic or boundary time observer of a player.
@MainActor
final class TimeObserver {
    enum Kind {
        /// The interval between calls. Less than 1 ms counts as 1 ms, an invalid time as 1 s.
        case periodic(CMTime)
        /// The media times of the calls. Invalid times are ignored.
        case boundary([CMTime])
    }
    /// The block to call, and the queue to call it on.
    enum Call {
        case main(@MainActor (CMTime) -> Void)
        case queue(DispatchQueue, @Sendable (CMTime) -> Void)

        /// Returns a call of `block` on `queue`.
        /// - Parameter queue: The queue; nil is the main queue.
        static func on(_ queue: DispatchQueue?, _ block: @escaping @Sendable (CMTime) -> Void) -> Call {
            guard let queue, queue !== DispatchQueue.main else { return .main(block) }
            return .queue(queue, block)
        }
    }

    private enum Moments {
        case periodic(MediaTime)
        /// The times in ascending order.
        case boundary([MediaTime])
    }
    private let moments: Moments
    private let call: Call
    private var isRemoved = false
    private var lastPeriod: Int64?
    /// The media time at which the observer was added, until the next report. Boundaries up to this time were passed
    /// before.
    private var start: MediaTime?

    /// Creates an observer.
    /// - Parameter start: The media time up to which boundaries do not count as passed in the first report; nil if
    ///   there is no such limit.
    init(_ kind: Kind, _ call: Call, from start: MediaTime? = nil) {
        self.start = start
        moments =
            switch kind {
            case .periodic(let interval): .periodic(max(MediaTime(interval) ?? 1_000_000_000, 1_000_000))
            case .boundary(let times): .boundary(times.compactMap { MediaTime($0) }.sorted())
            }
        self.call = call
    }

    /// Ends the observer. Its block is not called afterward, not even for a position that is being reported now.
    func remove() { isRemoved = true }

    /// Returns the next media time after `media` at which this observer is due.
    func nextDue(after media: MediaTime) -> MediaTime? {
        switch moments {
        case .periodic(let step):
            return MediaTime(
                nanoseconds: ((media.nanoseconds / step.nanoseconds) + 1).multipliedSaturating(by: step.nanoseconds))
        case .boundary(let times):
            let media = max(media, start ?? media)
            return times.first { $0 > media }
        }
    }

    /// Reports that playback went from `from` (exclusive) to `to` (inclusive).
    func didPass(from: MediaTime?, to: MediaTime) {
        switch moments {
        case .periodic(let step):
            let period = to.nanoseconds / step.nanoseconds
            if let last = lastPeriod, last == period { return }
            lastPeriod = period
            report(to)
        case .boundary(let times):
            let from = max(from ?? -1, start ?? -1)
            start = nil
            for time in times where time > from && time <= to { report(time) }
        }
    }

    /// Reports that a pass of the item ended at `end`. Only boundary observers are called.
    func didEndPass(from: MediaTime?, at end: MediaTime) {
        if case .boundary = moments { didPass(from: from, to: end) }
    }

    /// Prepares for a new pass of a loop.
    func didRestart() { (lastPeriod, start) = (nil, nil) }

    /// Prepares for a position that does not continue the former one, after a jump or in another item.
    func positionWasReset() { start = nil }

    /// Reports that time jumped to `media`, or that playback started or stopped there. Only periodic observers are
    /// called.
    func didJump(to media: MediaTime) {
        guard case .periodic(let step) = moments else { return }
        lastPeriod = media.nanoseconds / step.nanoseconds
        report(media)
    }

    private func report(_ media: MediaTime) {
        guard !isRemoved else { return }
        let time = media.time
        switch call {
        case .main(let block): block(time)
        case .queue(let queue, let block): queue.async { block(time) }
        }
    }
}

/// A timer for the next time at which something is due. Does not fire unless a time is set.
@MainActor
final class TimeScheduler {
    private let fire: @MainActor () -> Void
    private var generation = 0
    private var armedFor: HostTime?

    init(_ fire: @escaping @MainActor () -> Void) { self.fire = fire }

    /// Schedules the timer.
    /// - Parameter host: The time to fire. A time in the past fires after 2 ms, so that a clock slightly behind cannot
    ///   cause a busy loop.
    func wake(atHostTime host: HostTime) {
        if let armedFor, (armedFor - host).magnitude < 1_000_000 { return }
        generation += 1
        let scheduled = generation
        armedFor = host
        // The timer waits at most a day and then fires early; the caller then schedules it again.
        let delay = (host - .now()).bounded(to: 2_000_000...86_400_000_000_000)
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(HostClock.machineTime(delay)))) {
            [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == scheduled else { return }
                self.armedFor = nil
                self.fire()
            }
        }
    }

    func cancel() {
        generation += 1
        armedFor = nil
    }
}
