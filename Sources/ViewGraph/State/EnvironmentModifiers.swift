import Observation
import OpenCombine

/// A modifier that changes the environment of its content.
///
/// If nothing has changed, the modifier passes on the same environment object, so that the views inside need no check.
package struct EnvironmentWriter: FiberModifier {
    /// The identity of the written value and of its place in the environment, to detect changes. Nil if unknown.
    let identity: AnyHashable?
    let change: (inout EnvironmentValues) -> Void

    package init(identity: AnyHashable?, change: @escaping (inout EnvironmentValues) -> Void) {
        self.identity = identity
        self.change = change
    }

    /// Creates a modifier that sets the value at `keyPath`.
    /// - Parameter valueIdentity: The identity of the value. Nil if unknown.
    init<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V, _ valueIdentity: AnyHashable?) {
        self.init(identity: valueIdentity.map { AnyHashable(WrittenValue(keyPath: keyPath, value: $0)) }) {
            $0[keyPath: keyPath] = value
        }
    }

    private struct WrittenValue: Hashable {
        let keyPath: AnyKeyPath
        let value: AnyHashable
    }

    package final class Storage {
        var identity: AnyHashable?
        var above: EnvironmentValues?
        var below: EnvironmentValues?
    }
    package func makeStorage(_ fiber: _Fiber) -> Storage { Storage() }
    package func environment(_ environment: EnvironmentValues, _ storage: Storage) -> EnvironmentValues {
        if let above = storage.above, let below = storage.below, above.isSame(as: environment), let identity,
            identity == storage.identity
        {
            return below
        }
        var below = environment
        change(&below)
        storage.above = environment
        storage.below = below
        storage.identity = identity
        return below
    }
}

/// The identity of an object that is set for the type `T`, as a hashable value.
private struct ObjectKey<T: AnyObject>: Hashable {
    let id: ObjectIdentifier?
    init(_ object: T?) { id = object.map { ObjectIdentifier($0) } }
}

extension View {
    /// Sets a value of the environment for this view and the views inside it.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        fiberModifier(EnvironmentWriter(keyPath, value, (value as? any Hashable).map { AnyHashable($0) }))
    }
    /// Changes a value of the environment for this view and the views inside it.
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { transform(&$0[keyPath: keyPath]) })
    }
    /// Provides an object to each `@EnvironmentObject` of its type in this view and the views inside it.
    ///
    /// ```swift
    /// LibraryList().environmentObject(library)
    /// ```
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        fiberModifier(EnvironmentWriter(identity: ObjectKey(object)) { $0.setObject(object) })
    }
    /// Provides an `@Observable` object to each `@Environment(Type.self)` in this view and the views inside it. Nil
    /// removes the object that an ancestor provides.
    ///
    /// ```swift
    /// @Observable @MainActor final class Library { var urls: [URL] = [] }
    ///
    /// struct LibraryPage: View {
    ///     @State private var library = Library()
    ///
    ///     var body: some View {
    ///         LibraryList().environment(library)
    ///     }
    /// }
    /// ```
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        fiberModifier(EnvironmentWriter(identity: ObjectKey(object)) { $0.setObject(object) })
    }

    /// Sets a hashable value of the environment, as `environment(_:_:)` does.
    package func setting<V: Hashable>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        fiberModifier(EnvironmentWriter(keyPath, value, AnyHashable(value)))
    }
}
