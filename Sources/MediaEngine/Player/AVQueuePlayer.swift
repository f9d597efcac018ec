import Foundation
import MediaCore

/// Plays items one after the other, joined without a gap: Apple's `AVQueuePlayer`.
@MainActor @preconcurrency
public final class AVQueuePlayer: AVPlayer {
    private var queue: [AVPlayerItem] = []

    /// Plays `items` in that order. One that another player has, or that stands twice, is left out.
    public convenience init(items: [AVPlayerItem]) {
        self.init(title: "", audioServer: nil)
        for item in items { insert(item, after: nil) }
    }

    override var advances: Bool { true }
    override var playlist: [AVPlayerItem] { queue }

    /// The items still to play, the current one first.
    public func items() -> [AVPlayerItem] { queue }

    /// False for an item that is in this or another queue already, or whose predecessor is not in this one.
    public func canInsert(_ item: AVPlayerItem, after other: AVPlayerItem?) -> Bool {
        if item.player != nil || queue.contains(where: { $0 === item }) { return false }
        guard let other else { return true }
        return queue.contains { $0 === other }
    }

    /// Puts `item` behind `other`, or at the end. Ignored where `canInsert` says false.
    public func insert(_ item: AVPlayerItem, after other: AVPlayerItem? = nil) {
        noticeSeam()
        guard canInsert(item, after: other) else { return }
        if let other, let index = queue.firstIndex(where: { $0 === other }) {
            queue.insert(item, at: index + 1)
        } else {
            queue.append(item)
        }
        item.player = self
        settle()
    }

    /// Takes an item out; if it is the current one the next plays. One that is not in the queue changes nothing.
    public func remove(_ item: AVPlayerItem) {
        noticeSeam()
        guard let index = queue.firstIndex(where: { $0 === item }) else { return }
        queue.remove(at: index)
        item.player = nil
        settle()
    }

    /// Takes all items out: there is nothing to play.
    public func removeAllItems() {
        for item in queue { item.player = nil }
        queue.removeAll()
        settle()
    }

    /// Drops the current item and plays the next at once.
    public func advanceToNextItem() {
        guard let first = queue.first else { return }
        remove(first)
    }

    public override func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== current else { return }
        if let first = queue.first {
            first.player = nil
            queue.removeFirst()
        }
        if let item {
            queue.removeAll { $0 === item }
            queue.insert(item, at: 0)
            item.player = self
        }
        settle()
    }

    override func advance(past item: AVPlayerItem) {
        guard let index = queue.firstIndex(where: { $0 === item }) else { return }
        queue.remove(at: index)
        item.player = nil
        if queue.first !== current { setCurrent(queue.first) }
    }

    private func settle() {
        keyPathObservers.together {
            setCurrent(queue.first)
            syncPlaylist()
        }
    }
}
