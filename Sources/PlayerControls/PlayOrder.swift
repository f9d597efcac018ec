/// The index of an entry that plays now or later, and the number of times that the list starts again before it.
struct PlayOrderPosition: Equatable {
    let index: Int
    /// The number of times that the list starts again between the current entry and this one.
    var rounds = 0
    init(_ index: Int, rounds: Int = 0) { (self.index, self.rounds) = (index, rounds) }
}

/// The order of the entries of a queue, and its current entry.
struct PlayOrder<Entry> {
    var entries: [Entry]
    /// The index of the current entry; 0 if there are no entries.
    var index = 0
    /// Whether the first entry follows the last one.
    var wraps = false
    /// The number of times that playback has continued by itself from the last entry to the first.
    var rounds = 0
    /// The number of times that the first entry may still follow the last one; nil without a limit.
    private(set) var roundsLeft: Int?

    init(_ entries: [Entry]) { self.entries = entries }

    var current: PlayOrderPosition { PlayOrderPosition(index) }

    /// Returns the position `step` entries after (positive) or before (negative) `orderPosition`, which is the current
    /// position by default. Nil if there is no such entry.
    func next(from orderPosition: PlayOrderPosition? = nil, by step: Int) -> PlayOrderPosition? {
        let orderPosition = orderPosition ?? current
        let count = entries.count
        guard count > 0 else { return nil }
        let (sum, overflow) = orderPosition.index.addingReportingOverflow(step)
        guard !overflow else { return nil }
        if entries.indices.contains(sum) { return PlayOrderPosition(sum, rounds: orderPosition.rounds) }
        guard wraps, count > 1, step < 0 || roundsLeft.map({ orderPosition.rounds < $0 }) ?? true else { return nil }
        return PlayOrderPosition((sum % count + count) % count, rounds: orderPosition.rounds + (step > 0 ? 1 : 0))
    }

    /// Returns the indices of the entries that follow the current one; at most `count`, each once.
    func following(_ count: Int) -> [Int] {
        var indices: [Int] = []
        var orderPosition = current
        while indices.count < count, let next = next(from: orderPosition, by: 1), next.index != index,
            !indices.contains(next.index)
        {
            indices.append(next.index)
            orderPosition = next
        }
        return indices
    }

    /// Replaces the entries. An index without an entry counts as 0.
    mutating func replace(_ entries: [Entry], index: Int) {
        self.entries = entries
        self.index = entries.indices.contains(index) ? index : 0
    }

    mutating func setRounds(wraps: Bool, left: Int?) { (self.wraps, roundsLeft) = (wraps, left.map { max(0, $0) }) }

    /// Subtracts rounds from the limit.
    mutating func spend(_ rounds: Int) { roundsLeft = roundsLeft.map { $0 - rounds } }

    /// Follows playback that has continued by itself to `orderPosition`.
    mutating func follow(_ orderPosition: PlayOrderPosition) {
        index = orderPosition.index
        rounds += orderPosition.rounds
        spend(orderPosition.rounds)
    }
}
