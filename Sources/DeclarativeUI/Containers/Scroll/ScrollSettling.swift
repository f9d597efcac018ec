import ViewGraph

/// A detector for the end of scrolling. It waits until a scroll area has not moved for 0.2 s.
@MainActor
final class ScrollSettling {
    /// The rule for where scrolling comes to rest.
    var rule = _ScrollRest.anywhere
    /// Called when scrolling has come to rest at a position that `rule` allows.
    var onRest: (() -> Void)?
    /// Called when the area has not moved for 0.2 s. The scroll area then scrolls to a resting position, or calls
    /// `onRest`.
    var onQuiet: (() -> Void)?
    private var movements = 0
    private let timer: (Double, @escaping @MainActor () -> Void) -> Void

    /// Creates the state of an area that has not moved.
    ///
    /// - Parameter timer: A function that calls a closure after a number of seconds.
    init(timer: @escaping (Double, @escaping @MainActor () -> Void) -> Void = { OnMain.later($0, $1) }) {
        self.timer = timer
    }

    /// Handles a movement. Does nothing if the area may rest anywhere and `onRest` is nil.
    func moved() {
        guard rule != .anywhere || onRest != nil else { return }
        movements += 1
        let movement = movements
        timer(0.2) { [weak self] in
            guard let self, movement == movements else { return }
            onQuiet?()
        }
    }
}
