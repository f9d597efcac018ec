import Observation

/// Runs `body` without making the view or the `withObservationTracking` block that is being evaluated depend on what
/// `body` reads of players, items and Zoetrope's other observable objects.
///
/// The public properties of these objects register a dependency when they are read. Use this function in an initializer
/// or a method of a model of your own that reads them: a view that makes or calls the model in its `body` is then not
/// evaluated again, and does not make the model again, when a player's state changes.
///
/// ```swift
/// func skip() {
///     withoutObservationTracking { player.seek(to: player.currentTime() + CMTime(seconds: 10, preferredTimescale: 600)) }
/// }
/// ```
/// It has no effect on observable objects of other modules.
@MainActor @discardableResult
public func withoutObservationTracking<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ObservationScope.untracked(body)
}

/// Which reads of Zoetrope's observable objects register a dependency: those that happen outside of `untracked`.
///
/// Observation itself has no way to read without registering, and a nested `withObservationTracking` registers with the
/// outer one too. Main actor.
@MainActor
package enum ObservationScope {
    private static var isUntracked = false
    private static var evaluations = 0
    private static var bodies = 0

    /// Whether a view's body is being evaluated.
    package static var isInBody: Bool { bodies > 0 }

    /// Registers an access, as observable objects of Zoetrope do in the getters of their public properties.
    package static func access<Object: Observable, Value>(
        _ registrar: ObservationRegistrar, _ object: Object, _ property: KeyPath<Object, Value>
    ) {
        if !isUntracked { registrar.access(object, keyPath: property) }
    }

    /// Runs `body`, in which reads register nothing.
    package static func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try with(isUntracked: true, body)
    }

    /// Evaluates a view: what follows the values it reads.
    /// - Parameter isBody: False for what changes things as its purpose: the update of a represented view.
    package static func evaluating<Result>(isBody: Bool, _ body: () throws -> Result) rethrows -> Result {
        evaluations += 1
        bodies += isBody ? 1 : 0
        defer {
            evaluations -= 1
            bodies -= isBody ? 1 : 0
        }
        return try with(isUntracked: false, body)
    }

    /// Calls handlers of others: observers of a change, receivers of a notification or of an answer. What they read is
    /// not read for the view whose evaluation made the change. Elsewhere they may begin to track something themselves.
    package static func callOut(_ body: () -> Void) { with(isUntracked: evaluations > 0, body) }

    private static func with<Result>(isUntracked new: Bool, _ body: () throws -> Result) rethrows -> Result {
        let old = isUntracked
        isUntracked = new
        defer { isUntracked = old }
        return try body()
    }
}
