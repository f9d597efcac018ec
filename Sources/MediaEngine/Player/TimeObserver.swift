import Dispatch
import Foundation
import MediaCore

/// One periodic or boundary observer of a player. Main actor.
@MainActor
final class TimeObserver {
    enum Kind {
        /// Between calls; shorter than 1 ms counts as 1 ms, one that is no number as 1 s.
        case periodic(CMTime)
        /// Media times; one that is no number is never passed.
        case boundary([CMTime])
    }
    /// What is called, and where.
    enum Call {
        case main(@MainActor (CMTime) -> Void)
        case queue(DispatchQueue, @Sendable (CMTime) -> Void)

        /// - Parameter queue: nil: the main queue.
        static func on(_ queue: DispatchQueue?, _ block: @escaping @Sendable (CMTime) -> Void) -> Call {
            guard let queue, queue !== DispatchQueue.main else { return .main(block) }
            return .queue(queue, block)
        }
    }

    private enum Moments {
        case periodic(MediaTime)
        /// Ascending.
        case boundary([MediaTime])
    }
    private let moments: Moments
    private let call: Call
    private var isRemoved = false
    private var lastPeriod: Int64?

    init(_ kind: Kind, _ call: Call) {
        moments =
            switch kind {
            case .periodic(let interval): .periodic(max(MediaTime(interval) ?? 1_000_000_000, 1_000_000))
            case .boundary(let times): .boundary(times.compactMap { MediaTime($0) }.sorted())
            }
        self.call = call
    }

    /// Ends the observer: it is not called any more, by what reports a position at this moment neither.
    func remove() { isRemoved = true }

    /// The next media time this observer wants to hear of.
    func nextDue(after media: MediaTime) -> MediaTime? {
        switch moments {
        case .periodic(let step):
            MediaTime(
                nanoseconds: ((media.nanoseconds / step.nanoseconds) + 1).multipliedSaturating(by: step.nanoseconds))
        case .boundary(let times): times.first { $0 > media }
        }
    }

    /// Playback went from `from` (exclusive) to `to`.
    func passed(from: MediaTime?, to: MediaTime) {
        switch moments {
        case .periodic(let step):
            let period = to.nanoseconds / step.nanoseconds
            if let last = lastPeriod, last == period { return }
            lastPeriod = period
            report(to)
        case .boundary(let times):
            let start = from ?? -1
            for time in times where time > start && time <= to { report(time) }
        }
    }

    /// The pass of a loop ended at `end`.
    func ended(from: MediaTime?, at end: MediaTime) {
        if case .boundary = moments { passed(from: from, to: end) }
    }

    /// A loop began anew.
    func rewound() { lastPeriod = nil }

    /// Time jumped, or playback began or stopped: periodic observers are told, boundaries are not passed.
    func jumped(to media: MediaTime) {
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

/// One timer that is set to the next moment anything is due, and never ticks otherwise.
@MainActor
final class TimeScheduler {
    private let fire: @MainActor () -> Void
    private var generation = 0
    private var armedFor: HostTime?

    init(_ fire: @escaping @MainActor () -> Void) { self.fire = fire }

    /// - Parameter host: a moment already past fires in 2 ms, so that a clock that is a hair behind cannot spin us.
    func wake(atHostTime host: HostTime) {
        if let armedFor, (armedFor - host).magnitude < 1_000_000 { return }
        generation += 1
        let mine = generation
        armedFor = host
        // A day at most; then somebody asks anew.
        let delay = (host - .now()).bounded(to: 2_000_000...86_400_000_000_000)
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(HostClock.machineTime(delay)))) {
            [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == mine else { return }
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
