/// The state that decides whether a scroll area shows that it has the keyboard focus.
struct ScrollFocus {
    /// Whether the last input in the area was a key. GTK tracks only keys that no handler has used.
    private var usesKeys = false
    /// Whether the area showed the focus when it was last checked.
    private var wasShown = false

    mutating func keyUsed() { usesKeys = true }
    /// Handles a click, or the loss of the focus.
    mutating func forgetKeys() { usesKeys = false }

    /// Returns whether the area shows the focus.
    ///
    /// - Parameters:
    ///   - hasFocus: Whether the area has the keyboard focus.
    ///   - isVisibleInGTK: Whether GTK shows the focus.
    func isShown(hasFocus: Bool, isVisibleInGTK: @autoclosure () -> Bool) -> Bool {
        hasFocus && (usesKeys || isVisibleInGTK())
    }

    /// Stores whether the focus is shown, and returns whether that has changed.
    @discardableResult
    mutating func update(_ isShown: Bool) -> Bool {
        defer { wasShown = isShown }
        return isShown != wasShown
    }
}
