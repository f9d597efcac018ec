import MediaCore
import MediaEngine
import Overlays

/// The overlay that draws the chosen subtitles, and their delay. The delay is kept while there is no overlay.
@MainActor
struct DelayedOverlay {
    private var overlay: SubtitleOverlay?
    /// The delay in seconds, in steps of 0.1.
    private(set) var delay = 0.0

    var exists: Bool { overlay != nil }

    /// Creates the overlay, which the caller adds to a composition.
    mutating func create() -> SubtitleOverlay {
        let fresh = SubtitleOverlay()
        fresh.delay = CMTime(seconds: delay, preferredTimescale: 1000)
        overlay = fresh
        return fresh
    }

    /// Changes the delay, which is at most 10 minutes in either direction.
    mutating func shift(by seconds: Double) {
        delay = ((min(max(-600, delay + seconds), 600)) * 10).rounded() / 10
        overlay?.delay = CMTime(seconds: delay, preferredTimescale: 1000)
    }

    /// Shows the cues of `source`, or none if it is nil. Ignored without an overlay.
    func show(_ source: (any SubtitleSource)?) { overlay?.show(source) }
}
