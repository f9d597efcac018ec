import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// Who is recognised, of all gestures that see the same presses: those of one widget.
///
/// The first to be recognised keeps the others out until all fingers are up, but for those that may be recognised
/// beside it. A tap waits for the double tap that comes before it.
@MainActor
final class GestureArena {
    /// Those that come first at first.
    private(set) var controllers: [GestureController] = []
    /// What holds fingers now.
    private var active: Set<ObjectIdentifier> = []
    private var winners: [WeakController] = []
    private var isClaimed = false
    /// Something was dragged with this press: its end is no tap, also not of one that may be recognised beside the
    /// drag.
    private var isDragged = false
    /// Taps that wait, and what they do.
    private var waiting: [(controller: WeakController, action: () -> Void)] = []
    private var turn = 0

    private struct WeakController { weak var controller: GestureController? }

    /// - Parameter sources: the elements whose gestures are recognised here, the innermost first.
    init(_ sources: [GestureElement], on widget: GTKWidget, of element: GestureElement) {
        let all = sources.flatMap { source in source.recognizers.indices.map { (source, $0) } }
        // The outermost of those that insist on being first is the first.
        let one =
            Array(all.filter { $0.0.recognizers[$0.1].isFirst }.reversed())
            + all.filter { !$0.0.recognizers[$0.1].isFirst }
        // Those that may be recognised beside others see each event before one of the others claims it: of a tap that
        // is at its end, of which GTK then tells nobody else.
        let order =
            one.filter { $0.0.recognizers[$0.1].isSimultaneous } + one.filter { !$0.0.recognizers[$0.1].isSimultaneous }
        controllers = order.map { GestureController($0.0, $0.1, on: widget, of: element, in: self) }
        // GTK asks the one that was added last first.
        for controller in controllers.reversed() { controller.add() }
        // Of a sequence that one claims GTK lets the others of its widget see no more, but those of its group: who may
        // go on is decided here.
        if let first = controllers.first {
            for other in controllers.dropFirst() { first.join(other) }
        }
    }

    func remove() {
        for controller in controllers { controller.remove() }
        controllers = []
        waiting = []
        turn += 1
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
        // A row of clicks may be over with this.
        if active.isEmpty, !waiting.isEmpty { wait() }
    }

    /// True when `controller` may be recognised now: it then is.
    func wins(_ controller: GestureController) -> Bool {
        for winner in winners.compactMap(\.controller) where winner !== controller && competes(winner, controller) {
            return false
        }
        if !winners.contains(where: { $0.controller === controller }) {
            winners.append(WeakController(controller: controller))
        }
        // Once is enough, and a second claim would take the sequence from the first.
        if !isClaimed, controller.recognizer?.isSimultaneous == false {
            isClaimed = true
            controller.claim()
        }
        return true
    }

    private func competes(_ a: GestureController, _ b: GestureController) -> Bool {
        guard let one = a.recognizer, let other = b.recognizer else { return false }
        if one.partners.contains(ObjectIdentifier(other)) { return false }
        return a.source === b.source || !(one.isSimultaneous || other.isSimultaneous)
    }

    /// A drag was recognised, and has come so far, points.
    func dragged(_ distance: CGFloat) {
        if distance >= GestureArena.tapDistance { isDragged = true }
    }

    // MARK: taps

    /// As far as GTK lets taps move, points.
    static let tapDistance: CGFloat = 8

    /// The clicks that it takes for a tap were made: `action` is done now, or when those that come first cannot come
    /// any more.
    func tapped(_ controller: GestureController, count: Int, _ action: @escaping () -> Void) {
        guard !isDragged, wins(controller) else { return }
        // Whatever waited for this one not to come waits in vain.
        waiting.removeAll { waiter in waiter.controller.controller.map { competes($0, controller) } ?? true }
        let before = controllers.prefix { $0 !== controller }
        let mustWait = before.contains { other in
            guard case .tap(let more, _)? = other.recognizer?.kind, other.isEnabled else { return false }
            return more > count && competes(other, controller)
        }
        guard mustWait else { return carryOut(controller, action) }
        waiting.append((WeakController(controller: controller), action))
        // It has not won yet.
        winners.removeAll { $0.controller === controller }
        wait()
    }

    /// One that may be recognised beside others has seen the press before them (`init`), and acts after them, as it was
    /// written: around them.
    private func carryOut(_ controller: GestureController, _ action: @escaping () -> Void) {
        guard controller.recognizer?.isSimultaneous == true,
            controllers.contains(where: { $0.recognizer?.isSimultaneous == false })
        else { return action() }
        OnMain.later { action() }
    }

    /// - Parameter count: how many presses in a row this is.
    func pressed(count: Int) {
        // Those before are a row of their own.
        if count == 1 { settle() } else { turn += 1 }
    }

    /// Whether a press may still become a tap that comes before `controller`.
    func mayBeTapBefore(_ controller: GestureController) -> Bool {
        controllers.prefix { $0 !== controller }.contains { other in
            guard case .tap? = other.recognizer?.kind, other.isEnabled else { return false }
            return competes(other, controller)
        }
    }

    private func wait() {
        turn += 1
        let mine = turn
        OnMain.later(GestureArena.doubleClickTime) { [weak self] in
            guard let self, self.turn == mine else { return }
            self.settle()
        }
    }

    private func settle() {
        turn += 1
        let all = waiting
        waiting = []
        for one in all { one.action() }
    }

    /// Seconds.
    private static var doubleClickTime: Double {
        let milliseconds = GTKSettings.standard?.doubleClickMilliseconds ?? 400
        return Double(max(1, milliseconds)) / 1000
    }
}
