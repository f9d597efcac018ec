import Synchronization

/// A `ScaleContext` that is shared by all callers that scale the same kind of frame to the same size, one after the
/// other. Sixteen players in a grid that are drawn on one thread, for example, need a single context of 100 KB. A
/// caller that needs the context while it is in use gets another one.
///
/// The scaler exists while it is referenced. Thread-safe.
package final class SharedScaler: Sendable {
    private struct Holder {
        weak var scaler: SharedScaler?
    }
    private static let known = Mutex<[ScaleContext.Setup: Holder]>([:])

    package let setup: ScaleContext.Setup
    private let idle: Mutex<[ScaleContext]>

    /// Returns the scaler for `setup`; `nil` if libswscale does not support it (see `ScaleContext`).
    package static func of(_ setup: ScaleContext.Setup) -> SharedScaler? {
        if let scaler = known.withLock({ $0[setup]?.scaler }) { return scaler }
        guard let first = ScaleContext(setup) else { return nil }
        return known.withLock { known in
            if let other = known[setup]?.scaler { return other }
            let scaler = SharedScaler(setup, first)
            known = known.filter { $0.value.scaler != nil }
            known[setup] = Holder(scaler: scaler)
            return scaler
        }
    }

    private init(_ setup: ScaleContext.Setup, _ first: ScaleContext) {
        self.setup = setup
        idle = Mutex([first])
    }

    /// The number of contexts that are not in use.
    package var idleCount: Int { idle.withLock { $0.count } }

    /// Calls `body` with a context.
    ///
    /// - Returns: The result of `body`; `nil` if another context was needed and could not be created.
    package func use<T>(_ body: (ScaleContext) -> T) -> T? {
        guard let context = idle.withLock({ $0.popLast() }) ?? ScaleContext(setup) else { return nil }
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}
