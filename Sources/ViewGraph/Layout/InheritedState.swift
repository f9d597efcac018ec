/// The layout direction of an element: its own, or that of its parent if it has none.
struct Mirroring {
    /// The direction that is set for the element. If nil, the parent's direction applies.
    var direction: LayoutDirection?
    /// Whether the element is laid out from right to left.
    private(set) var isMirrored = false

    /// Applies the parent's direction. Returns whether `isMirrored` has changed.
    mutating func inherit(_ isParentMirrored: Bool) -> Bool {
        let new = direction.map { $0 == .rightToLeft } ?? isParentMirrored
        guard new != isMirrored else { return false }
        isMirrored = new
        return true
    }
}

/// Whether an element receives no input, because it is inert itself or its parent is.
struct Inertness {
    /// Whether the element is inert itself.
    var isOwn = false
    private(set) var isInert = false

    /// Applies the parent's inertness. Returns whether `isInert` has changed.
    mutating func inherit(_ isParentInert: Bool) -> Bool {
        let new = isOwn || isParentInert
        guard new != isInert else { return false }
        isInert = new
        return true
    }
}
