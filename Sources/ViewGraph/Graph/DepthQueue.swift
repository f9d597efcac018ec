/// Objects that wait, each at most once; those of the smallest depth come first, then those that were added first.
///
/// Adding, removing and taking an object do not depend on how many wait: a window in which a thousand views are invalid
/// is not searched for each of them.
struct DepthQueue<Member: AnyObject> {
    private struct Level {
        var members: [Member] = []
        /// The members before this index have been taken.
        var next = 0
    }
    private var levels: [Level] = []
    /// No member waits in a level before this one.
    private var lowest = 0
    /// The members that wait. A level may also contain members that were removed.
    private var waiting: Set<ObjectIdentifier> = []

    var isEmpty: Bool { waiting.isEmpty }
    func contains(_ member: Member) -> Bool { waiting.contains(ObjectIdentifier(member)) }

    /// Adds an object, unless it waits already. - Parameter depth: 0 or more; the same each time for one object.
    mutating func insert(_ member: Member, depth: Int) {
        guard waiting.insert(ObjectIdentifier(member)).inserted else { return }
        while levels.count <= depth { levels.append(Level()) }
        levels[depth].members.append(member)
        lowest = min(lowest, depth)
    }

    mutating func remove(_ member: Member) { waiting.remove(ObjectIdentifier(member)) }

    mutating func removeAll() { self = DepthQueue() }

    /// Takes the first object; nil if none waits.
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
