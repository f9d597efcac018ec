/// A stored property of a view that the graph connects to the view's state or environment. Mirrors SwiftUI's protocol.
///
/// A struct of an app that contains such properties can conform to this protocol, so that views can store it.
public protocol DynamicProperty: _PropertyHolder {}

/// A type that may contain dynamic properties inside a view. Not for apps.
///
/// The graph inspects the stored properties of these types.
public protocol _PropertyHolder {}

extension Optional: _PropertyHolder where Wrapped: _PropertyHolder {}

/// A property that the graph connects to the identity of a view.
protocol GraphProperty: DynamicProperty {
    /// Connects this value to the storage of the view's identity, and returns the storage to keep.
    /// - Parameter slot: The storage that the previous call returned; nil if the view's last value did not have this
    ///   property.
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject?
    /// Returns whether a body that has read this property sees another value in `new` than in `old`. Used for
    /// properties that read the environment.
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool
    /// Returns a message that explains why the body cannot be evaluated, or nil.
    @MainActor func problem(_ environment: EnvironmentValues) -> String?
    /// Returns whether this property equals `other`, the same property in another value of the view.
    @MainActor func isSame(as other: Any) -> Bool
    /// Whether two values of the property can be compared. If false, the graph treats all values as different.
    @MainActor var isComparable: Bool { get }
}

extension GraphProperty {
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool { false }
    @MainActor func problem(_ environment: EnvironmentValues) -> String? { nil }
    @MainActor var isComparable: Bool { true }
}

/// The dynamic properties of a view and the storage of each.
@MainActor
package struct DynamicProperties {
    package init() {}
    /// A property of the view's current value, with its storage.
    private struct Attached {
        /// The names of the stored properties that lead to this property. The storage belongs to the path, not to the
        /// position, because an optional property before this one may become nil.
        let path: String
        let property: any GraphProperty
        var slot: AnyObject?
    }
    private var properties: [Attached] = []
    private var evaluatedEnvironment: EnvironmentValues?
    /// The types without dynamic properties. Each type is inspected only once.
    private static var typesWithoutProperties: Set<ObjectIdentifier> = []

    package mutating func attach<V>(to view: V, of fiber: _Fiber, _ reader: any DependencyReader) {
        guard !DynamicProperties.typesWithoutProperties.contains(ObjectIdentifier(V.self)) else { return }
        let former = properties
        properties = []
        guard collect(view, "") else {
            DynamicProperties.typesWithoutProperties.insert(ObjectIdentifier(V.self))
            return
        }
        for index in properties.indices {
            let (path, property) = (properties[index].path, properties[index].property)
            let kept = former.first { $0.path == path }?.slot
            properties[index].slot = property.attach(kept, to: reader, fiber)
        }
    }

    /// Adds the properties of `value`, whose paths begin with `prefix`.
    /// - Returns: Whether a value of this type can have properties.
    private mutating func collect(_ value: Any, _ prefix: String) -> Bool {
        let mirror = Mirror(reflecting: value)
        // Another value of an optional or an enum may have other properties.
        var canHaveProperties = mirror.displayStyle == .optional || mirror.displayStyle == .enum
        for child in mirror.children {
            let path = prefix + (child.label ?? "")
            if let property = child.value as? any GraphProperty {
                properties.append(Attached(path: path, property: property))
                canHaveProperties = true
            } else if child.value is any _PropertyHolder, collect(child.value, path + ".") {
                canHaveProperties = true
            }
        }
        return canHaveProperties
    }

    mutating func evaluated(_ environment: EnvironmentValues) {
        evaluatedEnvironment = properties.isEmpty ? nil : environment
    }

    func environmentChanged(_ environment: EnvironmentValues) -> Bool {
        guard let evaluatedEnvironment else { return false }
        return properties.contains { $0.property.changed(from: evaluatedEnvironment, to: environment) }
    }

    /// Whether two views with these properties can be compared.
    package var areComparable: Bool { properties.allSatisfy(\.property.isComparable) }

    package func problem(_ environment: EnvironmentValues) -> String? {
        for attached in properties {
            if let problem = attached.property.problem(environment) { return problem }
        }
        return nil
    }
}
