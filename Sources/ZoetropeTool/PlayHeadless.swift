import Dispatch
import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// A display without a screen. Like a window's frame clock, it requests the due frame 60 times per second.
final class HeadlessDisplay {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "zoetrope.headless")
    private let refresh: @Sendable () -> HostTime?

    init(source: any VideoFrameSource, onFrame: @escaping @Sendable (HostTime) -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let state = Shown()
        let refresh: @Sendable () -> HostTime? = {
            let host = HostTime.now()
            guard let pulled = source.pull(forHostTime: host), pulled.sequence != state.last.load(ordering: .relaxed)
            else { return nil }
            state.last.store(pulled.sequence, ordering: .relaxed)
            source.didPresent(sequence: pulled.sequence, atHostTime: host)
            return host
        }
        timer.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667), leeway: .milliseconds(1))
        timer.setEventHandler {
            if let host = refresh() { onFrame(host) }
        }
        timer.resume()
        self.timer = timer
        self.refresh = refresh
    }

    func stop() { timer.cancel() }

    /// Stops the display after showing the frame that is due now. The end of playback may be reported before the timer
    /// fires. Without this call, the last frame would then be lost.
    /// - Returns: The host time at which the frame was shown; nil if no frame was due, or if it was already shown.
    func finish() -> HostTime? {
        timer.cancel()
        return queue.sync(execute: refresh)
    }

    private final class Shown: Sendable {
        /// The sequence number of the last shown frame. Only used on the queue.
        let last = Atomic<UInt64>(0)
    }
}
