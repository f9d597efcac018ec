import MediaCore
import MediaEngine
import Observation

/// A queue that plays a list of any length without gaps.
///
/// The items of the current entry and of the next few entries are in the player's queue, which plays them without a
/// gap. The items of later entries are created when needed. An entry that can't be played is skipped.
///
/// ```swift
/// let queue = PlayQueue(urls, player: AVQueuePlayer()) { AVPlayerItem(url: $0) }
/// queue.begin()
/// queue.player.play()
/// ```
///
/// The queue sets the player's items and `actionAtItemEnd`. Your app controls everything else of the player. Views that
/// read the entries, the index, or whether there is another entry are updated when these values change. Main actor.
@MainActor
public final class PlayQueue<Entry: Equatable & Sendable>: Observable {
    /// The player. It must have no items when it is given to a queue.
    public let player: AVQueuePlayer
    private var order: PlayOrder<Entry> {
        willSet { registrar.willSet(self, keyPath: \.shownOrder) }
        didSet { registrar.didSet(self, keyPath: \.shownOrder) }
    }
    /// The order for the public getters. Reading it registers a dependency of the view that is being evaluated.
    private var shownOrder: PlayOrder<Entry> {
        ObservationScope.access(registrar, self, \.shownOrder)
        return order
    }
    private let registrar = ObservationRegistrar()
    /// Whether the last frame stays visible at the end of a list of several entries. At the end of a single entry, the
    /// last frame always stays visible.
    ///
    /// Set the property before ``begin(at:)``. A later change applies when the queue next adds items.
    public var keepsLastFrame = false
    /// Called with each new item and the index of its entry, before the item is in the player's queue.
    public var onItem: ((_ item: AVPlayerItem, _ index: Int) -> Void)?
    /// Called when another entry has become the current one, because playback has reached it or because a method of the
    /// queue was called. It is also called when a method starts the current entry again.
    ///
    /// ```swift
    /// queue.onMove = { [weak queue] in
    ///     guard let queue else { return }
    ///     print("\(queue.index + 1) of \(queue.entries.count)")
    /// }
    /// ```
    public var onMove: (() -> Void)?
    /// Called when the last entry has ended, or no remaining entry can be played.
    ///
    /// Not called if the player stops at the last entry: in a list of one entry, and if ``keepsLastFrame`` is true.
    public var onEnd: (() -> Void)?
    /// Called with the index of an entry that is skipped because it has no item.
    package var onMissing: ((_ index: Int) -> Void)?
    /// Called with each item that is removed from the player's queue before it has become the current one.
    package var onWithdraw: ((AVPlayerItem) -> Void)?

    private let items: EntryItems<Entry>
    private var observation: NSKeyValueObservation?
    /// The current entry's item; nil before playback begins and after the queue has ended.
    package private(set) var current: AVPlayerItem?
    private var queued: UpcomingItems
    private var isMoving = false
    /// Whether the current entry was requested: by a method of the queue, or by code that removed the item before it
    /// from the player. False if the entry follows one that has ended or failed.
    package private(set) var isRequested = false

    /// Creates a queue. Call ``begin(at:)`` to give the player its items.
    /// - Parameters:
    ///   - entries: The entries, in the order in which they play.
    ///   - player: A player without items.
    ///   - makeItem: Creates the item of an entry, up to 8 entries before that entry plays. It is called again if the
    ///     entry is added to the player's queue again.
    public convenience init(
        _ entries: [Entry] = [], player: AVQueuePlayer, makeItem: @escaping @MainActor (Entry) -> AVPlayerItem
    ) {
        self.init(entries, player: player, lookahead: 8, makeItem: { makeItem($0) })
    }

    /// Creates a queue whose entries can be missing.
    /// - Parameters:
    ///   - entries: The entries, in the order in which they play.
    ///   - player: A player without items.
    ///   - lookahead: The maximum number of next items in the player's queue.
    ///   - makeItem: Creates the item of an entry; nil if the entry is missing now, so that it is skipped.
    package init(
        _ entries: [Entry] = [], player: AVQueuePlayer, lookahead: Int,
        makeItem: @escaping @MainActor (Entry) -> AVPlayerItem?
    ) {
        self.player = player
        queued = UpcomingItems(limit: lookahead)
        order = PlayOrder(entries)
        items = EntryItems(makeItem)
        observation = player.observe(\.currentItem) { [weak self] _, _ in self?.noticeMove() }
    }

    // MARK: entries

    /// The entries, in the order in which they play.
    public var entries: [Entry] { shownOrder.entries }
    /// The index of the current entry; 0 if there are no entries.
    public var index: Int { shownOrder.index }
    /// The number of times that playback has continued by itself from the last entry to the first.
    public var rounds: Int { shownOrder.rounds }
    /// Whether the first entry follows the last one. Default: false. To loop a single entry, loop the item
    /// (`AVPlayerLooper`).
    public var wraps: Bool {
        get { shownOrder.wraps }
        set {
            guard newValue != order.wraps else { return }
            order.wraps = newValue
            refill()
        }
    }
    /// The number of times that the first entry may still follow the last one; nil without a limit.
    package var roundsLeft: Int? { order.roundsLeft }

    /// Makes an entry the current one, and adds the entries after it to the player's queue. Does not start playback.
    /// Ignored if there is no such entry.
    public func begin(at index: Int = 0) {
        if order.entries.indices.contains(index) { _ = move(to: PlayOrderPosition(index), thenPlay: false) }
    }

    /// Uses an item that the player already has as the item of the first entry.
    package func adopt(_ item: AVPlayerItem) { if order.index == 0, !order.entries.isEmpty { current = item } }

    /// The current entry; nil if there are no entries.
    public var entry: Entry? {
        let order = shownOrder
        return order.entries.indices.contains(order.index) ? order.entries[order.index] : nil
    }
    /// The items in the player's queue that follow the current one.
    package var upcoming: [AVPlayerItem] { queued.items }
    /// Returns the indices of the entries that follow the current one, whether or not they have items; at most `count`,
    /// each once.
    package func following(_ count: Int) -> [Int] { order.following(count) }
    /// Returns whether there is an entry `step` entries after (positive) or before (negative) the current one.
    ///
    /// ```swift
    /// queue.onMove = { [weak queue] in
    ///     guard let queue else { return }
    ///     center.nextTrackCommand.isEnabled = queue.canGo(by: 1)
    ///     center.previousTrackCommand.isEnabled = queue.canGo(by: -1)
    /// }
    /// ```
    public func canGo(by step: Int) -> Bool { shownOrder.next(by: step) != nil }

    /// Goes to the entry `step` entries after (positive) or before (negative) the current one. If the player is playing
    /// or has ended, it plays the entry. If it is paused before the end, it stays paused.
    /// - Returns: False if there is no such entry, or if none in that direction has an item.
    @discardableResult
    public func go(by step: Int) -> Bool {
        player.followPipeline()
        guard order.next(by: step) != nil else { return false }
        let plays = plays
        suspend()
        if moveToNearest(order.next(by: step), by: step, thenPlay: plays) { return true }
        fill()
        return false
    }

    /// Goes to the start of an entry. If the player is playing or has ended, it plays the entry. If it is paused before
    /// the end, it stays paused. Ignored if there is no such entry.
    public func jump(to index: Int) {
        guard order.entries.indices.contains(index) else { return }
        let plays = plays
        suspend()
        if !move(to: PlayOrderPosition(index), thenPlay: plays) { fill() }
    }

    private var plays: Bool { withoutObservationTracking { player.rate > 0 || player.isAtEnd } }

    /// Replaces or reorders the entries around the current entry, which continues to play.
    ///
    /// Call `player.followPipeline()` before you compute the new order, because the player may already play the next
    /// entry.
    /// - Parameters:
    ///   - entries: The new entries.
    ///   - index: The new index of the current entry.
    package func rearrange(_ entries: [Entry], index: Int) {
        order.replace(entries, index: index)
        refill()
        items.release(unlessIn: entries)
    }

    /// Replaces all entries, and plays one of the new ones. If there are none, removes the player's items.
    ///
    /// If the entry at `index` has no item, the next entry with an item plays.
    /// - Parameters:
    ///   - entries: The new entries.
    ///   - index: The index of the entry to play. An index without an entry counts as 0.
    public func replace(with entries: [Entry], at index: Int = 0) {
        // The positions of the next items are those of the old entries.
        withdraw()
        order.replace(entries, index: index)
        // An item that `problem(of:canOpen:)` has opened is kept for the list that follows.
        guard !entries.isEmpty else { return removeItems() }
        guard !moveToNearest(order.current, by: 1, thenPlay: true) else { return }
        removeItems()
        ObservationScope.callOut { onEnd?() }
    }

    /// Replaces all entries, and makes an item the current one.
    package func open(_ entries: [Entry], at index: Int, with item: AVPlayerItem) {
        order.entries = entries
        move(to: PlayOrderPosition(index), item)
    }

    /// Removes all entries and the player's items.
    package func clear() {
        order.replace([], index: 0)
        items.release(unlessIn: [])
        removeItems()
    }

    private func removeItems() {
        let hadItem = current != nil
        forgetItems()
        guard hadItem else { return }
        isMoving = true
        player.removeAllItems()
        isMoving = false
    }

    private func forgetItems() {
        current = nil
        _ = queued.remove()
    }

    // MARK: next items

    /// Sets whether and how often the list starts again. Items that are already in the player's queue stay there.
    package func setRounds(wraps: Bool, left: Int?) { order.setRounds(wraps: wraps, left: left) }

    /// Replaces an upcoming item that can't be played, and the ones after it, with the items of later entries.
    package func skip(_ item: AVPlayerItem) {
        // The player may already play it.
        player.followPipeline()
        guard let (index, orderPosition) = queued.find(item) else { return }
        if index == 0 { player.actionAtItemEnd = .pause }
        withdraw(from: index)
        fill(after: orderPosition)
    }

    /// Removes the upcoming items, so that the player stops at the end of the current one.
    package func withdrawUpcoming() {
        suspend()
        player.actionAtItemEnd = .pause
    }

    /// Follows the player to its current item, if it has continued with that item.
    ///
    /// Code that also observes the player calls this method, because the order of observers is not defined.
    package func noticeMove() { follow(withoutObservationTracking { player.currentItem }) }

    // MARK: opening before replacing

    /// Opens entries of another list until one of them can be played. Meanwhile the current entry continues to play.
    ///
    /// Opens at most 16 entries. Canceling the task ends the search.
    /// - Parameters:
    ///   - entries: The entries of the other list.
    ///   - canOpen: Returns whether an entry can be opened now and again later. A pipe can't, because reading consumes
    ///     its data.
    /// - Returns: The reason why the first entry can't be played. Nil if one of the first 16 entries can be played, is
    ///   missing, or is one for which `canOpen` returns false.
    package func problem(of entries: [Entry], canOpen: (Entry) -> Bool) async -> AVError? {
        await items.problem(of: entries, canOpen: canOpen)
    }

    // MARK: moving

    /// Moves to the first entry with an item: the one at `start`, or one that follows in steps of `step`.
    private func moveToNearest(_ start: PlayOrderPosition?, by step: Int, thenPlay plays: Bool) -> Bool {
        var next = start
        for _ in order.entries {
            guard let orderPosition = next else { return false }
            if move(to: orderPosition, thenPlay: plays) { return true }
            next = order.next(from: orderPosition, by: step)
        }
        return false
    }

    /// Moves to an entry. Returns false if the entry has no item.
    private func move(to orderPosition: PlayOrderPosition, thenPlay plays: Bool, isRequested: Bool = true) -> Bool {
        guard let item = items.item(of: order.entries[orderPosition.index]) else {
            onMissing?(orderPosition.index)
            return false
        }
        order.spend(orderPosition.rounds)
        move(to: orderPosition, item, isRequested: isRequested)
        if plays { player.play() }
        return true
    }

    private func move(to orderPosition: PlayOrderPosition, _ item: AVPlayerItem, isRequested: Bool = true) {
        isMoving = true
        self.isRequested = isRequested
        ObservationScope.callOut { onItem?(item, orderPosition.index) }
        order.index = orderPosition.index
        current = item
        withdraw()
        player.replaceCurrentItem(with: item)
        fill()
        isMoving = false
        items.release(unlessIn: order.entries)
        ObservationScope.callOut { onMove?() }
    }

    /// Selects the next items again.
    private func refill() {
        suspend()
        fill()
    }

    /// Removes the upcoming items. `fill` or `move` adds items again.
    private func suspend() {
        // From here on, the player does not continue with a queued item.
        if !queued.isEmpty { player.actionAtItemEnd = .pause }
        // The player may already play one of them.
        player.followPipeline()
        withdraw()
    }

    private func withdraw(from first: Int = 0) {
        let wasMoving = isMoving
        isMoving = true
        for item in queued.remove(from: first) {
            player.remove(item)
            onWithdraw?(item)
        }
        isMoving = wasMoving
    }

    /// Adds the next items to the player's queue.
    /// - Parameter orderPosition: The position before that of the next item; nil for the position of the last item in
    ///   the queue.
    private func fill(after orderPosition: PlayOrderPosition? = nil) {
        guard current != nil else { return }
        var (orderPosition, missing) = (orderPosition, 0)
        while !queued.isFull, missing < order.entries.count,
            let next = order.next(from: orderPosition ?? queued.lastPosition ?? order.current, by: 1)
        {
            guard let item = items.item(of: order.entries[next.index]) else {
                (orderPosition, missing) = (next, missing + 1)
                continue
            }
            orderPosition = nil
            ObservationScope.callOut { onItem?(item, next.index) }
            queued.append(item, at: next)
            player.actionAtItemEnd = .advance
            player.insert(item, after: nil)
        }
        let isLast = queued.isEmpty && (keepsLastFrame || order.entries.count < 2)
        player.actionAtItemEnd = isLast ? .pause : .advance
    }

    private func follow(_ item: AVPlayerItem?) {
        guard !isMoving, item !== current else { return }
        guard let item else {
            // None of the queued items could be played. Later entries may be playable.
            queued.skipAll()
            if let last = queued.lastPosition, queued.skipped < order.entries.count,
                let next = order.next(from: last, by: 1)
            {
                order.rounds += next.rounds
                if move(to: next, thenPlay: true, isRequested: false) { return }
            }
            forgetItems()
            ObservationScope.callOut { onEnd?() }
            return
        }
        guard let (index, orderPosition) = queued.find(item) else { return }
        isRequested = current.map { $0.leftTime != nil && $0.status != .failed } ?? false
        order.follow(orderPosition)
        current = item
        queued.advance(to: index)
        fill()
        ObservationScope.callOut { onMove?() }
    }
}
