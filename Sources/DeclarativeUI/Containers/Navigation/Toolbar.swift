@_spi(Graph) import ViewGraph

/// Where in the bars an item goes. SwiftUI's type.
public struct ToolbarItemPlacement: Hashable, Sendable {
    enum Edge: Hashable { case leading, middle, trailing, bottom }
    let edge: Edge
    /// At the end of the bar above the page.
    public static let automatic = ToolbarItemPlacement(edge: .trailing)
    /// At the end of the bar above the page; the same as `automatic`.
    public static let primaryAction = ToolbarItemPlacement(edge: .trailing)
    /// At the end of the bar above the page; the same as `automatic`.
    public static let confirmationAction = ToolbarItemPlacement(edge: .trailing)
    /// At the end of the bar above the page; the same as `automatic`.
    public static let topBarTrailing = ToolbarItemPlacement(edge: .trailing)
    /// At the end of the bar above the page; the same as `automatic`.
    public static let navigationBarTrailing = ToolbarItemPlacement(edge: .trailing)
    /// At the end of the bar above the page; the same as `automatic`: there is no menu of further actions here.
    public static let secondaryAction = ToolbarItemPlacement(edge: .trailing)
    /// At the end of the bar above the page; the same as `automatic`.
    public static let destructiveAction = ToolbarItemPlacement(edge: .trailing)
    /// At the start of the bar above the page.
    public static let cancellationAction = ToolbarItemPlacement(edge: .leading)
    /// At the start of the bar above the page.
    public static let navigation = ToolbarItemPlacement(edge: .leading)
    /// At the start of the bar above the page.
    public static let topBarLeading = ToolbarItemPlacement(edge: .leading)
    /// At the start of the bar above the page.
    public static let navigationBarLeading = ToolbarItemPlacement(edge: .leading)
    /// In the place of the title.
    public static let principal = ToolbarItemPlacement(edge: .middle)
    /// In the bar below the page.
    public static let bottomBar = ToolbarItemPlacement(edge: .bottom)
    /// In the bar below the page; the same as `bottomBar`.
    public static let status = ToolbarItemPlacement(edge: .bottom)
}

/// Items of a toolbar. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol ToolbarContent {
    /// The type of the items that this content is made of.
    associatedtype Body: ToolbarContent
    /// The items, for a type of one's own; the types here have none.
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
    /// Where it stands in its block, which is what tells it from the others: what is after an `if` stays what it is.
    var path: [Int] = []

    func within(_ part: Int) -> _ToolbarItem { with(self) { $0.path.insert(part, at: 0) } }
}

/// One item of a toolbar.
public struct ToolbarItem<Content: View>: ToolbarContent {
    let placement: ToolbarItemPlacement
    let content: Content
    /// Makes an item of `content` at `placement`.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
    /// - Parameter id: of no effect: toolbars are not customised by the user here.
    public init(id: String, placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.init(placement: placement, content: content)
    }
    public var body: Never { preconditionFailure("a toolbar item has no body") }
    public var _items: [_ToolbarItem] { [_ToolbarItem(placement: placement, view: AnyView(content))] }
}

/// Several items at one place.
public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    let placement: ToolbarItemPlacement
    let content: Content
    /// Makes a group of the views of `content` at `placement`.
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
    /// Optional items have no body.
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional toolbar item has no body") }
    public var _items: [_ToolbarItem] { self?._items ?? [] }
}

/// Collects the items of a `toolbar` block: SwiftUI's result builder.
@resultBuilder @MainActor @preconcurrency
public struct ToolbarContentBuilder {
    /// Takes an item as it is.
    public static func buildExpression<C: ToolbarContent>(_ content: C) -> C { content }
    /// A view is an item at the bar's trailing end. (Said here, and not by a `toolbar` with a `@ViewBuilder` of its
    /// own: with two, the compiler tries a page that has an error once for each.)
    @_disfavoredOverload
    public static func buildExpression<V: View>(_ view: V) -> _ToolbarItems {
        _ToolbarItems(_items: [_ToolbarItem(placement: .automatic, view: AnyView(view))])
    }
    /// Takes the only item of a block as it is.
    public static func buildBlock<C: ToolbarContent>(_ content: C) -> C { content }
    /// Joins the items of a block, in their order.
    @_disfavoredOverload
    public static func buildBlock<each C: ToolbarContent>(_ content: repeat each C) -> _ToolbarItems {
        var all: [_ToolbarItem] = []
        var part = 0
        for one in repeat each content {
            all += itemsOf(one).map { $0.within(part) }
            part += 1
        }
        return _ToolbarItems(_items: all)
    }
    /// Takes what stands in an `if` without `else`; nil adds no item.
    public static func buildIf<C: ToolbarContent>(_ content: C?) -> C? { content }
    /// Takes the items of the branch after `if`; they are others than those after `else`.
    public static func buildEither<C: ToolbarContent>(first: C) -> _ToolbarItems {
        _ToolbarItems(_items: first._items.map { $0.within(0) })
    }
    /// Takes the items of the branch after `else`.
    public static func buildEither<C: ToolbarContent>(second: C) -> _ToolbarItems {
        _ToolbarItems(_items: second._items.map { $0.within(1) })
    }
    /// Takes the items after `if #available`.
    public static func buildLimitedAvailability<C: ToolbarContent>(_ content: C) -> _ToolbarItems {
        _ToolbarItems(_items: content._items)
    }
    private static func itemsOf<C: ToolbarContent>(_ content: C) -> [_ToolbarItem] { content._items }
}

/// An item on its way up to the bar.
struct ToolbarEntry {
    /// Tells an item from the others, and what it said before from what it says now.
    struct Identity: Equatable {
        let place: ObjectIdentifier
        let path: [Int]
        let version: Int
    }
    struct Key: Hashable {
        let place: ObjectIdentifier
        let path: [Int]
    }
    let placement: ToolbarItemPlacement
    let view: AnyView
    let identity: Identity
    var key: Key { Key(place: identity.place, path: identity.path) }
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
        let own = place.items.map {
            ToolbarEntry(
                placement: $0.placement, view: $0.view,
                identity: .init(place: ObjectIdentifier(place), path: $0.path, version: place.version))
        }
        return (((below as? [ToolbarEntry]) ?? []) + own) as? K.Value
    }
}

extension View {
    /// Items for the bars of the navigation stack around this page, or of the window when there is none; views among
    /// them, or alone, stand at the bar's trailing end.
    public func toolbar<C: ToolbarContent>(@ToolbarContentBuilder content: () -> C) -> some View {
        fiberModifier(ToolbarModifier(items: content()._items))
    }
}
