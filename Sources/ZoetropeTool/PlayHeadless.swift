import Dispatch
import Foundation
import MediaCore
import MediaEngine

/// A display without a screen: pulls what is due sixty times a second, as a window's frame clock would.
final class HeadlessDisplay: @unchecked Sendable {
    // Set once in init; DispatchSource's own calls are safe from any thread.
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "zoetrope.headless")
    private let turn: @Sendable () -> HostTime?

    init(source: any VideoFrameSource, onFrame: @escaping @Sendable (HostTime) -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let state = Shown()
        let turn: @Sendable () -> HostTime? = {
            let host = HostTime.now()
            guard let pulled = source.pull(forHostTime: host), pulled.sequence != state.last else { return nil }
            state.last = pulled.sequence
            source.didPresent(sequence: pulled.sequence, atHostTime: host)
            return host
        }
        timer.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667), leeway: .milliseconds(1))
        timer.setEventHandler {
            if let host = turn() { onFrame(host) }
        }
        timer.resume()
        self.timer = timer
        self.turn = turn
    }

    func stop() { timer.cancel() }

    /// Stops once it has shown what is due now: when word of the end is quicker than the timer, that is the last
    /// picture, and those before it that nobody has counted yet.
    /// - Returns: when it showed that; nil: it had.
    func finish() -> HostTime? {
        timer.cancel()
        return queue.sync(execute: turn)
    }

    private final class Shown: @unchecked Sendable {
        // Touched on the queue only.
        var last: UInt64 = 0
    }
}
