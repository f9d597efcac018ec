import Foundation
import Observation
import OpenCombine

/// Changes the environment below. The result stays the same object while its cause does, so that views below
/// need not look.
package struct EnvironmentWriter: FiberModifier {
    /// What is written, to tell whether it is the same as before; nil when nobody can say.
    let identity: AnyHashable?
    let change: (inout EnvironmentValues) -> Void

    package init(identity: AnyHashable?, change: @escaping (inout EnvironmentValues) -> Void) {
        self.identity = identity
        self.change = change
    }

    package final class Place {
        var identity: AnyHashable?
        var above: EnvironmentValues?
        var below: EnvironmentValues?
    }
    package func makePlace(_ fiber: _Fiber) -> Place { Place() }
    package func environment(_ environment: EnvironmentValues, _ place: Place) -> EnvironmentValues {
        if let above = place.above, let below = place.below, above.isSame(as: environment), let identity,
            identity == place.identity
        {
            return below
        }
        var below = environment
        change(&below)
        place.above = environment
        place.below = below
        place.identity = identity
        return below
    }
}

/// An object's identity as something hashable.
private struct ObjectKey: Hashable {
    let id: ObjectIdentifier
    init(_ object: AnyObject?) { id = object.map { ObjectIdentifier($0) } ?? ObjectIdentifier(ObjectKey.self) }
}

extension View {
    /// Sets a value of the environment for this view and those below.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        fiberModifier(
            EnvironmentWriter(identity: (value as? any Hashable).map { AnyHashable($0) }) {
                $0[keyPath: keyPath] = value
            })
    }
    /// Changes a value of the environment for this view and those below.
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { transform(&$0[keyPath: keyPath]) })
    }
    /// Puts an object there for `@EnvironmentObject` of its type.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        fiberModifier(EnvironmentWriter(identity: ObjectKey(object)) { $0.setObject(object) })
    }
    /// Puts an `@Observable` object there for `@Environment(Type.self)`.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        fiberModifier(EnvironmentWriter(identity: ObjectKey(object)) { $0.setObject(object) })
    }

    /// The same as `environment(_:_:)` for a value of the package's own that is hashable.
    package func setting<V: Hashable>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        fiberModifier(EnvironmentWriter(identity: AnyHashable(value)) { $0[keyPath: keyPath] = value })
    }
}
