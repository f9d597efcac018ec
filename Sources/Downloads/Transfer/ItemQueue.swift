import MediaCore

/// A resource of one of a job's renditions.
struct ItemReference: Hashable {
    var rendition: Int
    var place: Int
}

/// A queue of every resource that a download still has to load, each in exactly one state.
///
/// A resource is never removed: only its state changes. Therefore no resource can be lost between loading, failing and
/// waiting for free space. `isDone` counts states, not the entries of a list.
struct ItemQueue {
    enum State: Hashable {
        /// Not started yet.
        case fresh
        /// Started before. A transfer may load the resource again at this time of the loop or later.
        case waiting(until: HostTime)
        /// A transfer is loading the resource.
        case running
        /// All bytes are received and checked, but not recorded yet.
        case arrived
        /// Recorded, with the final name on the disk.
        case done
    }

    /// The maximum number of failed items that wait. When this number is reached, no fresh items are started.
    static let mostWaiting = 64
    /// The maximum number of items to skip because they wait for a key.
    static let mostUnready = 8

    private(set) var items: [ItemReference] = []
    private var states: [State] = []
    private var positions: [ItemReference: Int] = [:]
    /// The position before which no item is fresh.
    private var firstFresh = 0
    /// The positions of the waiting and the running items, so that no search of all items is needed to find them.
    private var waiting: Set<Int> = []
    private var running: Set<Int> = []
    private var doneCount = 0

    init() {}

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - items: The items in the order of loading, each once.
    ///   - old: A queue whose items keep their state.
    init(_ items: [ItemReference], keeping old: ItemQueue = ItemQueue()) {
        self.items = items
        states = Array(repeating: .fresh, count: items.count)
        positions.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            positions[item] = position
            if let state = old.state(of: item), state != .fresh { set(position, state) }
        }
    }

    func state(of item: ItemReference) -> State? { positions[item].map { states[$0] } }
    var isDone: Bool { doneCount == items.count }
    /// Whether no item is running, waiting or arrived, so that no state changes without a call.
    var isIdle: Bool { running.isEmpty && waiting.isEmpty && !states.contains(.arrived) }

    /// Returns the earliest time after `now` at which a waiting item may be loaded again, or nil if there is none.
    func due(after now: HostTime) -> HostTime? {
        waiting.compactMap { position in
            if case .waiting(let time) = states[position], time > now { time } else { nil }
        }.min()
    }

    // MARK: changes

    /// Returns the next item to load and sets its state to `running`. Items that have failed come before fresh ones.
    ///
    /// - Parameter isReady: Whether the key and initialization section of an item are complete.
    mutating func next(at now: HostTime, isReady: (ItemReference) -> Bool) -> ItemReference? {
        let retryable = waiting.filter { position in
            if case .waiting(let time) = states[position] { time <= now && isReady(items[position]) } else { false }
        }
        if let position = retryable.min() { return begin(position) }
        guard waiting.count < ItemQueue.mostWaiting else { return nil }
        while firstFresh < states.count, states[firstFresh] != .fresh { firstFresh += 1 }
        var unready = 0
        for position in firstFresh..<states.count where states[position] == .fresh {
            if isReady(items[position]) { return begin(position) }
            unready += 1
            if unready >= ItemQueue.mostUnready { break }
        }
        return nil
    }

    private mutating func begin(_ position: Int) -> ItemReference {
        set(position, .running)
        return items[position]
    }

    /// Lets an item wait, to be loaded again from `time` on, because it failed or its bytes are lost.
    mutating func wait(_ item: ItemReference, until time: HostTime) { set(item, .waiting(until: time)) }
    mutating func arrived(_ item: ItemReference) { set(item, .arrived) }
    mutating func done(_ item: ItemReference) { set(item, .done) }

    /// Sets all running items to waiting, because their transfers are stopped. They may be loaded again at once.
    mutating func stopRunning() { for position in running { set(position, .waiting(until: .min)) } }

    private mutating func set(_ item: ItemReference, _ state: State) {
        if let position = positions[item] { set(position, state) }
    }

    private mutating func set(_ position: Int, _ state: State) {
        switch states[position] {
        case .waiting: waiting.remove(position)
        case .running: running.remove(position)
        case .done: doneCount -= 1
        case .fresh, .arrived: break
        }
        states[position] = state
        switch state {
        case .fresh: firstFresh = min(firstFresh, position)
        case .waiting: waiting.insert(position)
        case .running: running.insert(position)
        case .done: doneCount += 1
        case .arrived: break
        }
    }
}
