@_spi(Graph) import ViewGraph

/// The values of the pages that lie over a navigation stack's first, of whatever types. SwiftUI's type.
public struct NavigationPath: Equatable {
    var values: [AnyHashable]
    /// Makes an empty path: only the stack's first page is shown.
    public init() { values = [] }
    /// Makes a path of `elements`, the first one lowest.
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable { values = elements.map { AnyHashable($0) } }
    /// How many pages lie over the first.
    public var count: Int { values.count }
    /// Whether only the stack's first page is shown.
    public var isEmpty: Bool { values.isEmpty }
    /// Pushes the page of `value` over the others.
    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    /// - Parameter k: how many; more than there are take all, negative is none.
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(min(values.count, max(0, k))) }
}
