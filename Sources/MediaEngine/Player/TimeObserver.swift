import Dispatch
import Foundation
import MediaCore

/// One periodic or boundary observer of a player. Main actor.
@MainActor
final class TimeObserver {
    enum Kind {
        /// Between calls; a millisecond or more.
        case periodic(MediaTime)
        /// Ascending media times.
        case boundary([MediaTime])
    }

    private let kind: Kind
    private let queue: DispatchQueue?
    private let block: @Sendable (CMTime) -> Void
    var isRemoved = false
    private var lastPeriod: Int64?

    init(kind: Kind, queue: DispatchQueue?, block: @escaping @Sendable (CMTime) -> Void) {
        self.kind = kind
        self.queue = queue
        self.block = block
    }

    /// The next media time this observer wants to hear of.
    func nextDue(after media: MediaTime) -> MediaTime? {
        switch kind {
        case .periodic(let step):
            MediaTime(
                nanoseconds: ((media.nanoseconds / step.nanoseconds) + 1).multipliedSaturating(by: step.nanoseconds))
        case .boundary(let times): times.first { $0 > media }
        }
    }

    /// Playback went from `from` (exclusive) to `to`.
    func passed(from: MediaTime?, to: MediaTime) {
        switch kind {
        case .periodic(let step):
            let period = to.nanoseconds / step.nanoseconds
            if let last = lastPeriod, last == period { return }
            lastPeriod = period
            call(to)
        case .boundary(let times):
            let start = from ?? -1
            for time in times where time > start && time <= to { call(time) }
        }
    }

    /// The pass of a loop ended at `end`.
    func ended(from: MediaTime?, at end: MediaTime) {
        if case .boundary = kind { passed(from: from, to: end) }
    }

    /// A loop began anew.
    func rewound() { lastPeriod = nil }

    /// Time jumped, or playback began or stopped: periodic observers are told, boundaries are not passed.
    func jumped(to media: MediaTime) {
        guard case .periodic(let step) = kind else { return }
        lastPeriod = media.nanoseconds / step.nanoseconds
        call(media)
    }

    private func call(_ media: MediaTime) {
        guard !isRemoved else { return }
        let time = media.time
        if let queue, queue !== DispatchQueue.main {
            let block = block
            queue.async { block(time) }
        } else {
            block(time)
        }
    }
}

/// One timer that is set to the next moment anything is due, and never ticks otherwise. Main actor.
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
