import MediaCore
import Synchronization

/// An output from which an app pulls an item's frames, for machine learning or its own drawing. The equivalent of
/// AVFoundation's `AVPlayerItemVideoOutput`.
///
/// ```swift
/// let output = AVPlayerItemVideoOutput()
/// item.add(output)
/// player.play()
/// // Later, for each refresh of the app's own drawing:
/// let time = item.currentTime()
/// if output.hasNewPixelBuffer(forItemTime: time), let frame = output.copyPixelBuffer(forItemTime: time) {
///     print(frame.width, frame.height)
/// }
/// ```
/// Frames are `VideoFrame`s, shared with the decoder without a copy. While the player shows another item of its queue,
/// there are no frames. All methods can be called from any thread.
public final class AVPlayerItemVideoOutput: Sendable {
    private struct State {
        weak var pipeline: PlaybackPipeline?
        weak var entry: PlaybackEntry?
        var lastSequence: UInt64 = 0
    }
    private let state = Mutex(State())

    /// Creates an output. Attach it by `AVPlayerItem.add(_:)`. Frames have the decoder's pixel format.
    public init() {}

    func connect(_ pipeline: PlaybackPipeline?, _ entry: PlaybackEntry) {
        state.withLock { $0 = State(pipeline: pipeline, entry: entry) }
    }

    /// Returns the item's time at `hostTimeInSeconds`, in seconds of `CLOCK_MONOTONIC`; `.invalid` if the item is not
    /// loaded or not the current item of a player.
    public func itemTime(forHostTime hostTimeInSeconds: Double) -> CMTime {
        guard let (pipeline, entry) = connection,
            let position = pipeline.position(atHostTime: HostTime(seconds: hostTimeInSeconds)), position.entry === entry
        else { return .invalid }
        return position.media.time
    }

    /// Returns whether the frame due at `itemTime` differs from the frame copied last. While the player is paused, uses
    /// the displayed frame.
    public func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        guard let pulled = pull(itemTime) else { return false }
        return state.withLock { pulled.sequence != $0.lastSequence }
    }

    /// Returns the frame due at `itemTime`, or, while the player is paused, the displayed frame. Nil if there is none.
    /// - Parameter itemTimeForDisplay: Receives the presentation timestamp of the frame.
    public func copyPixelBuffer(forItemTime itemTime: CMTime, itemTimeForDisplay: UnsafeMutablePointer<CMTime>? = nil)
        -> VideoFrame?
    {
        guard let pulled = pull(itemTime) else { return nil }
        state.withLock { $0.lastSequence = pulled.sequence }
        itemTimeForDisplay?.pointee = pulled.frame.presentationTime
        return pulled.frame
    }

    /// Returns the frame due at `hostTimeInSeconds`, in seconds of `CLOCK_MONOTONIC`; nil if there is none.
    public func frame(forHostTime hostTimeInSeconds: Double) -> VideoFrame? {
        guard let (pipeline, entry) = connection,
            let pulled = pipeline.pull(forHostTime: HostTime(seconds: hostTimeInSeconds), of: entry)
        else { return nil }
        state.withLock { $0.lastSequence = pulled.sequence }
        return pulled.frame
    }

    private var connection: (PlaybackPipeline, PlaybackEntry)? {
        state.withLock { state in
            guard let pipeline = state.pipeline, let entry = state.entry else { return nil }
            return (pipeline, entry)
        }
    }

    private func pull(_ itemTime: CMTime) -> PulledFrame? {
        guard let (pipeline, entry) = connection else { return nil }
        let host = MediaTime(itemTime).flatMap { pipeline.hostTime(media: $0, of: entry) }
        return pipeline.pull(forHostTime: host ?? .now(), of: entry)
    }
}
