import ViewGraph

/// The end of a movement: waits until a scroll area has not moved for 0.2 s.
@MainActor
final class ScrollSettling {
    /// The rule for where scrolling comes to rest.
    var rule = _ScrollRest.anywhere
    /// Called when scrolling has come to rest.
    var onRest: (() -> Void)?
    /// Called when nothing has moved for 0.2 s.
    var onQuiet: (() -> Void)?
    private var movements = 0
    private let timer: (Double, @escaping @MainActor () -> Void) -> Void

    /// Creates the state of an area that has not moved.
    ///
    /// - Parameter timer: Calls a closure after a number of seconds.
    init(timer: @escaping (Double, @escaping @MainActor () -> Void) -> Void = { OnMain.later($0, $1) }) {
        self.timer = timer
    }

    /// Handles a movement. Does nothing if the area may rest anywhere and nothing waits for the rest.
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
