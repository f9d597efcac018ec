/// A stored property of a view through which the graph reaches it. SwiftUI's protocol: a struct of one's own
/// may hold such properties and be one.
public protocol DynamicProperty: _PropertyHolder {}

/// Not for apps: what may hold dynamic properties inside a view. The graph looks into the stored properties of these.
public protocol _PropertyHolder {}

/// A property that the graph connects to a view's place.
protocol GraphProperty: DynamicProperty {
    /// Connects this value to what lives at the place; `slot` is nil the first time.
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject?
    /// Whether the body, having read this, sees something else in `new` than in `old`. Asked for what is read from the
    /// environment.
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool
    /// What keeps the body from being evaluated, in words.
    @MainActor func problem(_ environment: EnvironmentValues) -> String?
    /// Compared with another value of the same view.
    @MainActor func isSame(as other: Any) -> Bool
    /// Its bytes and what they point to say all there is to say; else no two values are known to be the same.
    @MainActor var isComparable: Bool { get }
    /// The place ends.
    @MainActor func detach(_ slot: AnyObject?)
}

extension GraphProperty {
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool { false }
    @MainActor func problem(_ environment: EnvironmentValues) -> String? { nil }
    @MainActor func detach(_ slot: AnyObject?) {}
    @MainActor var isComparable: Bool { true }
}

/// A view's dynamic properties and what lives at its place for each.
@MainActor
package struct DynamicProperties {
    package init() {}
    private var slots: [AnyObject?] = []
    private var properties: [any GraphProperty] = []
    private var seen: EnvironmentValues?
    /// Types that hold none; looked into once.
    private static var plain: Set<ObjectIdentifier> = []

    package mutating func attach<V>(to view: V, of fiber: _Fiber, _ reader: any DependencyReader) {
        guard !DynamicProperties.plain.contains(ObjectIdentifier(V.self)) else { return }
        properties.removeAll(keepingCapacity: true)
        collect(view)
        if properties.isEmpty {
            DynamicProperties.plain.insert(ObjectIdentifier(V.self))
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

    mutating func evaluated(_ environment: EnvironmentValues) { seen = properties.isEmpty ? nil : environment }

    func environmentChanged(_ environment: EnvironmentValues) -> Bool {
        guard let seen else { return false }
        return properties.contains { $0.changed(from: seen, to: environment) }
    }

    /// Two views that hold these may be the same.
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
