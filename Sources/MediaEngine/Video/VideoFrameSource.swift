import MediaCore

/// The source from which a display pulls frames, at each refresh or when the next frame is due.
///
/// The player's pipeline is a source; tests and tools may have others. Thread-safe.
package protocol VideoFrameSource: AnyObject, Sendable {
    /// Returns everything that a display needs for one request. See `pull`, `didPresent`, `isMoving` and
    /// `isChanging`.
    ///
    /// - Parameters:
    ///   - presented: The frame that the display has shown since the last call.
    ///   - refreshInterval: The time between two refreshes of the display, in nanoseconds; `nil` if unknown.
    func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?, refreshInterval: Int64?) -> DisplayTick

    /// Returns the frame that should be visible at `hostTime`; `nil` if there is none (nothing loaded, or an audio item
    /// without cover art). Equal `sequence` numbers identify the same frame, which need not be drawn again.
    func pull(forHostTime hostTime: HostTime) -> PulledFrame?

    /// Records that the display has shown the frame `sequence`. Called once per frame.
    func didPresent(sequence: UInt64, atHostTime hostTime: HostTime)

    /// Whether frames change with time. If not, a display may stop ticking until it is woken.
    var isMoving: Bool { get }

    /// Whether a frame of another item is expected. Until it arrives, `pull` may return `nil`, and the display keeps
    /// its last frame. Read this property before `pull`, so that no change in between is missed.
    var isChanging: Bool { get }

    /// Adds a handler that is called on any thread when the result of `pull` may have changed while `isMoving` is
    /// `false`. This happens after play, a seek, a step or a new item.
    ///
    /// - Returns: A token for `removeWakeHandler`.
    func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int
    func removeWakeHandler(_ token: Int)

    /// Reports the size in device pixels in which the display shows frames. Called when it changes.
    func isShown(width: Int, height: Int)
}

extension VideoFrameSource {
    package func isShown(width: Int, height: Int) {}
    package var isChanging: Bool { false }
    package func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?, refreshInterval: Int64?)
        -> DisplayTick
    {
        if let presented { didPresent(sequence: presented.sequence, atHostTime: presented.time) }
        // Read before `pull`: if a change ends in between, its frame appears at the next refresh.
        let (isMoving, isChanging) = (isMoving, isChanging)
        return DisplayTick(isMoving: isMoving, isChanging: isChanging, pulled: pull(forHostTime: hostTime))
    }
}

/// The state that a display needs for one request.
package struct DisplayTick: Sendable {
    /// The value of `VideoFrameSource.isMoving`.
    package let isMoving: Bool
    package let isChanging: Bool
    package let pulled: PulledFrame?
    /// The playback position, for content over the frame; `nil` if the source does not know it.
    let position: PlaybackPosition?
    /// The host time at which the next frame is due; `nil` if none is decoded yet or the clock stands still.
    package let nextDue: HostTime?

    package init(isMoving: Bool, isChanging: Bool, pulled: PulledFrame?, nextDue: HostTime? = nil) {
        self.init(isMoving: isMoving, isChanging: isChanging, pulled: pulled, position: nil, nextDue: nextDue)
    }

    init(
        isMoving: Bool, isChanging: Bool, pulled: PulledFrame?, position: PlaybackPosition?, nextDue: HostTime?
    ) {
        (self.isMoving, self.isChanging, self.pulled) = (isMoving, isChanging, pulled)
        (self.position, self.nextDue) = (position, nextDue)
    }
}

/// A frame that a display has shown.
package struct PresentedFrame: Sendable {
    package let sequence: UInt64
    package let time: HostTime
    package init(sequence: UInt64, at time: HostTime) { (self.sequence, self.time) = (sequence, time) }
}

/// A frame with its sequence number.
package struct PulledFrame: Sendable {
    package let frame: VideoFrame
    package let sequence: UInt64
    /// The change that the item of the frame requests. Nil if the frame belongs to no item.
    package let composition: ItemComposition?
    package init(frame: VideoFrame, sequence: UInt64, composition: ItemComposition? = nil) {
        self.frame = frame
        self.sequence = sequence
        self.composition = composition
    }
}
