import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// A display without a screen that pulls the frames of a player 60 times per second.
final class PulledDisplay: @unchecked Sendable {
    // The property is constant. `DispatchSource` is thread-safe.
    private let timer: any DispatchSourceTimer
    private let seen = Mutex(Seen())

    private struct Seen {
        var sequence: UInt64 = 0
        var frames = 0
        /// The timestamp of the last frame, in seconds.
        var last: Double?
    }

    init(
        _ source: any VideoFrameSource, on queue: DispatchQueue = DispatchQueue(label: "display", qos: .userInteractive)
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer
        timer.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667), leeway: .milliseconds(1))
        timer.setEventHandler { [weak self] in self?.refresh(source) }
        timer.resume()
    }

    /// The number of frames pulled so far, and the timestamp of the last one.
    var shown: (frames: Int, last: Double?) { seen.withLock { ($0.frames, $0.last) } }

    func stop() { timer.cancel() }

    private func refresh(_ source: any VideoFrameSource) {
        let host = HostTime.now()
        guard let pulled = source.pull(forHostTime: host) else { return }
        let isNew = seen.withLock { seen in
            guard seen.sequence != pulled.sequence else { return false }
            seen = Seen(sequence: pulled.sequence, frames: seen.frames + 1, last: pulled.frame.presentationTime.seconds)
            return true
        }
        if isNew { source.didPresent(sequence: pulled.sequence, atHostTime: host) }
    }
}
