import MediaCore
import MediaEngine

/// Plays a list: what plays and what follows are in the player's queue, joined without a gap; the others are items only
/// when their turn comes, however long the list is. Main actor.
@MainActor
package final class PlayQueue {
    package let player: AVQueuePlayer
    package private(set) var list: MediaList
    /// What plays, or is to; 0 of an empty list.
    package private(set) var index = 0
    /// Behind the last comes the first. One alone is the player's to loop.
    package var wraps = false { didSet { if wraps != oldValue { enqueueNext() } } }
    /// At the end of a list of several its last picture stays, as that of a single one does.
    package var keepsLastPicture = false
    /// An item was made for an entry: before it is in the queue.
    package var onItem: ((_ item: AVPlayerItem, _ index: Int) -> Void)?
    /// Something else plays, or nothing in the list's end.
    package var onMove: (() -> Void)?
    /// Behind the last there is nothing more.
    package var onEnd: (() -> Void)?

    private let make: @MainActor (MediaList.Entry) -> AVPlayerItem
    private var observation: NSKeyValueObservation?
    private var current: AVPlayerItem?
    private var queued: (item: AVPlayerItem, index: Int)?
    private var isMoving = false

    /// - Parameters:
    ///   - player: without items; its `actionAtItemEnd` is decided here: the last picture of a single one stays.
    ///   - make: an item for an entry, as the app wants it.
    package init(
        _ list: MediaList, player: AVQueuePlayer, make: @escaping @MainActor (MediaList.Entry) -> AVPlayerItem
    ) {
        self.list = list
        self.player = player
        self.make = make
        observation = player.observe(\.currentItem) { [weak self] player, _ in self?.followed(player.currentItem) }
    }

    /// Puts the first of it into the queue; playing begins when the player plays.
    package func begin(at index: Int = 0) { if list.entries.indices.contains(index) { move(to: index) } }

    /// What is in the player already is the first of the list.
    package func adopt(_ item: AVPlayerItem) { if index == 0, !list.entries.isEmpty { current = item } }

    package var entry: MediaList.Entry? { list.entries.indices.contains(index) ? list.entries[index] : nil }
    /// Whether there is one in that direction.
    package func canGo(by step: Int) -> Bool { next(from: index, by: step) != nil }

    /// To the next or the one before. - Returns: false: there is none.
    @discardableResult
    package func go(by step: Int) -> Bool {
        guard let next = next(from: index, by: step) else { return false }
        jump(to: next)
        return true
    }

    /// Plays that one, from its start.
    package func jump(to index: Int) {
        guard list.entries.indices.contains(index) else { return }
        let plays = player.rate > 0 || player.isAtEnd
        move(to: index)
        if plays { player.play() }
    }

    /// Other entries around what plays, or another order: what plays goes on, and is at `index` from now on.
    package func rearrange(_ list: MediaList, index: Int) {
        self.list = list
        self.index = list.entries.indices.contains(index) ? index : 0
        enqueueNext()
    }

    /// Plays another list in the place of this one.
    package func replace(with list: MediaList, at index: Int = 0) {
        self.list = list
        guard list.entries.indices.contains(index) else { return }
        move(to: index)
        player.play()
    }

    private func next(from index: Int, by step: Int) -> Int? {
        let count = list.entries.count
        guard count > 0 else { return nil }
        if list.entries.indices.contains(index + step) { return index + step }
        return wraps && count > 1 ? ((index + step) % count + count) % count : nil
    }

    private func move(to index: Int) {
        isMoving = true
        let item = make(list.entries[index])
        onItem?(item, index)
        (self.index, current) = (index, item)
        if let queued { player.remove(queued.item) }
        queued = nil
        player.replaceCurrentItem(with: item)
        enqueueNext()
        isMoving = false
        onMove?()
    }

    private func enqueueNext() {
        guard current != nil else { return }
        if let queued {
            // What the pipeline has gone on to by now plays.
            player.noticeSeam()
            guard self.queued?.item === queued.item else { return }
            player.remove(queued.item)
        }
        queued = nil
        let next = next(from: index, by: 1)
        let isOver = next == nil && keepsLastPicture
        player.actionAtItemEnd = list.entries.count > 1 && !isOver ? .advance : .pause
        guard let next else { return }
        let item = make(list.entries[next])
        onItem?(item, next)
        queued = (item, next)
        player.insert(item, after: nil)
    }

    private func followed(_ item: AVPlayerItem?) {
        guard !isMoving, item !== current else { return }
        guard let item else {
            current = nil
            onEnd?()
            return
        }
        guard let queued, queued.item === item else { return }
        (index, current) = (queued.index, item)
        self.queued = nil
        enqueueNext()
        onMove?()
    }
}
