/// Where in the bars an item goes. SwiftUI's type.
public struct ToolbarItemPlacement: Hashable, Sendable {
    enum Edge: Hashable { case leading, middle, trailing, bottom }
    let edge: Edge
    public static let automatic = ToolbarItemPlacement(edge: .trailing)
    public static let primaryAction = ToolbarItemPlacement(edge: .trailing)
    public static let confirmationAction = ToolbarItemPlacement(edge: .trailing)
    public static let topBarTrailing = ToolbarItemPlacement(edge: .trailing)
    public static let navigationBarTrailing = ToolbarItemPlacement(edge: .trailing)
    public static let secondaryAction = ToolbarItemPlacement(edge: .trailing)
    public static let destructiveAction = ToolbarItemPlacement(edge: .trailing)
    public static let cancellationAction = ToolbarItemPlacement(edge: .leading)
    public static let navigation = ToolbarItemPlacement(edge: .leading)
    public static let topBarLeading = ToolbarItemPlacement(edge: .leading)
    public static let navigationBarLeading = ToolbarItemPlacement(edge: .leading)
    /// In the place of the title.
    public static let principal = ToolbarItemPlacement(edge: .middle)
    public static let bottomBar = ToolbarItemPlacement(edge: .bottom)
    public static let status = ToolbarItemPlacement(edge: .bottom)
}

/// Items of a toolbar. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder var body: Body { get }
    /// Not for apps.
    var _items: [_ToolbarItem] { get }
}
extension ToolbarContent {
    public var _items: [_ToolbarItem] { body._items }
}
extension Never: ToolbarContent {
    public var _items: [_ToolbarItem] { [] }
}

/// Not for apps: one item.
public struct _ToolbarItem {
    let placement: ToolbarItemPlacement
    let view: AnyView
}

/// One item of a toolbar.
public struct ToolbarItem<Content: View>: ToolbarContent {
    let placement: ToolbarItemPlacement
    let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
    /// - Parameter id: of no effect: toolbars are not customised by the user here.
    public init(id: String, placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) { self.init(placement: placement, content: content) }
    public var body: Never { preconditionFailure("a toolbar item has no body") }
    public var _items: [_ToolbarItem] { [_ToolbarItem(placement: placement, view: AnyView(content))] }
}

/// Several items at one place.
public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    let placement: ToolbarItemPlacement
    let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
    public var body: Never { preconditionFailure("a toolbar item group has no body") }
    public var _items: [_ToolbarItem] { [_ToolbarItem(placement: placement, view: AnyView(content))] }
}

public struct _ToolbarItems: ToolbarContent {
    public let _items: [_ToolbarItem]
    public var body: Never { preconditionFailure("toolbar items have no body") }
}

extension Optional: ToolbarContent where Wrapped: ToolbarContent {
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional toolbar item has no body") }
    public var _items: [_ToolbarItem] { self?._items ?? [] }
}

@resultBuilder @MainActor @preconcurrency
public struct ToolbarContentBuilder {
    public static func buildExpression<C: ToolbarContent>(_ content: C) -> C { content }
    public static func buildBlock<C: ToolbarContent>(_ content: C) -> C { content }
    @_disfavoredOverload
    public static func buildBlock<each C: ToolbarContent>(_ content: repeat each C) -> _ToolbarItems {
        var all: [_ToolbarItem] = []
        for one in repeat each content { all += itemsOf(one) }
        return _ToolbarItems(_items: all)
    }
    public static func buildIf<C: ToolbarContent>(_ content: C?) -> C? { content }
    public static func buildEither<C: ToolbarContent>(first: C) -> _ToolbarItems { _ToolbarItems(_items: first._items) }
    public static func buildEither<C: ToolbarContent>(second: C) -> _ToolbarItems { _ToolbarItems(_items: second._items) }
    private static func itemsOf<C: ToolbarContent>(_ content: C) -> [_ToolbarItem] { content._items }
}

/// An item on its way up to the bar.
struct ToolbarEntry {
    /// Tells an item from the others, and what it said before from what it says now.
    struct Identity: Equatable {
        let place: ObjectIdentifier
        let number: Int
        let version: Int
    }
    struct Key: Hashable {
        let place: ObjectIdentifier
        let number: Int
    }
    let placement: ToolbarItemPlacement
    let view: AnyView
    let identity: Identity
    var key: Key { Key(place: identity.place, number: identity.number) }
}

struct ToolbarKey: PreferenceKey {
    static var defaultValue: [ToolbarEntry] { [] }
    static func reduce(value: inout [ToolbarEntry], nextValue: () -> [ToolbarEntry]) { value += nextValue() }
}

struct ToolbarModifier: FiberModifier {
    let items: [_ToolbarItem]
    final class Place {
        var items: [_ToolbarItem] = []
        var version = 0
    }
    func makePlace(_ fiber: _Fiber) -> Place { Place() }
    func updated(_ place: inout Place, _ fiber: _Fiber) {
        place.items = items
        place.version += 1
        fiber.graph.preferencesMayHaveChanged()
    }
    func removed(_ place: Place, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ place: Place) -> K.Value? {
        guard key == ToolbarKey.self else { return below }
        let own = place.items.enumerated().map {
            ToolbarEntry(placement: $1.placement, view: $1.view, identity: .init(place: ObjectIdentifier(place), number: $0, version: place.version))
        }
        return (((below as? [ToolbarEntry]) ?? []) + own) as? K.Value
    }
}

extension View {
    /// Items for the bars of the navigation stack around this page, or of the window when there is none.
    public func toolbar<C: ToolbarContent>(@ToolbarContentBuilder content: () -> C) -> some View { fiberModifier(ToolbarModifier(items: content()._items)) }
    /// Views at the bar's trailing end.
    @_disfavoredOverload
    public func toolbar<V: View>(@ViewBuilder content: () -> V) -> some View {
        fiberModifier(ToolbarModifier(items: [_ToolbarItem(placement: .automatic, view: AnyView(content()))]))
    }
}
