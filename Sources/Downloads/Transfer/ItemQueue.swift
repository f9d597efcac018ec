import MediaCore

/// A resource of one of a job's renditions.
struct ItemReference: Hashable {
    var rendition: Int
    var place: Int
}

/// Every resource that a download still has to fetch, each in exactly one state. A value.
///
/// A resource is never taken out: it only changes its state, so none can be lost between being fetched, failing and
/// waiting for room on the disk. `isDone` counts states, not what is left in a list.
struct ItemQueue {
    enum State: Hashable {
        /// Never begun.
        case fresh
        /// Begun before; to be fetched again, from that time of the loop on.
        case waiting(until: HostTime)
        /// A transfer is at it.
        case running
        /// Its bytes are here and checked, not yet recorded.
        case arrived
        /// Recorded, under its name on the disk.
        case done
    }

    /// So many that failed wait at once; then no fresh ones are begun.
    static let mostWaiting = 64
    /// So many that are not ready (they wait for a key) are passed over.
    static let mostUnready = 8

    private(set) var items: [ItemReference] = []
    private var states: [State] = []
    private var positions: [ItemReference: Int] = [:]
    /// None before it is fresh.
    private var firstFresh = 0
    /// Positions by state, so that nobody has to look through all of them.
    private var waiting: Set<Int> = []
    private var running: Set<Int> = []
    private var doneCount = 0

    init() {}

    /// - Parameters:
    ///   - items: in the order in which they are to come, each once.
    ///   - old: those that it has keep their state.
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
    var count: Int { items.count }
    var isDone: Bool { doneCount == items.count }
    /// Nothing is under way, and nothing will be by itself.
    var isIdle: Bool { running.isEmpty && waiting.isEmpty && !states.contains(.arrived) }

    /// When the first of those that wait may be fetched again, if that is after `now`.
    func due(after now: HostTime) -> HostTime? {
        waiting.compactMap { position in
            if case .waiting(let time) = states[position], time > now { time } else { nil }
        }.min()
    }

    // MARK: changes

    /// The next one to be fetched, which is `running` from then on: one that failed before a fresh one.
    ///
    /// - Parameter isReady: what it is decrypted and decoded with is here.
    mutating func next(at now: HostTime, isReady: (ItemReference) -> Bool) -> ItemReference? {
        let again = waiting.filter { position in
            if case .waiting(let time) = states[position] { time <= now && isReady(items[position]) } else { false }
        }
        if let position = again.min() { return begin(position) }
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

    /// It failed, or what came of it is lost: again, from that time on.
    mutating func wait(_ item: ItemReference, until time: HostTime) { set(item, .waiting(until: time)) }
    mutating func arrived(_ item: ItemReference) { set(item, .arrived) }
    mutating func done(_ item: ItemReference) { set(item, .done) }

    /// All transfers are stopped; whatever they were at is fetched again, from now on.
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
