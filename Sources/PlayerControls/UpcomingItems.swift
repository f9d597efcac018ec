import MediaEngine

/// The items that follow the current item of a queue, in order, with the positions of their entries.
///
/// There are several, because short items are read to their end before the first one is displayed.
struct UpcomingItems {
    private var queued: [(item: AVPlayerItem, orderPosition: PlayOrderPosition)] = []
    private let limit: Int
    /// The number of successive items that the player has skipped, because they could not be played.
    private(set) var skipped = 0

    /// Creates an empty list of at most `limit` items.
    init(limit: Int) { self.limit = limit }

    var items: [AVPlayerItem] { queued.map(\.item) }
    var isEmpty: Bool { queued.isEmpty }
    var isFull: Bool { queued.count >= limit }
    /// The position of the last item; nil if there are no items.
    var lastPosition: PlayOrderPosition? { queued.last?.orderPosition }

    /// Returns the index of an item, and the position of its entry; nil if the item does not follow the current one.
    func find(_ item: AVPlayerItem) -> (index: Int, orderPosition: PlayOrderPosition)? {
        guard let index = queued.firstIndex(where: { $0.item === item }) else { return nil }
        return (index, queued[index].orderPosition)
    }

    mutating func append(_ item: AVPlayerItem, at orderPosition: PlayOrderPosition) {
        queued.append((item, orderPosition))
    }

    /// Removes the items from an index on, and returns them.
    mutating func remove(from first: Int = 0) -> [AVPlayerItem] {
        let removed = queued[min(first, queued.count)...].map(\.item)
        queued.removeLast(removed.count)
        return removed
    }

    /// Counts all items as skipped, because the player has played none of them. They stay in the list.
    mutating func skipAll() { skipped += queued.count }

    /// Removes the item at `index`, which has become the current one, and the items before it, which were skipped. The
    /// rounds of the others then count from its position.
    mutating func advance(to index: Int) {
        skipped = index == 0 ? 0 : skipped + index
        let rounds = queued[index].orderPosition.rounds
        queued.removeFirst(index + 1)
        for index in queued.indices { queued[index].orderPosition.rounds -= rounds }
    }
}
