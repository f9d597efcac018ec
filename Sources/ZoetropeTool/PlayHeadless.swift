import Dispatch
import Foundation
import MediaEngine
import MediaCore

/// A display without a screen: pulls what is due sixty times a second, as a window's frame clock would.
final class HeadlessDisplay: @unchecked Sendable {
    // Set once in init; DispatchSource's own calls are safe from any thread.
    private let timer: any DispatchSourceTimer

    init(source: any VideoFrameSource, onFrame: @escaping @Sendable (Int64) -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zoetrope.headless"))
        let state = Shown()
        timer.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667), leeway: .milliseconds(1))
        timer.setEventHandler {
            let host = HostClock.now()
            guard let pulled = source.pull(forHostTime: host), pulled.sequence != state.last else { return }
            state.last = pulled.sequence
            source.didPresent(sequence: pulled.sequence, atHostTime: host)
            onFrame(host)
        }
        timer.resume()
        self.timer = timer
    }

    func stop() { timer.cancel() }

    private final class Shown: @unchecked Sendable {
        // Touched on the timer's own queue only.
        var last: UInt64 = 0
    }
}
