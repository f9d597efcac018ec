import Foundation
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
    /// How often playing went on by itself from the last to the first.
    package private(set) var rounds = 0
    /// Behind the last comes the first. One alone is the player's to loop.
    package var wraps = false { didSet { if wraps != oldValue { fillAnew() } } }
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
    /// What follows: more than one, as short ones are fed before the first of them has been shown.
    private var queued: [(item: AVPlayerItem, index: Int)] = []
    private static let ahead = 8
    /// One after the other that could not be played.
    private var passedOver = 0
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

    /// Other entries around what plays, or another order: what plays goes on, and is at `index` from now on. What the
    /// player has gone on to by itself is known (`AVPlayer.noticeSeam`) before the list is thought of.
    package func rearrange(_ list: MediaList, index: Int) {
        self.list = list
        self.index = list.entries.indices.contains(index) ? index : 0
        fillAnew()
    }

    /// Opens entries of another list, until one of them can be played, while what plays goes on.
    ///
    /// Only files and http(s) resources are opened: reading a pipe or a device would take away what is to be played. At
    /// most `mostTried` entries are tried. Cancelling the task ends it.
    /// - Returns: why the first entry cannot be played; nil when one of those that were tried can.
    package func problem(of list: MediaList) async -> AVError? {
        var first: AVError?
        opened = nil
        for entry in list.entries.prefix(PlayQueue.mostTried) {
            guard PlayQueue.canBeTried(entry.url) else { return nil }
            let item = make(entry)
            do throws(AVError) {
                try await item.openAhead()
                if !Task.isCancelled { opened = (entry, item) }
                return nil
            } catch {
                if first == nil { first = error }
            }
            if Task.isCancelled { break }
        }
        return first
    }
    private static let mostTried = 16
    /// The item that `problem(of:)` has opened: it plays when its turn comes, so that its source is opened once.
    private var opened: (entry: MediaList.Entry, item: AVPlayerItem)?
    private func item(at index: Int) -> AVPlayerItem {
        let entry = list.entries[index]
        guard let opened, opened.entry == entry else { return make(entry) }
        self.opened = nil
        return opened.item
    }

    private static func canBeTried(_ url: URL) -> Bool {
        guard let path = FilePath(url) else { return ["http", "https"].contains(url.scheme?.lowercased() ?? "") }
        var info = stat()
        return path.withCString { stat($0, &info) } != 0 || info.st_mode & S_IFMT == S_IFREG
            || info.st_mode & S_IFMT == S_IFDIR
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
        let item = item(at: index)
        onItem?(item, index)
        (self.index, current) = (index, item)
        for old in queued { player.remove(old.item) }
        queued = []
        player.replaceCurrentItem(with: item)
        fill()
        isMoving = false
        onMove?()
    }

    /// What follows is decided again.
    private func fillAnew() {
        // What the pipeline has gone on to by now plays.
        player.noticeSeam()
        isMoving = true
        for old in queued { player.remove(old.item) }
        queued = []
        isMoving = false
        fill()
    }

    private func fill() {
        guard current != nil else { return }
        let isLast = next(from: index, by: 1) == nil
        player.actionAtItemEnd = list.entries.count > 1 && !(isLast && keepsLastPicture) ? .advance : .pause
        while queued.count < PlayQueue.ahead, let next = next(from: queued.last?.index ?? index, by: 1) {
            let item = item(at: next)
            onItem?(item, next)
            queued.append((item, next))
            player.insert(item, after: nil)
        }
    }

    private func followed(_ item: AVPlayerItem?) {
        guard !isMoving, item !== current else { return }
        guard let item else {
            // None of those that waited could be played: there may be others.
            let last = queued.last?.index
            passedOver += queued.count
            if let last, passedOver < list.entries.count, let next = next(from: last, by: 1) {
                if next <= index { rounds += 1 }
                move(to: next)
                return player.play()
            }
            (current, queued) = (nil, [])
            onEnd?()
            return
        }
        guard let place = queued.firstIndex(where: { $0.item === item }) else { return }
        passedOver = place == 0 ? 0 : passedOver + place
        if queued[place].index <= index { rounds += 1 }
        (index, current) = (queued[place].index, item)
        queued.removeFirst(place + 1)
        fill()
        onMove?()
    }
}
