import Foundation
import MediaEngine

/// An observer of a player in a floating window: whether it plays, and the size of its video.
@MainActor
final class FloatingWatch {
    private let player: AVPlayer
    private let onSize: (CGSize) -> Void
    private var observations: [NSKeyValueObservation] = []
    private var size: NSKeyValueObservation?

    init(_ player: AVPlayer, onPlaying: @escaping (_ isPlaying: Bool) -> Void, onSize: @escaping (CGSize) -> Void) {
        (self.player, self.onSize) = (player, onSize)
        observations = [
            player.observeUntracked(\.timeControlStatus, options: [.initial]) { player, _ in
                onPlaying(player.timeControlStatus != .paused)
            },
            player.observeUntracked(\.currentItem) { [weak self] _, _ in self?.followItem() },
        ]
    }

    isolated deinit {
        for observation in observations { observation.invalidate() }
        size?.invalidate()
    }

    /// Reports the size of the current item's video, now and when it changes.
    func followItem() {
        size = player.currentItem?.observeUntracked(\.presentationSize, options: [.initial]) { [weak self] item, _ in
            self?.onSize(item.presentationSize)
        }
    }
}
