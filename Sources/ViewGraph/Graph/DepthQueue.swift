/// A queue of objects ordered by depth, then by insertion. Each object is in the queue at most once.
///
/// The cost of adding, removing and taking an object does not depend on the number of waiting objects. With a thousand
/// invalid views in a window, no operation searches all of them.
struct DepthQueue<Member: AnyObject> {
    private struct Level {
        var members: [Member] = []
        /// The index of the next member to take.
        var next = 0
    }
    private var levels: [Level] = []
    /// The lowest depth at which a member may wait.
    private var lowest = 0
    /// The identities of the waiting members. A level may also contain members that were removed.
    private var waiting: Set<ObjectIdentifier> = []

    var isEmpty: Bool { waiting.isEmpty }
    func contains(_ member: Member) -> Bool { waiting.contains(ObjectIdentifier(member)) }

    /// Adds an object, unless it is already waiting.
    /// - Parameter depth: The depth, 0 or more. It must be the same each time for one object.
    mutating func insert(_ member: Member, depth: Int) {
        guard waiting.insert(ObjectIdentifier(member)).inserted else { return }
        while levels.count <= depth { levels.append(Level()) }
        levels[depth].members.append(member)
        lowest = min(lowest, depth)
    }

    mutating func remove(_ member: Member) { waiting.remove(ObjectIdentifier(member)) }

    mutating func removeAll() { self = DepthQueue() }

    /// Removes and returns the first object, or returns nil if the queue is empty.
    mutating func popFirst() -> Member? {
        while lowest < levels.count {
            while levels[lowest].next < levels[lowest].members.count {
                let member = levels[lowest].members[levels[lowest].next]
                levels[lowest].next += 1
                if waiting.remove(ObjectIdentifier(member)) != nil { return member }
            }
            levels[lowest] = Level()
            lowest += 1
        }
        return nil
    }
}
