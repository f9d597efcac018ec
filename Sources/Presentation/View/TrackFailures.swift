import Foundation
import MediaEngine

/// The text that names the tracks of a player's current item that cannot be decoded while the others play.
///
/// `PlayerWindow` and each `PlayerView` use the same text.
@MainActor
final class TrackFailures {
    /// The time for which the text is shown, in seconds.
    static let seconds = 10.0
    private let onChange: @MainActor (String?) -> Void
    private weak var player: AVPlayer?
    private var items: NSKeyValueObservation?
    private var events: (any NSObjectProtocol)?
    /// The item whose failed tracks were shown, and the number of these tracks.
    private var shown: (item: ObjectIdentifier, count: Int)?
    /// Incremented for each text, so that an earlier timer does not remove a later text.
    private var generation = 0

    /// Creates an observer of a player.
    /// - Parameters:
    ///   - player: The player.
    ///   - onChange: Called with the text, and with nil when its time is over or another item plays.
    init(_ player: AVPlayer, onChange: @escaping @MainActor (String?) -> Void) {
        self.player = player
        self.onChange = onChange
        items = player.observeUntracked(\.currentItem, options: [.initial]) { [weak self] _, _ in self?.update() }
        events = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.newErrorLogEntryNotification, object: nil, queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { self?.update() } }
    }

    isolated deinit {
        items?.invalidate()
        if let events { NotificationCenter.default.removeObserver(events) }
    }

    private func update() {
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
        let scheduled = generation
        // The window's title already names the file.
        onChange(PlayerWords.onScreen(errors.map(\.reason).joined(separator: "\n")))
        DispatchQueue.main.asyncAfter(deadline: .now() + TrackFailures.seconds) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == scheduled else { return }
                self.onChange(nil)
            }
        }
    }
}
