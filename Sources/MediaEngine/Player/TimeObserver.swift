import Dispatch
import Foundation
import MediaCore

/// One periodic or boundary observer of a player. Main actor.
@MainActor
final class TimeObserver {
    enum Kind {
        /// Nanoseconds between calls.
        case periodic(Int64)
        /// Ascending media times, nanoseconds.
        case boundary([Int64])
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
    func nextDue(after media: Int64) -> Int64? {
        switch kind {
        case .periodic(let step): (media / step + 1) * step
        case .boundary(let times): times.first { $0 > media }
        }
    }

    /// Playback went from `from` (exclusive) to `to`.
    func passed(from: Int64?, to: Int64) {
        switch kind {
        case .periodic(let step):
            guard to != .max else { return }
            let period = to / step
            if let last = lastPeriod, last == period { return }
            lastPeriod = period
            call(to)
        case .boundary(let times):
            let start = from ?? -1
            for time in times where time > start && time <= to { call(time) }
        }
    }

    /// A loop began anew.
    func rewound() { lastPeriod = nil }

    /// Time jumped, or playback began or stopped: periodic observers are told, boundaries are not passed.
    func jumped(to media: Int64) {
        guard case .periodic(let step) = kind else { return }
        lastPeriod = media / step
        call(media)
    }

    private func call(_ media: Int64) {
        guard !isRemoved else { return }
        let time = CMTime(nanoseconds: media)
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
    private var armedFor: Int64?

    init(_ fire: @escaping @MainActor () -> Void) { self.fire = fire }

    /// - Parameter host: CLOCK_MONOTONIC nanoseconds; a moment already past fires in 2 ms, so that a
    ///   clock that is a hair behind cannot spin us.
    func wake(atHostTime host: Int64) {
        if let armedFor, abs(armedFor - host) < 1_000_000 { return }
        generation += 1
        let mine = generation
        armedFor = host
        let delay = max(2_000_000, host - HostClock.now())
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
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
