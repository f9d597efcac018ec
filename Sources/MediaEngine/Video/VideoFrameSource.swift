import MediaCore

/// Where a display pulls its pictures from, once per tick of its own frame clock.
///
/// The player's pipeline is one; tests and tools may be others. All calls are safe from any thread.
package protocol VideoFrameSource: AnyObject, Sendable {
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
}

package struct PulledFrame: Sendable {
    package let frame: VideoFrame
    package let sequence: UInt64
    package init(frame: VideoFrame, sequence: UInt64) {
        self.frame = frame
        self.sequence = sequence
    }
}
