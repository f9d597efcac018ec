/// The parts of an element's layout that are up to date.
struct LayoutStatus {
    /// Whether the element has been placed, so that its frame is valid.
    private(set) var isPlaced = false
    private var isLaidOut = false
    /// Whether the frame of the element or of an ancestor has changed, and the descendants have not been updated yet.
    private(set) var hasMoved = false
    /// Whether the element or a descendant is a `PositionFollower`. Nil if not known.
    private(set) var containsFollower: Bool?

    /// Records that the element or a descendant has changed.
    mutating func invalidate() {
        isLaidOut = false
        containsFollower = nil
    }

    /// Records that the element has been removed from its parent.
    mutating func detach() {
        isPlaced = false
        isLaidOut = false
    }

    /// Records that the element is placed.
    /// - Parameter isSameSize: Whether the size and the proposal are those of the last placement.
    /// - Returns: Whether the children must be laid out.
    mutating func place(isSameSize: Bool) -> Bool {
        isPlaced = true
        guard !isLaidOut || !isSameSize else { return false }
        isLaidOut = true
        return true
    }

    /// Records a frame that was set without a layout.
    mutating func assumePlace() { isPlaced = true }

    /// Records that the position may have changed.
    mutating func move() { hasMoved = true }

    /// Records that the descendants know the position, unless the element is hidden. A hidden element is updated when
    /// it is placed again.
    mutating func updateDescendants(isHidden: Bool = false) { hasMoved = isHidden }

    mutating func setContainsFollower(_ contains: Bool) { containsFollower = contains }
}
