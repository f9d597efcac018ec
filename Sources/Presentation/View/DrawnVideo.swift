import Filters
import MediaEngine
import Overlays

/// The frame of a view, and what of it was drawn last.
struct DrawnVideo {
    /// The frame that the view shows; nil: none, and it is black.
    var frame: VideoFrame?
    /// How the frame was drawn; nil: whatever comes has to be drawn.
    private(set) var state: State?
    /// The number of the frame that was drawn last; 0: none of this source.
    private(set) var sequence: UInt64 = 0
    /// The number of frames drawn so far.
    private(set) var count = 0

    /// All that decides how a view looks.
    struct State: Equatable {
        var sequence: UInt64
        var x: Int, y: Int
        var placement: VideoPlacement
        /// Of the composition's colours, and of what lies over the picture.
        var look: UInt64
        var overlays: [UInt64]
        var cover: VideoCover

        /// The same under another cover.
        func with(_ cover: VideoCover) -> Self {
            var copy = self
            copy.cover = cover
            return copy
        }
    }

    /// Whether no frame of the source has been drawn yet.
    var isWaitingForFirst: Bool { sequence == 0 }

    func isNew(_ sequence: UInt64) -> Bool { sequence != self.sequence }

    /// Whether GTK has to draw again for `new`. GTK itself moves what it has drawn.
    func changesDrawing(_ new: State) -> Bool {
        guard !isNew(new.sequence), let state else { return true }
        var same = new
        (same.x, same.y) = (state.x, state.y)
        return same != state
    }

    /// The view looks like `new` now.
    mutating func drew(_ new: State) {
        state = new
        guard isNew(new.sequence) else { return }
        sequence = new.sequence
        count += 1
    }

    /// What was drawn is no longer on the screen, or no longer right.
    mutating func forgetState() { state = nil }

    /// Frames come from another source, or there are none for now.
    mutating func forgetSequence() { sequence = 0 }
}
