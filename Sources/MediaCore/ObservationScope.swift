import Observation

/// Runs `body` without registering dependencies on players, items and Zoetrope's other observable objects.
///
/// The public properties of these objects register a dependency when they are read. The dependency belongs to the view,
/// or to the `withObservationTracking` block, that is being evaluated.
///
/// Use this function in an initializer or a method of your own model that reads such properties. Otherwise, a view that
/// creates or calls the model in its `body` depends on these properties. It is then evaluated again when a player's
/// state changes, and may create the model again.
///
/// ```swift
/// func skip() {
///     withoutObservationTracking {
///         player.seek(to: player.currentTime() + CMTime(seconds: 10, preferredTimescale: 600))
///     }
/// }
/// ```
/// The function has no effect on observable objects of other modules.
@MainActor @discardableResult
public func withoutObservationTracking<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ObservationScope.untracked(body)
}

/// The scope in which reads of Zoetrope's observable objects register dependencies. Reads inside `untracked` do not.
///
/// Observation has no way to read without registering, and a nested `withObservationTracking` also registers with the
/// outer one.
@MainActor
package enum ObservationScope {
    private static var isUntracked = false
    private static var evaluations = 0
    private static var bodies = 0

    /// Whether a view's body is being evaluated.
    package static var isInBody: Bool { bodies > 0 }

    /// Registers an access. Zoetrope's observable objects call this in the getters of their public properties.
    package static func access<Object: Observable, Value>(
        _ registrar: ObservationRegistrar, _ object: Object, _ property: KeyPath<Object, Value>
    ) {
        if !isUntracked { registrar.access(object, keyPath: property) }
    }

    /// Runs `body`. Reads inside it register no dependencies.
    package static func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try with(isUntracked: true, body)
    }

    /// Evaluates a view. Values that `body` reads become dependencies of the view.
    /// - Parameter isBody: Whether `body` is a view's body. False for code that is meant to change state, such as the
    ///   update of a represented view.
    package static func evaluating<Result>(isBody: Bool, _ body: () throws -> Result) rethrows -> Result {
        evaluations += 1
        bodies += isBody ? 1 : 0
        defer {
            evaluations -= 1
            bodies -= isBody ? 1 : 0
        }
        return try with(isUntracked: false, body)
    }

    /// Calls handlers of other code, such as observers of a change or receivers of a notification. During the
    /// evaluation of a view, values that they read do not become dependencies of that view. Outside an evaluation, the
    /// handlers may track values with `withObservationTracking`.
    package static func callOut(_ body: () -> Void) { with(isUntracked: evaluations > 0, body) }

    private static func with<Result>(isUntracked new: Bool, _ body: () throws -> Result) rethrows -> Result {
        let old = isUntracked
        isUntracked = new
        defer { isUntracked = old }
        return try body()
    }
}
