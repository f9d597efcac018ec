import MediaCore
import Observation

/// What the closures of one fiber have read (a view's body, a `ForEach`'s content), and whether that is still so.
///
/// Every closure of a view is evaluated through one of these; what is read elsewhere is followed by nobody.
@MainActor
package final class TrackedReads: DependencyReader {
    private var sources: [any DependencySource] = []
    private var checks: [@MainActor () -> Bool] = []
    private var isInvalid = false
    private var onChange: @MainActor () -> Void

    /// - Parameter onChange: what was read has changed, or may have: look at `isOutOfDate` at the end of the turn.
    package init(_ onChange: @escaping @MainActor () -> Void = {}) { self.onChange = onChange }
    package func whenChanged(_ onChange: @escaping @MainActor () -> Void) { self.onChange = onChange }

    /// Evaluates `body`, forgetting what was read before.
    /// - Parameter isBody: False for what changes things as its purpose: the update of a represented view.
    package func evaluate<T>(isBody: Bool = true, _ body: () -> T) -> T {
        forget()
        return Dependencies.tracking(self) {
            withObservationTracking {
                ObservationScope.evaluating(isBody: isBody, body)
            } onChange: { [weak self] in
                // Told just before the change, on whatever thread makes it.
                OnMain.run { self?.invalidate() }
            }
        }
    }

    /// Brings what is below up to date: what is read there outside of any evaluation (by a modifier, by an element) is
    /// read for this one. (An `@Observable` is not followed there: it would be for all that is evaluated below.)
    func cover<T>(_ body: () -> T) -> T { Dependencies.tracking(self, body) }

    /// Some of what was read is no longer so.
    package var isOutOfDate: Bool { isInvalid || checks.contains { !$0() } }

    package func forget() {
        for source in sources { source.removeReader(self) }
        sources = []
        checks = []
        isInvalid = false
    }

    // MARK: DependencyReader

    package func didRead(_ source: any DependencySource, isAsRead: (@MainActor () -> Bool)?) {
        if let isAsRead { checks.append(isAsRead) }
        if source.addReader(self) { sources.append(source) }
    }

    package func invalidate() {
        isInvalid = true
        onChange()
    }

    package func doubt() { onChange() }
}
