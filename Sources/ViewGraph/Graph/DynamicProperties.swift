/// A stored property of a view that the graph connects to the view's state or environment. Mirrors SwiftUI's protocol.
///
/// A struct of an app that contains such properties can conform to this protocol, so that views can store it.
public protocol DynamicProperty: _PropertyHolder {}

/// A type that may contain dynamic properties inside a view. Not for apps.
///
/// The graph inspects the stored properties of these types.
public protocol _PropertyHolder {}

/// A property that the graph connects to the identity of a view.
protocol GraphProperty: DynamicProperty {
    /// Connects this value to the storage of the view's identity, and returns the storage to keep.
    /// - Parameter slot: The storage that the previous call returned; nil for the first call.
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
    /// Releases the storage when the view's identity ends.
    @MainActor func detach(_ slot: AnyObject?)
}

extension GraphProperty {
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool { false }
    @MainActor func problem(_ environment: EnvironmentValues) -> String? { nil }
    @MainActor func detach(_ slot: AnyObject?) {}
    @MainActor var isComparable: Bool { true }
}

/// The dynamic properties of a view and the storage of each.
@MainActor
package struct DynamicProperties {
    package init() {}
    private var slots: [AnyObject?] = []
    private var properties: [any GraphProperty] = []
    private var evaluatedEnvironment: EnvironmentValues?
    /// The types without dynamic properties. Each type is inspected only once.
    private static var typesWithoutProperties: Set<ObjectIdentifier> = []

    package mutating func attach<V>(to view: V, of fiber: _Fiber, _ reader: any DependencyReader) {
        guard !DynamicProperties.typesWithoutProperties.contains(ObjectIdentifier(V.self)) else { return }
        properties.removeAll(keepingCapacity: true)
        collect(view)
        if properties.isEmpty {
            DynamicProperties.typesWithoutProperties.insert(ObjectIdentifier(V.self))
            return
        }
        while slots.count < properties.count { slots.append(nil) }
        for index in properties.indices { slots[index] = properties[index].attach(slots[index], to: reader, fiber) }
    }

    private mutating func collect(_ value: Any) {
        for child in Mirror(reflecting: value).children {
            if let property = child.value as? any GraphProperty {
                properties.append(property)
            } else if child.value is any _PropertyHolder {
                collect(child.value)
            }
        }
    }

    mutating func evaluated(_ environment: EnvironmentValues) {
        evaluatedEnvironment = properties.isEmpty ? nil : environment
    }

    func environmentChanged(_ environment: EnvironmentValues) -> Bool {
        guard let evaluatedEnvironment else { return false }
        return properties.contains { $0.changed(from: evaluatedEnvironment, to: environment) }
    }

    /// Whether two views with these properties can be compared.
    package var areComparable: Bool { properties.allSatisfy(\.isComparable) }

    package func problem(_ environment: EnvironmentValues) -> String? {
        for property in properties {
            if let problem = property.problem(environment) { return problem }
        }
        return nil
    }

    package func detach() {
        for (property, slot) in zip(properties, slots) { property.detach(slot) }
    }
}
