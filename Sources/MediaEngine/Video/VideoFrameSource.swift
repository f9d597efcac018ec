import MediaCore

/// Where a display pulls its pictures from, once per tick of its own frame clock.
///
/// The player's pipeline is one; tests and tools may be others. All calls are safe from any thread.
package protocol VideoFrameSource: AnyObject, Sendable {
    /// All that a display needs for one refresh, in one answer. See `pull`, `didPresent`, `isMoving`, `isChanging`.
    /// - Parameter presented: what the display has put on the screen since it asked last.
    func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?) -> DisplayTick

    /// The picture that should be visible at `hostTime`, or nil when
    /// there is none (nothing loaded, an audio-only item without cover art).
    /// Equal `sequence` numbers mean the very same picture: nothing needs drawing again.
    func pull(forHostTime hostTime: HostTime) -> PulledFrame?

    /// The display has put picture `sequence` on the screen. Called once per picture shown.
    func didPresent(sequence: UInt64, atHostTime hostTime: HostTime)

    /// True while pictures change with time. When false a display may stop ticking until it is woken.
    var isMoving: Bool { get }

    /// Another picture is on its way, and until it is there there may be none: between two items a display keeps what
    /// it shows. Asked before `pull`, so that no change comes in between unseen.
    var isChanging: Bool { get }

    /// Calls `wake` (on any thread) whenever the answer of `pull` may have changed while not moving:
    /// after play, seek, step, a new item. Returns a token; `removeWakeHandler` ends it.
    func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int
    func removeWakeHandler(_ token: Int)

    /// The display shows pictures in an area of that many device pixels: told when it changes.
    func isShown(width: Int, height: Int)
}

extension VideoFrameSource {
    package func isShown(width: Int, height: Int) {}
    package var isChanging: Bool { false }
    package func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?) -> DisplayTick {
        if let presented { didPresent(sequence: presented.sequence, atHostTime: presented.time) }
        // Asked before `pull`: a change that ends in between has its picture at the next refresh.
        let (isMoving, isChanging) = (isMoving, isChanging)
        return DisplayTick(isMoving: isMoving, isChanging: isChanging, pulled: pull(forHostTime: hostTime))
    }
}

/// What a display needs for one refresh.
package struct DisplayTick: Sendable {
    /// See `VideoFrameSource.isMoving`, which need not be asked any more.
    package let isMoving: Bool
    package let isChanging: Bool
    package let pulled: PulledFrame?
    /// What plays now, for what lies over the frame; nil: the source does not know it.
    let position: PlaybackPosition?

    package init(isMoving: Bool, isChanging: Bool, pulled: PulledFrame?) {
        self.init(isMoving: isMoving, isChanging: isChanging, pulled: pulled, position: nil)
    }

    init(isMoving: Bool, isChanging: Bool, pulled: PulledFrame?, position: PlaybackPosition?) {
        (self.isMoving, self.isChanging, self.pulled, self.position) = (isMoving, isChanging, pulled, position)
    }
}

/// A frame that a display has put on the screen.
package struct PresentedFrame: Sendable {
    package let sequence: UInt64
    package let time: HostTime
    package init(sequence: UInt64, at time: HostTime) { (self.sequence, self.time) = (sequence, time) }
}

package struct PulledFrame: Sendable {
    package let frame: VideoFrame
    package let sequence: UInt64
    package init(frame: VideoFrame, sequence: UInt64) {
        self.frame = frame
        self.sequence = sequence
    }
}
