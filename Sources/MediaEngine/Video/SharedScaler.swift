import Synchronization

/// One `ScaleContext` for all who scale the same kind of picture to the same size, one after the other: sixteen players
/// of a wall draw on one thread and need one context, of 100 KB, among them. Who comes while it is in use gets one of
/// his own.
///
/// Lives as long as somebody holds it. Any thread.
package final class SharedScaler: Sendable {
    private struct Holder {
        weak var scaler: SharedScaler?
    }
    private static let known = Mutex<[ScaleContext.Setup: Holder]>([:])

    package let setup: ScaleContext.Setup
    private let idle: Mutex<[ScaleContext]>

    /// Nil when libswscale cannot: see `ScaleContext`.
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

    /// How many contexts there are that nobody uses just now.
    package var idleCount: Int { idle.withLock { $0.count } }

    /// Nil when a context of one's own was needed and could not be had.
    package func use<T>(_ body: (ScaleContext) -> T) -> T? {
        guard let context = idle.withLock({ $0.popLast() }) ?? ScaleContext(setup) else { return nil }
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}
