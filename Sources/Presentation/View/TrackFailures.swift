import Foundation
import MediaEngine

/// The text that tells the user which tracks of a player's current item cannot be decoded while the rest plays.
///
/// It is the same for all that show a player: `PlayerWindow` and each `PlayerView`. Main actor.
@MainActor
final class TrackFailures {
    /// How long the text is shown.
    static let seconds = 10.0
    private let onChange: @MainActor (String?) -> Void
    private weak var player: AVPlayer?
    private var items: NSKeyValueObservation?
    private var events: (any NSObjectProtocol)?
    /// The item whose failed tracks have been shown, and how many of them.
    private var shown: (item: ObjectIdentifier, count: Int)?
    /// Counts texts, so that each ends its own only.
    private var generation = 0

    /// - Parameter onChange: called with the text, and with nil when its time has passed or another item plays.
    init(_ player: AVPlayer, onChange: @escaping @MainActor (String?) -> Void) {
        self.player = player
        self.onChange = onChange
        items = player.observe(\.currentItem, options: [.initial]) { [weak self] _, _ in self?.look() }
        events = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.newErrorLogEntryNotification, object: nil, queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { self?.look() } }
    }

    isolated deinit {
        items?.invalidate()
        if let events { NotificationCenter.default.removeObserver(events) }
    }

    private func look() {
        let item = player?.currentItem
        if let shown, shown.item != item.map({ ObjectIdentifier($0) }) {
            self.shown = nil
            generation += 1
            onChange(nil)
        }
        guard let item else { return }
        let errors = item.trackErrors
        guard errors.count > shown?.count ?? 0 else { return }
        shown = (ObjectIdentifier(item), errors.count)
        generation += 1
        let mine = generation
        // The title tells which file it is.
        onChange(PlayerWords.onScreen(errors.map(\.reason).joined(separator: "\n")))
        DispatchQueue.main.asyncAfter(deadline: .now() + TrackFailures.seconds) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == mine else { return }
                self.onChange(nil)
            }
        }
    }
}
