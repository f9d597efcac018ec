import Foundation
import MediaCore
import MediaEngine
import Overlays

/// The subtitles that are chosen in whatever item a player plays, for one view to draw over its pictures.
@MainActor
final class ItemSubtitleOverlay {
    let overlay = SubtitleOverlay()
    private var items: NSKeyValueObservation?

    /// - Parameter wake: called when other subtitles are to be seen, though the picture may stand.
    init(_ player: AVPlayer, wake: @escaping @MainActor () -> Void) {
        overlay.onChange { DispatchQueue.main.async { MainActor.assumeIsolated(wake) } }
        items = player.observe(\.currentItem, options: [.initial]) { [overlay] player, _ in
            // Fonts are not looked for until there are cues: most videos show none without being asked.
            overlay.show(player.currentItem?.subtitleSource, isExpected: false)
        }
    }

    isolated deinit {
        items?.invalidate()
        overlay.onChange(nil)
        overlay.show(nil)
    }
}
