import Foundation

/// A player that plays items one after the other without gaps. The equivalent of AVFoundation's `AVQueuePlayer`.
///
/// ```swift
/// let player = AVQueuePlayer(items: episodes.map { AVPlayerItem(url: $0) })
/// player.play()
/// ```
@MainActor @preconcurrency
public final class AVQueuePlayer: AVPlayer {
    /// The items. Changed with `change(_:)`; observers of the property would copy the array for each change.
    private var queue: [AVPlayerItem] = []

    private func change(_ body: (inout [AVPlayerItem]) -> Void) {
        registrar.withMutation(of: self, keyPath: \.queue) { body(&queue) }
    }

    /// Creates a player for `items`, in that order. Skips duplicates, and items of another player.
    public convenience init(items: [AVPlayerItem]) {
        self.init(title: "", audioServer: nil)
        for item in items where canInsert(item, after: nil) {
            change { $0.append(item) }
            item.player = self
        }
        settle()
    }

    override var advancesByDefault: Bool { true }
    override var playlist: [AVPlayerItem] { queue }

    /// Returns the remaining items, the current one first.
    ///
    /// A view that calls this method in its `body` is updated when an item is inserted, removed or played to its end.
    public func items() -> [AVPlayerItem] { tracked(\.queue, queue) }

    /// Returns whether `item` can be inserted. False if the item belongs to a player, or if `other` is not in this
    /// queue.
    public func canInsert(_ item: AVPlayerItem, after other: AVPlayerItem?) -> Bool {
        guard item.player == nil else { return false }
        return other.map { other in queue.contains { $0 === other } } ?? true
    }

    /// Inserts `item` after `other`, or at the end if `other` is nil. Does nothing if `canInsert(_:after:)` returns
    /// false.
    ///
    /// For example, to play a trailer after the current item:
    /// ```swift
    /// player.insert(AVPlayerItem(url: trailer), after: player.currentItem)
    /// ```
    public func insert(_ item: AVPlayerItem, after other: AVPlayerItem? = nil) {
        followPipeline()
        guard canInsert(item, after: other) else { return }
        if let other, let index = queue.firstIndex(where: { $0 === other }) {
            change { $0.insert(item, at: index + 1) }
        } else {
            change { $0.append(item) }
        }
        item.player = self
        settle()
    }

    /// Removes `item`. If it is the current item, the next item becomes the current one. Ignores an item that is not in
    /// the queue.
    public func remove(_ item: AVPlayerItem) {
        followPipeline()
        guard let index = queue.firstIndex(where: { $0 === item }) else { return }
        change { $0.remove(at: index) }
        item.leave(self)
        settle()
    }

    /// Removes all items.
    public func removeAllItems() {
        for item in queue { item.leave(self) }
        change { $0.removeAll() }
        settle()
    }

    /// Removes the current item and makes the next one the current item immediately. The rate does not change.
    ///
    /// ```swift
    /// Button("Next") { player.advanceToNextItem() }
    /// ```
    public func advanceToNextItem() {
        guard let first = queue.first else { return }
        remove(first)
    }

    /// Replaces the current item with `item`, and keeps the items after it. If `item` is nil, the next item becomes the
    /// current one. The rate does not change. If another player has the item, the item is removed from that player.
    public override func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== current else { return }
        takeFromOther(item)
        queue.first?.leave(self)
        change { queue in
            if !queue.isEmpty { queue.removeFirst() }
            guard let item else { return }
            queue.removeAll { $0 === item }
            queue.insert(item, at: 0)
        }
        item?.player = self
        settle()
    }

    override func giveUp(_ item: AVPlayerItem) { remove(item) }

    override func advance(past item: AVPlayerItem) {
        guard let index = queue.firstIndex(where: { $0 === item }) else { return }
        change { $0.remove(at: index) }
        item.leave(self)
        if queue.first !== current { setCurrent(queue.first) }
    }

    private func settle() {
        keyPathObservers.performChanges {
            setCurrent(queue.first)
            syncPlaylist()
        }
    }
}
