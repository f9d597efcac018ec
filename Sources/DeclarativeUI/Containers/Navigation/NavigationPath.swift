/// The values of the pages that lie over a navigation stack's first, of whatever types. SwiftUI's type.
public struct NavigationPath: Equatable {
    var values: [AnyHashable]
    public init() { values = [] }
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable { values = elements.map { AnyHashable($0) } }
    public var count: Int { values.count }
    public var isEmpty: Bool { values.isEmpty }
    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    /// - Parameter k: how many; more than there are take all, negative is none.
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(min(values.count, max(0, k))) }
}
