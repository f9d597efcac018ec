/// The style rules of tints and of edited text, with the number of controls that use each.
///
/// An animated tint needs other rules for each frame. Rules that no control uses are kept for a while, because a
/// control often returns to its earlier tint.
struct ControlTints {
    private var all: [(name: String, rules: String, users: Int)] = []
    /// The number of tints above which tints that no control uses are removed.
    private let limit: Int

    init(limit: Int = 128) { self.limit = limit }

    /// The rules of all tints.
    var rules: String { all.map(\.rules).joined() }

    /// Records that one more control uses the tint with the style class `name`.
    ///
    /// - Parameter rules: A closure that returns the rules of a new tint.
    /// - Returns: Whether the tint is new, so that `rules` has changed.
    mutating func use(_ name: String, _ rules: () -> String) -> Bool {
        if let index = all.firstIndex(where: { $0.name == name }) {
            all[index].users += 1
            return false
        }
        while all.count >= limit, let unused = all.firstIndex(where: { $0.users == 0 }) { all.remove(at: unused) }
        all.append((name, rules(), 1))
        return true
    }

    /// Records that one control fewer uses the tint with the style class `name`.
    mutating func release(_ name: String) {
        guard let index = all.firstIndex(where: { $0.name == name }), all[index].users > 0 else { return }
        all[index].users -= 1
    }
}
