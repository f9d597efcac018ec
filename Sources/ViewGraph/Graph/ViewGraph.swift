import Foundation
import Logging

/// A tree of fibers under one root view, and the updates of that tree.
///
/// **Updates.** A change invalidates the views that read the changed value. At the end of the main loop iteration, each
/// invalid view is evaluated once, parents before children. Actions of `onChange`, `onAppear` and similar modifiers run
/// after that. Their changes are evaluated when they have run, before anything is drawn. Changes within
/// `withTransaction` are evaluated at its end, in an action too.
@MainActor
package final class ViewGraph {
    /// The number of body evaluations so far, for tests and the benchmark.
    var evaluations = 0
    /// Called after every update. The host then lays out and draws if necessary.
    package var onUpdate: (() -> Void)?
    /// The time of animations, in seconds. Tests replace this clock.
    package var now: () -> Double = { AnimationClock.now() }
    /// The current date. Tests replace this clock, and `wake`, which calls a closure after a number of seconds.
    var date: () -> Date = { Date() }
    var wake: (Double, @escaping @MainActor () -> Void) -> Void = { OnMain.later($0, $1) }
    package private(set) var root: _Fiber?
    private var dirty = DepthQueue<_Fiber>()
    private var phase = UpdatePhase()
    private var actions = UpdateActions()
    private var observers = PreferenceObservers()
    /// The transaction of the current update.
    package private(set) var transaction = Transaction()
    /// Incremented with each update, so that a modifier can detect whether a change belongs to the current one.
    private(set) var updateNumber = 0
    /// The animation of the next layout. The host resets the property after that layout.
    package var layoutAnimation: Animation?
    package nonisolated static let logger = Logger(label: "zoetrope.ui")
    /// The number of rounds after which an update whose actions keep invalidating views is stopped with a log message.
    private static let maximumRounds = 100

    /// Creates a fiber that shows a message in place of a view that cannot be evaluated.
    let makeNotice: (String, _FiberInputs) -> _Fiber

    package init(makeNotice: @escaping @MainActor (String, _FiberInputs) -> _Fiber) {
        self.makeNotice = makeNotice
        Transaction.graphs.append(Transaction.WeakGraph(graph: self))
    }

    package func mount<V: View>(_ view: V, environment: EnvironmentValues) {
        root?.remove()
        perform {
            root = V._makeFiber(
                view, _FiberInputs(graph: self, parent: nil, environment: environment, appearanceScope: nil))
        }
    }

    /// Sets another environment for the root view.
    package func replaceEnvironment<V: View>(_ type: V.Type, _ environment: EnvironmentValues) {
        guard let fiber = root as? _ViewFiber<V> else { return }
        change { fiber.update(fiber.view, environment) }
    }

    /// Runs `body`, which changes the graph from outside, as one update.
    package func change(_ body: () -> Void) { perform(Transaction(), body) }

    /// Removes all views.
    package func unmount() {
        root?.remove()
        root = nil
        dirty.removeAll()
        flush()
    }

    package func log(_ text: String) { ViewGraph.logger.error("\(text)") }

    // MARK: invalidation

    package func validated(_ fiber: _Fiber) { dirty.remove(fiber) }

    package func invalidate(_ fiber: _Fiber) {
        dirty.insert(fiber, depth: fiber.depth)
        schedule()
    }

    /// Runs `action` when the invalid views of the current update have been evaluated. If no update is running, runs
    /// `action` in the next one.
    package func after(_ action: @escaping () -> Void) {
        actions.add(action)
        schedule()
    }

    /// Whether views are invalid or actions wait for the next update.
    var needsUpdate: Bool { !dirty.isEmpty || actions.hasAdded }

    private func schedule() {
        guard phase.schedule() else { return }
        OnMain.later { [weak self] in self?.flush() }
    }

    /// Evaluates all invalid views now, in an action too.
    package func flush(_ transaction: Transaction = Transaction()) {
        phase.flush()
        guard needsUpdate else { return }
        if phase.isActing {
            evaluate(transaction)
        } else if !phase.isUpdating {
            perform(transaction) {}
        }
    }

    private func perform(_ transaction: Transaction = Transaction(), _ first: () -> Void) {
        guard phase.begin() else { return withoutEvaluations(first) }
        // A layout may have changed views since the last update.
        updateNumber += 1
        let outer = Transaction.current
        Transaction.current = Transaction()
        defer { Transaction.current = outer }
        withTransaction(transaction, first)
        evaluate(transaction)
        var rounds = 0
        while actions.hasRound {
            rounds += 1
            let due = actions.takeRound()
            phase.beginActions()
            for batch in due {
                withTransaction(batch.transaction) { for action in batch.actions { action() } }
            }
            phase.endActions()
            // Changes by actions do not belong to the transaction of the update.
            evaluate(Transaction())
            stop(after: rounds)
        }
        phase.end()
        onUpdate?()
    }

    /// Evaluates the invalid views with `transaction`. The actions that this causes run in the next round.
    private func evaluate(_ transaction: Transaction) {
        withoutEvaluations {
            withTransaction(transaction) {
                var rounds = 0
                repeat {
                    rounds += 1
                    while let next = dirty.popFirst() {
                        if next.isRemoved { continue }
                        withTransaction(next.transactionInside(transaction)) { next.reevaluate() }
                    }
                    notifyPreferences()
                    stop(after: rounds)
                } while !dirty.isEmpty
            }
        }
        updateNumber += 1
        actions.evaluationDidEnd(transaction)
    }

    /// Runs `body`, in which views are created and changed, so that none can be evaluated.
    private func withoutEvaluations(_ body: () -> Void) {
        let wasActing = phase.pauseActions()
        defer { phase.resumeActions(wasActing) }
        body()
    }

    /// Drops everything that waits if the update has had too many rounds.
    private func stop(after rounds: Int) {
        guard rounds == ViewGraph.maximumRounds, needsUpdate || actions.hasRound else { return }
        log(
            "Views keep changing each other's state: the update was stopped after \(rounds) rounds. Don't change state in a body that depends on it."
        )
        dirty.removeAll()
        _ = actions.takeAll()
    }

    /// Runs `body` with `transaction` as the current transaction.
    func withTransaction<T>(_ transaction: Transaction, _ body: () -> T) -> T {
        let outer = self.transaction
        self.transaction = transaction
        defer { self.transaction = outer }
        return body()
    }

    // MARK: preferences

    package func add(_ observer: PreferenceObserver) { observers.add(observer) }
    package func remove(_ observer: PreferenceObserver) { observers.remove(observer) }

    /// Marks preferences as possibly changed, because a view that sets one was inserted, removed or evaluated.
    package func preferencesMayHaveChanged() { observers.invalidate() }

    private func notifyPreferences() {
        for observer in observers.takeDue() { observer.check() }
    }
}

/// The clock of the animations in all windows, in seconds.
@MainActor
package enum AnimationClock {
    /// The time at which the clock is stopped, or nil. Tests use it to inspect single frames of an animation.
    package static var held: Double?
    package nonisolated static func now() -> Double {
        MainActor.assumeIsolated { held } ?? Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}
