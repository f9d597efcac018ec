import Foundation
import MediaEngine

/// An observer of the items of a window's player: their size and their failures.
@MainActor
final class WindowWatch {
    enum News {
        /// The expected size of the item's video.
        case expectsSize(CGSize)
        /// The item's size or status may have changed.
        case changed(AVPlayerItem)
        case failed(any Error)
        case ready
        /// Tracks cannot be decoded while the others play. Contains the text that reports it.
        case tracksFailed(String)
    }

    private let onNews: @MainActor (News) -> Void
    private var items: NSKeyValueObservation?
    private var item: [NSKeyValueObservation] = []
    private var trackFailures: TrackFailures?

    /// Creates an observer.
    /// - Parameters:
    ///   - player: The first player of the window.
    ///   - tellsFailures: Whether to report failures.
    ///   - onNews: Called with each event.
    init(_ player: AVPlayer, tellsFailures: Bool, onNews: @escaping @MainActor (News) -> Void) {
        self.onNews = onNews
        items = player.observeUntracked(\.currentItem, options: [.initial]) { [weak self] player, _ in
            self?.follow(player.currentItem, tellsFailures)
        }
        guard tellsFailures else { return }
        trackFailures = TrackFailures(player) { text in
            if let text { onNews(.tracksFailed(text)) }
        }
    }

    private func follow(_ new: AVPlayerItem?, _ tellsFailures: Bool) {
        item = []
        guard let new else { return }
        item = [
            new.observeUntracked(\.expectedSize, options: [.initial]) { [weak self] item, _ in
                self?.onNews(.expectsSize(item.expectedSize))
            },
            // The size is known before it is known whether it is that of the artwork.
            new.observeUntracked(\.presentationSize, options: [.initial]) { [weak self] item, _ in
                self?.onNews(.changed(item))
            },
            new.observeUntracked(\.status, options: [.initial]) { [weak self] item, _ in self?.onNews(.changed(item)) },
        ]
        guard tellsFailures else { return }
        item.append(
            new.observeUntracked(\.status, options: [.initial]) { [weak self] item, _ in self?.tellStatus(of: item) })
    }

    private func tellStatus(of item: AVPlayerItem) {
        switch item.status {
        case .failed: if let error = item.error { onNews(.failed(error)) }
        case .readyToPlay: onNews(.ready)
        case .unknown: break
        }
    }
}
