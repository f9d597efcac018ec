import MediaCore
import Observation

/// The values that the closures of one fiber (a view's body, a `ForEach`'s content) have read, and whether they have
/// changed.
///
/// Every closure of a view is evaluated through such an object. Reads elsewhere are not tracked.
@MainActor
package final class TrackedReads: DependencyReader {
    private var sources: [any DependencySource] = []
    private var checks: [@MainActor () -> Bool] = []
    private var isInvalid = false
    private var onChange: @MainActor () -> Void

    /// Creates an object without reads.
    /// - Parameter onChange: Called when a tracked value has changed or may have changed. Check `isOutOfDate` at the
    ///   end of the main loop iteration.
    package init(_ onChange: @escaping @MainActor () -> Void = {}) { self.onChange = onChange }
    package func whenChanged(_ onChange: @escaping @MainActor () -> Void) { self.onChange = onChange }

    /// Evaluates `body` and tracks its reads in place of the earlier ones.
    /// - Parameter isBody: Whether `body` only computes a view. False for a closure that is meant to make changes, such
    ///   as the update of a represented view.
    package func evaluate<T>(isBody: Bool = true, _ body: () -> T) -> T {
        removeAll()
        return Dependencies.tracking(self) {
            withObservationTracking {
                ObservationScope.evaluating(isBody: isBody, body)
            } onChange: { [weak self] in
                // Observation calls this closure just before the change, on the thread that makes the change.
                OnMain.runForChange { self?.invalidate() }
            }
        }
    }

    /// Runs `body`, which updates the views inside this view. Tracks the reads of `body` that are outside of any
    /// evaluation, such as those by a modifier or an element.
    ///
    /// Reads of `@Observable` objects are not tracked here, because that would include everything that `body`
    /// evaluates.
    func trackDescendants<T>(_ body: () -> T) -> T { Dependencies.tracking(self, body) }

    /// Whether any tracked value has changed.
    package var isOutOfDate: Bool { isInvalid || checks.contains { !$0() } }

    package func removeAll() {
        for source in sources { source.removeReader(self) }
        sources = []
        checks = []
        isInvalid = false
    }

    // MARK: DependencyReader

    package func didRead(_ source: any DependencySource, isUnchanged: (@MainActor () -> Bool)?) {
        if let isUnchanged { checks.append(isUnchanged) }
        if source.addReader(self) { sources.append(source) }
    }

    package func invalidate() {
        isInvalid = true
        onChange()
    }

    package func mayHaveChanged() { onChange() }
}
