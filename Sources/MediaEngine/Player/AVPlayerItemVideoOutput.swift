import Foundation
import MediaCore
import Synchronization

/// A tap on an item's pictures: pull the one due at a time, for machine learning or drawing of one's own.
/// Apple's `AVPlayerItemVideoOutput`; pictures are `VideoFrame`s, shared with the decoder, not copied.
///
/// Any thread.
public final class AVPlayerItemVideoOutput: Sendable {
    private struct State {
        weak var pipeline: PlaybackPipeline?
        var lastSequence: UInt64 = 0
    }
    private let state = Mutex(State())

    /// To be attached by `AVPlayerItem.add(_:)`. Pictures come as `VideoFrame`s, in the decoder's format.
    public init() {}

    func connect(_ pipeline: PlaybackPipeline?) {
        state.withLock {
            $0.pipeline = pipeline
            $0.lastSequence = 0
        }
    }

    /// The item's time at `hostTimeInSeconds` (CLOCK_MONOTONIC seconds); `.invalid` when nothing is loaded.
    public func itemTime(forHostTime hostTimeInSeconds: Double) -> CMTime {
        guard let pipeline = state.withLock({ $0.pipeline }),
            let position = pipeline.position(atHostTime: HostTime(seconds: hostTimeInSeconds))
        else { return .invalid }
        return position.media.time
    }

    /// Whether a picture other than the last one copied is due at `itemTime`.
    public func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        guard let pulled = pull(itemTime) else { return false }
        return state.withLock { pulled.sequence != $0.lastSequence }
    }

    /// The picture due at `itemTime`; nil when there is none.
    /// - Parameter itemTimeForDisplay: gets the picture's own presentation time.
    public func copyPixelBuffer(forItemTime itemTime: CMTime, itemTimeForDisplay: UnsafeMutablePointer<CMTime>? = nil)
        -> VideoFrame?
    {
        guard let pulled = pull(itemTime) else { return nil }
        state.withLock { $0.lastSequence = pulled.sequence }
        itemTimeForDisplay?.pointee = pulled.frame.presentationTime
        return pulled.frame
    }

    /// The picture due at `hostTimeInSeconds` (CLOCK_MONOTONIC seconds).
    public func frame(forHostTime hostTimeInSeconds: Double) -> VideoFrame? {
        guard let pipeline = state.withLock({ $0.pipeline }),
            let pulled = pipeline.pull(forHostTime: HostTime(seconds: hostTimeInSeconds))
        else { return nil }
        state.withLock { $0.lastSequence = pulled.sequence }
        return pulled.frame
    }

    private func pull(_ itemTime: CMTime) -> PulledFrame? {
        guard let pipeline = state.withLock({ $0.pipeline }) else { return nil }
        guard let wanted = MediaTime(itemTime), let host = pipeline.hostTime(media: wanted) else {
            return pipeline.pull(forHostTime: .now())
        }
        return pipeline.pull(forHostTime: host)
    }
}
