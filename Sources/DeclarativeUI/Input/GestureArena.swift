import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// The arbiter of all gestures of one widget, which receive the same presses.
///
/// The first recognized gesture excludes the others until all fingers are lifted, except those that can be recognized
/// together with it. A tap waits until a double tap with precedence is no longer possible.
@MainActor
final class GestureArena {
    /// The gestures, those with precedence first.
    private(set) var controllers: [GestureController] = []
    /// The gestures that currently have fingers on the widget.
    private var active: Set<ObjectIdentifier> = []
    private var winners: [WeakController] = []
    private var isClaimed = false
    /// Whether the pointer or finger was dragged during this press. If so, the end of the press is not a tap, not even
    /// for a gesture that can be recognized together with the drag.
    private var isDragged = false
    /// The taps that wait until a tap with precedence is no longer possible, and their actions.
    private var waiting: [(controller: WeakController, action: () -> Void)] = []
    private var waitGeneration = 0

    private struct WeakController { weak var controller: GestureController? }

    /// Creates the gestures of a widget.
    /// - Parameter sources: The elements whose gestures are recognized on the widget, the innermost first.
    init(_ sources: [GestureElement], on widget: GTKWidget, of element: GestureElement) {
        let candidates = sources.flatMap { source in source.recognizers.indices.map { (source, $0) } }
        // Of the gestures with high priority, the outermost comes first.
        let byPriority =
            Array(candidates.filter { $0.0.recognizers[$0.1].isFirst }.reversed())
            + candidates.filter { !$0.0.recognizers[$0.1].isFirst }
        // Simultaneous gestures must receive each event before another gesture claims it. At the end of a tap, GTK
        // reports a claimed event to no other gesture.
        let order =
            byPriority.filter { $0.0.recognizers[$0.1].isSimultaneous }
            + byPriority.filter { !$0.0.recognizers[$0.1].isSimultaneous }
        controllers = order.map { GestureController($0.0, $0.1, on: widget, of: element, in: self) }
        // GTK calls gestures in the reverse order of their addition.
        for controller in controllers.reversed() { controller.add() }
        // When one gesture claims a sequence, GTK cancels the other gestures of the widget, except those of its group.
        // With one group, the arena decides.
        if let first = controllers.first {
            for other in controllers.dropFirst() { first.join(other) }
        }
    }

    func remove() {
        for controller in controllers { controller.remove() }
        controllers = []
        waiting = []
        waitGeneration += 1
    }

    // MARK: fingers

    func began(_ controller: GestureController) {
        if active.isEmpty {
            winners = []
            isClaimed = false
            isDragged = false
        }
        active.insert(ObjectIdentifier(controller))
    }

    func ended(_ controller: GestureController) {
        active.remove(ObjectIdentifier(controller))
        // The press has stopped the timer of the waiting taps. It starts again, in case the press was not a tap.
        if active.isEmpty, !waiting.isEmpty { wait() }
    }

    /// Returns whether `controller` can be recognized now. If so, the arena records it as recognized.
    func tryToSucceed(_ controller: GestureController) -> Bool {
        for winner in winners.compactMap(\.controller) where winner !== controller && competes(winner, controller) {
            return false
        }
        if !winners.contains(where: { $0.controller === controller }) {
            winners.append(WeakController(controller: controller))
        }
        // A second claim would take the sequence from the first gesture.
        if !isClaimed, controller.recognizer?.isSimultaneous == false {
            isClaimed = true
            controller.claim()
        }
        return true
    }

    private func competes(_ a: GestureController, _ b: GestureController) -> Bool {
        guard let first = a.recognizer, let second = b.recognizer else { return false }
        if first.partners.contains(ObjectIdentifier(second)) { return false }
        return a.source === b.source || !(first.isSimultaneous || second.isSimultaneous)
    }

    /// Records that a recognized drag has moved by a distance in points.
    func dragged(_ distance: CGFloat) {
        if distance >= GestureArena.tapDistance { isDragged = true }
    }

    // MARK: taps

    /// The distance in points by which GTK allows a tap to move.
    static let tapDistance: CGFloat = 8

    /// Handles a complete tap: runs `action` now, or when taps with precedence are no longer possible.
    func tapped(_ controller: GestureController, count: Int, _ action: @escaping () -> Void) {
        guard !isDragged, tryToSucceed(controller) else { return }
        // The taps that waited for this one to fail have lost.
        waiting.removeAll { waiter in waiter.controller.controller.map { competes($0, controller) } ?? true }
        let before = controllers.prefix { $0 !== controller }
        let mustWait = before.contains { other in
            guard case .tap(let more, _)? = other.recognizer?.kind, other.isEnabled else { return false }
            return more > count && competes(other, controller)
        }
        guard mustWait else { return perform(controller, action) }
        waiting.append((WeakController(controller: controller), action))
        // The tap has not won until the waiting time is over.
        winners.removeAll { $0.controller === controller }
        wait()
    }

    /// Runs the action of a tap, later if the gesture is simultaneous and the widget has other gestures.
    ///
    /// A simultaneous gesture receives the press before the other gestures, although its view is around their views.
    /// Therefore its action runs after their actions.
    private func perform(_ controller: GestureController, _ action: @escaping () -> Void) {
        guard controller.recognizer?.isSimultaneous == true,
            controllers.contains(where: { $0.recognizer?.isSimultaneous == false })
        else { return action() }
        OnMain.later { action() }
    }

    /// Ends or extends the waiting time of taps when a press begins.
    /// - Parameter count: The number of this press in a series of presses.
    func pressed(count: Int) {
        // A first press begins a new series, so the earlier series is complete.
        if count == 1 { runWaitingTaps() } else { waitGeneration += 1 }
    }

    /// Returns whether the press can still become a tap that has precedence over `controller`.
    func mayBeTapBefore(_ controller: GestureController) -> Bool {
        controllers.prefix { $0 !== controller }.contains { other in
            guard case .tap? = other.recognizer?.kind, other.isEnabled else { return false }
            return competes(other, controller)
        }
    }

    private func wait() {
        waitGeneration += 1
        let generation = waitGeneration
        OnMain.later(GestureArena.doubleClickTime) { [weak self] in
            guard let self, self.waitGeneration == generation else { return }
            self.runWaitingTaps()
        }
    }

    private func runWaitingTaps() {
        waitGeneration += 1
        let taps = waiting
        waiting = []
        for tap in taps { tap.action() }
    }

    /// The maximum time between the clicks of a double click, in seconds.
    private static var doubleClickTime: Double {
        let milliseconds = GTKSettings.standard?.doubleClickMilliseconds ?? 400
        return Double(max(1, milliseconds)) / 1000
    }
}
