import Foundation

/// The progress of a surface's layout.
///
/// Geometry readers and lazy stacks create views during layout, whose elements need a layout themselves. The layout
/// therefore runs in rounds until no element needs another one.
struct LayoutProgress {
    /// The size of the last layout, in points.
    private(set) var size = CGSize.zero
    private(set) var isRunning = false
    /// Whether no element has needed a layout since the current round started.
    private var isComplete = false
    private var rounds = 0
    /// The maximum number of rounds, for elements that always need another one.
    static let maximumRounds = 8

    /// Starts a layout.
    mutating func begin(_ size: CGSize) {
        self.size = size
        isRunning = true
        isComplete = false
        rounds = 0
    }

    /// Starts the next round. Returns false if none is necessary, or if there were too many.
    mutating func startRound() -> Bool {
        guard !isComplete, rounds < LayoutProgress.maximumRounds else { return false }
        rounds += 1
        isComplete = true
        return true
    }

    /// Records that an element needs a layout.
    mutating func invalidate() { isComplete = false }

    mutating func end() { isRunning = false }
}
