import Foundation
import MediaEngine
import Overlays

/// The selected subtitles of a player's current item, for a view that draws them over its frames.
@MainActor
final class ItemSubtitleOverlay {
    let overlay = SubtitleOverlay()
    private var items: NSKeyValueObservation?

    /// Creates an overlay for a player.
    /// - Parameters:
    ///   - player: The player.
    ///   - onChange: Called when the subtitles have changed, even if the frame has not.
    init(_ player: AVPlayer, onChange: @escaping @MainActor () -> Void) {
        overlay.onChange { DispatchQueue.main.async { MainActor.assumeIsolated(onChange) } }
        items = player.observeUntracked(\.currentItem, options: [.initial]) { [overlay] player, _ in
            // Fonts are not loaded until there are cues, because most videos show no subtitles unless the user selects
            // them.
            overlay.show(player.currentItem?.subtitleSource, isExpected: false)
        }
    }

    isolated deinit {
        items?.invalidate()
        overlay.onChange(nil)
        overlay.show(nil)
    }
}
