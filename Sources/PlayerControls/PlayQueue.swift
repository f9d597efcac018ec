import MediaCore
import MediaEngine

/// A queue that plays a list of any length without gaps.
///
/// The items of the current entry and of the next few entries are in the player's queue, which plays them without a
/// gap. The items of later entries are made when they are needed. An entry that can't be played is skipped.
///
/// ```swift
/// let queue = PlayQueue(urls, player: AVQueuePlayer()) { AVPlayerItem(url: $0) }
/// queue.begin()
/// queue.player.play()
/// ```
///
/// The queue sets the player's items and `actionAtItemEnd`. Your app controls everything else of the player.
/// Main actor.
@MainActor
public final class PlayQueue<Entry: Equatable & Sendable> {
    /// The player. It must have no items when it is given to a queue.
    public let player: AVQueuePlayer
    /// The entries, in the order in which they play.
    public private(set) var entries: [Entry]
    /// The index of the current entry; 0 if there are no entries.
    public private(set) var index = 0
    /// The number of times that playback has continued by itself from the last entry to the first.
    public private(set) var rounds = 0
    /// Whether the first entry follows the last one. To loop a single entry, loop the item (`AVPlayerLooper`).
    public var wraps = false { didSet { if wraps != oldValue { refill() } } }
    /// Whether the last frame stays visible at the end of a list of several entries. At the end of a single entry, the
    /// last frame always stays visible.
    public var keepsLastFrame = false
    /// Called with each new item and the index of its entry, before the item is in the player's queue.
    public var onItem: ((_ item: AVPlayerItem, _ index: Int) -> Void)?
    /// Called when another entry has become the current one.
    public var onMove: (() -> Void)?
    /// Called when the last entry has ended, or no remaining entry can be played.
    public var onEnd: (() -> Void)?

    private let makeItem: @MainActor (Entry) -> AVPlayerItem
    private var observation: NSKeyValueObservation?
    private var current: AVPlayerItem?
    /// The next items. There are several, because short items are read to their end before the first one is displayed.
    private var queued: [(item: AVPlayerItem, index: Int)] = []
    private static var ahead: Int { 8 }
    /// The number of successive entries that could not be played.
    private var skipped = 0
    private var isMoving = false

    /// Makes a queue; playback starts with ``begin(at:)``.
    /// - Parameters:
    ///   - player: A player without items.
    ///   - makeItem: Makes the item of an entry. Called again if the entry plays again.
    public init(_ entries: [Entry] = [], player: AVQueuePlayer, makeItem: @escaping @MainActor (Entry) -> AVPlayerItem)
    {
        self.entries = entries
        self.player = player
        self.makeItem = makeItem
        observation = player.observe(\.currentItem) { [weak self] player, _ in self?.follow(player.currentItem) }
    }

    /// Puts an entry and the ones after it into the player. Ignored if there is no such entry.
    public func begin(at index: Int = 0) { if entries.indices.contains(index) { move(to: index) } }

    /// Uses an item that the player already has as the item of the first entry.
    package func adopt(_ item: AVPlayerItem) { if index == 0, !entries.isEmpty { current = item } }

    /// The current entry; nil if there are no entries.
    public var entry: Entry? { entries.indices.contains(index) ? entries[index] : nil }
    /// Returns whether there is an entry `step` places after (positive) or before (negative) the current one.
    public func canGo(by step: Int) -> Bool { next(from: index, by: step) != nil }

    /// Goes to the entry `step` places after (positive) or before (negative) the current one. Returns false if there is
    /// no such entry.
    @discardableResult
    public func go(by step: Int) -> Bool {
        guard let next = next(from: index, by: step) else { return false }
        jump(to: next)
        return true
    }

    /// Goes to the start of an entry. If the player is playing or has ended, it plays the entry. Ignored if there is no
    /// such entry.
    public func jump(to index: Int) {
        guard entries.indices.contains(index) else { return }
        let plays = player.rate > 0 || player.isAtEnd
        move(to: index)
        if plays { player.play() }
    }

    /// Replaces or reorders the entries around the current entry, which continues to play.
    ///
    /// Call `player.noticeSeam()` before you compute the new order, because the player may already play the next entry.
    /// - Parameter index: The new index of the current entry.
    package func rearrange(_ entries: [Entry], index: Int) {
        self.entries = entries
        self.index = entries.indices.contains(index) ? index : 0
        refill()
    }

    /// Replaces all entries, and plays one of the new ones.
    public func replace(with entries: [Entry], at index: Int = 0) {
        self.entries = entries
        guard entries.indices.contains(index) else { return }
        move(to: index)
        player.play()
    }

    // MARK: opening before replacing

    /// Opens entries of another list until one of them can be played. Meanwhile the current entry continues to play.
    ///
    /// At most `mostTried` entries are opened. Cancelling the task ends it.
    /// - Parameter canOpen: Returns whether an entry can be opened now and again later. A pipe can't, because reading
    ///   consumes its data.
    /// - Returns: The reason why the first entry can't be played; nil if an opened entry can be played, or if `canOpen`
    ///   returns false for an entry before that.
    package func problem(of entries: [Entry], canOpen: (Entry) -> Bool) async -> AVError? {
        var first: AVError?
        opened = nil
        for entry in entries.prefix(Self.mostTried) {
            guard canOpen(entry) else { return nil }
            let item = makeItem(entry)
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
    private static var mostTried: Int { 16 }
    /// The item that `problem(of:)` has opened. It is used when its entry plays, so that its source is opened once.
    private var opened: (entry: Entry, item: AVPlayerItem)?
    private func item(at index: Int) -> AVPlayerItem {
        let entry = entries[index]
        guard let opened, opened.entry == entry else { return makeItem(entry) }
        self.opened = nil
        return opened.item
    }

    // MARK: moving

    private func next(from index: Int, by step: Int) -> Int? {
        let count = entries.count
        guard count > 0 else { return nil }
        let (sum, overflow) = index.addingReportingOverflow(step)
        guard !overflow else { return nil }
        if entries.indices.contains(sum) { return sum }
        return wraps && count > 1 ? (sum % count + count) % count : nil
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

    /// Decides the next items again.
    private func refill() {
        // The pipeline may already play one of the queued items.
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
        player.actionAtItemEnd = entries.count > 1 && !(isLast && keepsLastFrame) ? .advance : .pause
        while queued.count < Self.ahead, let next = next(from: queued.last?.index ?? index, by: 1) {
            let item = item(at: next)
            onItem?(item, next)
            queued.append((item, next))
            player.insert(item, after: nil)
        }
    }

    private func follow(_ item: AVPlayerItem?) {
        guard !isMoving, item !== current else { return }
        guard let item else {
            // None of the queued items could be played. Later entries may be playable.
            let last = queued.last?.index
            skipped += queued.count
            if let last, skipped < entries.count, let next = next(from: last, by: 1) {
                if next <= index { rounds += 1 }
                move(to: next)
                return player.play()
            }
            (current, queued) = (nil, [])
            onEnd?()
            return
        }
        guard let place = queued.firstIndex(where: { $0.item === item }) else { return }
        skipped = place == 0 ? 0 : skipped + place
        if queued[place].index <= index { rounds += 1 }
        (index, current) = (queued[place].index, item)
        queued.removeFirst(place + 1)
        fill()
        onMove?()
    }
}
