import MediaCore
import MediaEngine
import Synchronization
import TestSupport

extension PresentationProbe {
    /// A source of ready-made frames at a constant rate, or of one still frame.
    final class FakeSource: VideoFrameSource {
        private struct State {
            var isMoving = false
            var isEmpty = false
            var isChanging = false
            var standing: UInt64 = 1
            var presented = 0
            var pulls = 0
            var wakes: [Int: @Sendable () -> Void] = [:]
            var nextToken = 1
        }
        private let state = Mutex(State())
        private let pictures: [VideoFrame]
        private let rate: Int64

        init(_ pictures: [VideoFrame], rate: Int) {
            self.pictures = pictures
            self.rate = Int64(rate)
        }

        var presented: Int { state.withLock { $0.presented } }
        var pulls: Int { state.withLock { $0.pulls } }

        func set(moving: Bool? = nil, empty: Bool? = nil, changing: Bool? = nil, standing: UInt64? = nil) {
            let wakes = state.withLock { s in
                if let moving { s.isMoving = moving }
                if let empty { s.isEmpty = empty }
                if let changing { s.isChanging = changing }
                if let standing { s.standing = standing }
                return Array(s.wakes.values)
            }
            for wake in wakes { wake() }
        }

        func pull(forHostTime hostTime: HostTime) -> PulledFrame? {
            let sequence: UInt64? = state.withLock { s in
                s.pulls += 1
                if s.isEmpty { return nil }
                return s.isMoving ? UInt64(1000 + hostTime.nanoseconds * rate / 1_000_000_000) : s.standing
            }
            guard let sequence, !pictures.isEmpty else { return nil }
            return PulledFrame(frame: pictures[Int(sequence % UInt64(pictures.count))], sequence: sequence)
        }

        func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?, refreshInterval: Int64?) -> DisplayTick {
            if let presented { didPresent(sequence: presented.sequence, atHostTime: presented.time) }
            let (isMoving, isChanging) = (isMoving, isChanging)
            let number = hostTime.nanoseconds * rate / 1_000_000_000
            let next = HostTime(nanoseconds: ((number + 1) * 1_000_000_000 + rate - 1) / rate)
            return DisplayTick(
                isMoving: isMoving, isChanging: isChanging, pulled: pull(forHostTime: hostTime),
                nextDue: isMoving ? next : nil)
        }

        func didPresent(sequence: UInt64, atHostTime hostTime: HostTime) { state.withLock { $0.presented += 1 } }
        var isMoving: Bool { state.withLock { $0.isMoving } }
        var isChanging: Bool { state.withLock { $0.isChanging } }

        func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int {
            state.withLock { s in
                s.nextToken += 1
                s.wakes[s.nextToken] = wake
                return s.nextToken
            }
        }
        func removeWakeHandler(_ token: Int) { state.withLock { $0.wakes[token] = nil } }
    }
}
