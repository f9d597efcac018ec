import Foundation
import Logging

/// A tree of fibers under one root view, and the turns in which it is brought up to date.
///
/// **Updates.** A change invalidates the views that read it; at the end of the main loop's turn all that is
/// invalid is evaluated once, parents before children. Actions of `onChange`, `onAppear` and the like run
/// after that, and what they change is evaluated at once, before anything is drawn.
///
/// Main actor.
@MainActor
package final class ViewGraph {
    /// Bodies evaluated so far; for tests and the benchmark.
    var evaluations = 0
    /// Told after every update; the host lays out and draws when it must.
    package var onUpdate: (() -> Void)?
    /// The time animations go by, seconds; another clock in tests.
    package var now: () -> Double = { AnimationClock.now() }
    /// The calendar's time, and who is called after some seconds of it; another one in tests.
    var date: () -> Date = { Date() }
    var wake: (Double, @escaping @MainActor () -> Void) -> Void = { OnMain.later($0, $1) }
    package private(set) var root: _Fiber?
    private var dirty = DepthQueue<_Fiber>()
    private var isScheduled = false
    private var isUpdating = false
    private var actions: [() -> Void] = []
    private var observers = PreferenceObservers()
    /// The animation with which changes of this moment are shown.
    package private(set) var transaction = Transaction()
    private var following: Transaction?
    /// The animation of the next layout; the host takes it.
    package var layoutAnimation: Animation?
    package nonisolated static let logger = Logger(label: "zoetrope.ui")
    /// A turn that never comes to rest is ended after this many rounds, with a line in the log.
    private static let maximumRounds = 100

    /// Makes a view that shows a text in place of one that cannot be evaluated.
    let makeNotice: (String, _FiberInputs) -> _Fiber

    package init(makeNotice: @escaping @MainActor (String, _FiberInputs) -> _Fiber) {
        self.makeNotice = makeNotice
        Transaction.graphs.append(Transaction.WeakGraph(graph: self))
    }

    package func mount<V: View>(_ view: V, environment: EnvironmentValues) {
        root?.remove()
        perform {
            root = V._makeFiber(view, _FiberInputs(graph: self, parent: nil, environment: environment))
        }
    }

    /// Another environment for the root view.
    package func replaceEnvironment<V: View>(_ type: V.Type, _ environment: EnvironmentValues) {
        guard let fiber = root as? _ViewFiber<V> else { return }
        change { fiber.update(fiber.view, environment) }
    }

    /// Changes the graph from outside, as one update.
    package func change(_ body: () -> Void) { perform(Transaction(), body) }

    /// Ends all views.
    package func unmount() {
        root?.remove()
        root = nil
        dirty.removeAll()
        flush()
    }

    package func log(_ text: String) { ViewGraph.logger.error("\(text)") }

    // MARK: invalidation

    func isInvalid(_ fiber: _Fiber) -> Bool { dirty.contains(fiber) }
    package func validated(_ fiber: _Fiber) { dirty.remove(fiber) }

    package func invalidate(_ fiber: _Fiber) {
        dirty.insert(fiber, depth: fiber.depth)
        schedule()
    }

    /// After the update that is under way, or in the next one.
    package func after(_ action: @escaping () -> Void) {
        actions.append(action)
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !isUpdating else { return }
        isScheduled = true
        OnMain.later { [weak self] in self?.flush() }
    }

    /// Brings everything up to date now.
    package func flush(_ transaction: Transaction = Transaction()) {
        isScheduled = false
        // From an action of the update that is under way: what the action changes is evaluated next.
        if isUpdating, transaction.animation != nil { following = transaction }
        guard !isUpdating, !dirty.isEmpty || !actions.isEmpty else { return }
        perform(transaction) {}
    }

    private func perform(_ transaction: Transaction = Transaction(), _ first: () -> Void) {
        guard !isUpdating else { return first() }
        isUpdating = true
        self.transaction = transaction
        first()
        var rounds = 0
        repeat {
            rounds += 1
            evaluateDirty()
            notifyPreferences()
            let pending = actions
            actions = []
            for action in pending { action() }
            // What actions change is a change of its own.
            if !pending.isEmpty { self.transaction = following ?? Transaction() }
            following = nil
            if rounds == ViewGraph.maximumRounds {
                log(
                    "Views keep changing each other's state: the update was stopped after \(rounds) rounds. Don't change state in a body that depends on it."
                )
                dirty.removeAll()
                actions = []
            }
        } while !dirty.isEmpty || !actions.isEmpty
        self.transaction = Transaction()
        isUpdating = false
        onUpdate?()
    }

    private func evaluateDirty() {
        while let next = dirty.popFirst() {
            if !next.isRemoved { next.reevaluate() }
        }
    }

    /// Runs `body` with `transaction` in force for what it updates.
    func withTransaction<T>(_ transaction: Transaction, _ body: () -> T) -> T {
        let outer = self.transaction
        self.transaction = transaction
        defer { self.transaction = outer }
        return body()
    }

    // MARK: preferences

    package func add(_ observer: PreferenceObserver) { observers.add(observer) }
    package func remove(_ observer: PreferenceObserver) { observers.remove(observer) }

    /// Some view that hands a preference up came, went or was evaluated.
    package func preferencesMayHaveChanged() { observers.invalidate() }

    private func notifyPreferences() {
        for observer in observers.takeDue() { observer.check() }
    }
}

/// The time that the animations of all windows go by, seconds.
@MainActor
package enum AnimationClock {
    /// Stands still, at this time, while it is set: tests look at an animation's frames one by one.
    package static var held: Double?
    package nonisolated static func now() -> Double {
        MainActor.assumeIsolated { held } ?? Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}
