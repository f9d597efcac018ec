import Foundation
import MediaEngine

/// Follows the items of a window's player: their size, and what fails. Main actor.
@MainActor
final class WindowWatch {
    enum News {
        /// The item's video is to have that size.
        case expectsSize(CGSize)
        /// The item's size or status may be another one.
        case changed(AVPlayerItem)
        case failed(any Error)
        case ready
        /// Tracks cannot be decoded while the rest plays: the text that says so.
        case tracksFailed(String)
    }

    private let onNews: @MainActor (News) -> Void
    private var items: NSKeyValueObservation?
    private var item: [NSKeyValueObservation] = []
    private var trackFailures: TrackFailures?

    /// - Parameters:
    ///   - player: the window's first.
    ///   - tellsFailures: whether failures are to be told.
    init(_ player: AVPlayer, tellsFailures: Bool, onNews: @escaping @MainActor (News) -> Void) {
        self.onNews = onNews
        items = player.observe(\.currentItem, options: [.initial]) { [weak self] player, _ in
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
            new.observe(\.expectedSize, options: [.initial]) { [weak self] item, _ in
                self?.onNews(.expectsSize(item.expectedSize))
            },
            // The size is told before it is known whether it is a cover's.
            new.observe(\.presentationSize, options: [.initial]) { [weak self] item, _ in
                self?.onNews(.changed(item))
            },
            new.observe(\.status, options: [.initial]) { [weak self] item, _ in self?.onNews(.changed(item)) },
        ]
        guard tellsFailures else { return }
        item.append(new.observe(\.status, options: [.initial]) { [weak self] item, _ in self?.tellStatus(of: item) })
    }

    private func tellStatus(of item: AVPlayerItem) {
        switch item.status {
        case .failed: if let error = item.error { onNews(.failed(error)) }
        case .readyToPlay: onNews(.ready)
        case .unknown: break
        }
    }
}
