import Filters
import MediaEngine

/// The frame of a view, and the state in which it was last drawn.
struct DrawnVideo {
    /// The frame that the view shows. If nil, the view shows only its background.
    var frame: VideoFrame?
    /// The state of the last drawing. If nil, the next frame must be drawn in any case.
    private(set) var state: State?
    /// The number of the frame that was drawn last. 0 if no frame of this source was drawn.
    private(set) var sequence: UInt64 = 0
    /// The number of frames drawn so far.
    private(set) var count = 0

    /// The values that determine the appearance of a view.
    struct State: Equatable {
        var sequence: UInt64
        var x: Int, y: Int
        var placement: VideoPlacement
        /// The version of the composition's colors. `overlays` has the versions of the content over the frame.
        var appearanceVersion: UInt64
        var overlays: [UInt64]
        var cover: VideoCover

        /// Returns the state with another cover.
        func with(_ cover: VideoCover) -> Self {
            var copy = self
            copy.cover = cover
            return copy
        }
    }

    /// Whether no frame of the source has been drawn yet.
    var isWaitingForFirst: Bool { sequence == 0 }

    func isNew(_ sequence: UInt64) -> Bool { sequence != self.sequence }

    /// Returns whether GTK has to draw again for `new`. A mere move does not count, because GTK moves drawn content
    /// itself.
    func changesDrawing(_ new: State) -> Bool {
        guard !isNew(new.sequence), let state else { return true }
        var same = new
        (same.x, same.y) = (state.x, state.y)
        return same != state
    }

    /// Records that the view was drawn in the state `new`.
    mutating func drew(_ new: State) {
        state = new
        guard isNew(new.sequence) else { return }
        sequence = new.sequence
        count += 1
    }

    /// Discards the state, because the drawing is no longer on the screen or no longer valid.
    mutating func forgetState() { state = nil }

    /// Discards the number of the last frame, because frames come from another source or there are none for now. The
    /// state contains that number, and another source can have a frame with the same one.
    mutating func forgetSequence() {
        sequence = 0
        state = nil
    }
}
