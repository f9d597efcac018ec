import Foundation
import MediaEngine

/// An observer of the items of one of a window's players: their size and their failures.
@MainActor
final class WindowItemMonitor {
    enum Event {
        /// The expected size of the item's video.
        case expectsSize(CGSize)
        /// The item's size or status may have changed.
        case changed(AVPlayerItem)
        case failed(any Error)
        /// The item is ready to play, and the text of an error can disappear.
        case ready
        /// Some tracks cannot be decoded while the others play. The associated value is the text for the user.
        case tracksFailed(String)
    }

    /// Whether the current item ends an error when it is ready. The monitor sets the property for each new item.
    var endsError = true
    private let reportsFailures: Bool
    private let onEvent: @MainActor (Event) -> Void
    private var items: NSKeyValueObservation?
    private var item: [NSKeyValueObservation] = []
    private var trackFailures: TrackFailures?

    /// Creates an observer.
    /// - Parameters:
    ///   - player: The player.
    ///   - reportsFailures: Whether to report the events `failed` and `tracksFailed`.
    ///   - onEvent: Called with each event.
    init(_ player: AVPlayer, reportsFailures: Bool, onEvent: @escaping @MainActor (Event) -> Void) {
        (self.reportsFailures, self.onEvent) = (reportsFailures, onEvent)
        items = player.observeUntracked(\.currentItem, options: [.initial]) { [weak self] player, _ in
            self?.follow(player.currentItem)
        }
        guard reportsFailures else { return }
        trackFailures = TrackFailures(player) { text in
            if let text { onEvent(.tracksFailed(text)) }
        }
    }

    private func follow(_ new: AVPlayerItem?) {
        item = []
        endsError = true
        guard let new else { return }
        item = [
            new.observeUntracked(\.expectedSize, options: [.initial]) { [weak self] item, _ in
                self?.onEvent(.expectsSize(item.expectedSize))
            },
            // The size may be reported before the status, which shows whether the size is that of an artwork.
            new.observeUntracked(\.presentationSize, options: [.initial]) { [weak self] item, _ in
                self?.onEvent(.changed(item))
            },
            new.observeUntracked(\.status, options: [.initial]) { [weak self] item, _ in
                self?.onEvent(.changed(item))
                self?.reportStatus(of: item)
            },
        ]
    }

    private func reportStatus(of item: AVPlayerItem) {
        switch item.status {
        case .failed: if reportsFailures, let error = item.error { onEvent(.failed(error)) }
        case .readyToPlay: if endsError { onEvent(.ready) }
        case .unknown: break
        }
    }
}
