import Foundation
import MediaEngine

/// An observer of the items of a window's player: their size and their failures.
@MainActor
final class WindowItemMonitor {
    enum Event {
        /// The expected size of the item's video.
        case expectsSize(CGSize)
        /// The item's size or status may have changed.
        case changed(AVPlayerItem)
        case failed(any Error)
        case ready
        /// Some tracks cannot be decoded while the others play. The associated value is the text for the user.
        case tracksFailed(String)
    }

    private let onEvent: @MainActor (Event) -> Void
    private var items: NSKeyValueObservation?
    private var item: [NSKeyValueObservation] = []
    private var trackFailures: TrackFailures?

    /// Creates an observer.
    /// - Parameters:
    ///   - player: The first player of the window.
    ///   - reportsFailures: Whether to report the events `failed`, `ready` and `tracksFailed`.
    ///   - onEvent: Called with each event.
    init(_ player: AVPlayer, reportsFailures: Bool, onEvent: @escaping @MainActor (Event) -> Void) {
        self.onEvent = onEvent
        items = player.observeUntracked(\.currentItem, options: [.initial]) { [weak self] player, _ in
            self?.follow(player.currentItem, reportsFailures)
        }
        guard reportsFailures else { return }
        trackFailures = TrackFailures(player) { text in
            if let text { onEvent(.tracksFailed(text)) }
        }
    }

    private func follow(_ new: AVPlayerItem?, _ reportsFailures: Bool) {
        item = []
        guard let new else { return }
        item = [
            new.observeUntracked(\.expectedSize, options: [.initial]) { [weak self] item, _ in
                self?.onEvent(.expectsSize(item.expectedSize))
            },
            // The size may be reported before the status, which shows whether the size is that of an artwork.
            new.observeUntracked(\.presentationSize, options: [.initial]) { [weak self] item, _ in
                self?.onEvent(.changed(item))
            },
            new.observeUntracked(\.status, options: [.initial]) { [weak self] item, _ in self?.onEvent(.changed(item))
            },
        ]
        guard reportsFailures else { return }
        item.append(
            new.observeUntracked(\.status, options: [.initial]) { [weak self] item, _ in self?.reportStatus(of: item) })
    }

    private func reportStatus(of item: AVPlayerItem) {
        switch item.status {
        case .failed: if let error = item.error { onEvent(.failed(error)) }
        case .readyToPlay: onEvent(.ready)
        case .unknown: break
        }
    }
}
