@_spi(Graph) import ViewGraph

/// A position for an item in the bars. Matches SwiftUI's `ToolbarItemPlacement`.
public struct ToolbarItemPlacement: Hashable, Sendable {
    enum Edge: Hashable { case leading, middle, trailing, bottom }
    let edge: Edge
    /// The trailing end of the bar above the page.
    public static let automatic = ToolbarItemPlacement(edge: .trailing)
    /// The trailing end of the bar above the page, the same as `automatic`.
    public static let primaryAction = ToolbarItemPlacement(edge: .trailing)
    /// The trailing end of the bar above the page, the same as `automatic`.
    public static let confirmationAction = ToolbarItemPlacement(edge: .trailing)
    /// The trailing end of the bar above the page, the same as `automatic`.
    public static let topBarTrailing = ToolbarItemPlacement(edge: .trailing)
    /// The trailing end of the bar above the page, the same as `automatic`.
    public static let navigationBarTrailing = ToolbarItemPlacement(edge: .trailing)
    /// The trailing end of the bar above the page, the same as `automatic`. There is no overflow menu on Linux.
    public static let secondaryAction = ToolbarItemPlacement(edge: .trailing)
    /// The trailing end of the bar above the page, the same as `automatic`.
    public static let destructiveAction = ToolbarItemPlacement(edge: .trailing)
    /// The leading end of the bar above the page.
    public static let cancellationAction = ToolbarItemPlacement(edge: .leading)
    /// The leading end of the bar above the page.
    public static let navigation = ToolbarItemPlacement(edge: .leading)
    /// The leading end of the bar above the page.
    public static let topBarLeading = ToolbarItemPlacement(edge: .leading)
    /// The leading end of the bar above the page.
    public static let navigationBarLeading = ToolbarItemPlacement(edge: .leading)
    /// The middle of the bar above the page, in place of the title.
    public static let principal = ToolbarItemPlacement(edge: .middle)
    /// The bar below the page.
    public static let bottomBar = ToolbarItemPlacement(edge: .bottom)
    /// The bar below the page, the same as `bottomBar`.
    public static let status = ToolbarItemPlacement(edge: .bottom)
}

/// A collection of toolbar items. Matches SwiftUI's `ToolbarContent`.
@MainActor @preconcurrency
public protocol ToolbarContent {
    /// The type of the items that this content consists of.
    associatedtype Body: ToolbarContent
    /// The items of a custom type. The types of this module have no body.
    @ToolbarContentBuilder var body: Body { get }
    /// The items in the form that bars use. Not intended for apps.
    var _items: [_ToolbarItem] { get }
}
extension ToolbarContent {
    public var _items: [_ToolbarItem] { body._items }
}
extension Never: ToolbarContent {
    public var _items: [_ToolbarItem] { [] }
}

/// An item of a toolbar in the form that bars use. Not intended for apps.
public struct _ToolbarItem {
    let placement: ToolbarItemPlacement
    let view: AnyView
    /// The position of the item in its block, which identifies the item. When the condition of an `if` changes, the
    /// items after the `if` keep their identity.
    var path: [Int] = []

    func within(_ part: Int) -> _ToolbarItem { with(self) { $0.path.insert(part, at: 0) } }
}

/// An item of a toolbar. Matches SwiftUI's `ToolbarItem`.
public struct ToolbarItem<Content: View>: ToolbarContent {
    let placement: ToolbarItemPlacement
    let content: Content
    /// Creates an item with `content` at `placement`.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }
    /// Creates an item with an id.
    ///
    /// - Parameters:
    ///   - id: Has no effect: users cannot customize toolbars on Linux.
    ///   - placement: The position of the item in the bars.
    ///   - content: The content of the item.
    public init(id: String, placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.init(placement: placement, content: content)
    }
    public var body: Never { preconditionFailure("a toolbar item has no body") }
    public var _items: [_ToolbarItem] { [_ToolbarItem(placement: placement, view: AnyView(content))] }
}

/// A group of toolbar items with the same placement. Matches SwiftUI's `ToolbarItemGroup`.
public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    let placement: ToolbarItemPlacement
    let content: Content
    /// Creates a group of the views of `content` at `placement`.
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
    /// The type of an optional item's body. Optional items have no body.
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional toolbar item has no body") }
    public var _items: [_ToolbarItem] { self?._items ?? [] }
}

/// A result builder that collects the items of a `toolbar` block. Matches SwiftUI's `ToolbarContentBuilder`.
@resultBuilder @MainActor @preconcurrency
public struct ToolbarContentBuilder {
    /// Returns the item unchanged.
    public static func buildExpression<C: ToolbarContent>(_ content: C) -> C { content }
    /// Makes a view an item at the bar's trailing end.
    ///
    /// An overload of `toolbar(content:)` with a `@ViewBuilder` would have the same effect. But the compiler would then
    /// check a page that has an error twice, once for each overload.
    @_disfavoredOverload
    public static func buildExpression<V: View>(_ view: V) -> _ToolbarItems {
        _ToolbarItems(_items: [_ToolbarItem(placement: .automatic, view: AnyView(view))])
    }
    /// Returns the only item of a block unchanged.
    public static func buildBlock<C: ToolbarContent>(_ content: C) -> C { content }
    /// Joins the items of a block in their order.
    @_disfavoredOverload
    public static func buildBlock<each C: ToolbarContent>(_ content: repeat each C) -> _ToolbarItems {
        var all: [_ToolbarItem] = []
        var part = 0
        for item in repeat each content {
            all += itemsOf(item).map { $0.within(part) }
            part += 1
        }
        return _ToolbarItems(_items: all)
    }
    /// Returns the content of an `if` without `else`. Nil adds no item.
    public static func buildIf<C: ToolbarContent>(_ content: C?) -> C? { content }
    /// Returns the items of the branch after `if`. Their identity differs from that of the items after `else`.
    public static func buildEither<C: ToolbarContent>(first: C) -> _ToolbarItems {
        _ToolbarItems(_items: first._items.map { $0.within(0) })
    }
    /// Returns the items of the branch after `else`.
    public static func buildEither<C: ToolbarContent>(second: C) -> _ToolbarItems {
        _ToolbarItems(_items: second._items.map { $0.within(1) })
    }
    /// Returns the items after `if #available`.
    public static func buildLimitedAvailability<C: ToolbarContent>(_ content: C) -> _ToolbarItems {
        _ToolbarItems(_items: content._items)
    }
    private static func itemsOf<C: ToolbarContent>(_ content: C) -> [_ToolbarItem] { content._items }
}

/// A toolbar item that is passed up to the bar as a preference.
struct ToolbarEntry {
    /// The identity of an item and the version of its content.
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
    final class Storage {
        var items: [_ToolbarItem] = []
        var version = 0
    }
    func makeStorage(_ fiber: _Fiber) -> Storage { Storage() }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        storage.items = items
        storage.version += 1
        fiber.graph.preferencesMayHaveChanged()
    }
    func removed(_ storage: Storage, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: Storage) -> K.Value? {
        guard key == ToolbarKey.self else { return below }
        let own = storage.items.map {
            ToolbarEntry(
                placement: $0.placement, view: $0.view,
                identity: .init(place: ObjectIdentifier(storage), path: $0.path, version: storage.version))
        }
        return (((below as? [ToolbarEntry]) ?? []) + own) as? K.Value
    }
}

extension View {
    /// Adds items to the bars of the navigation stack around this page, or of the window if there is no stack.
    ///
    /// ```swift
    /// NavigationStack {
    ///     List(titles, id: \.self) { Text($0) }
    ///         .navigationTitle("Queue")
    ///         .toolbar {
    ///             ToolbarItem(placement: .primaryAction) {
    ///                 Button { addFile() } label: { Image(systemName: "plus") }
    ///             }
    ///         }
    /// }
    /// ```
    /// Views without a `ToolbarItem` are at the bar's trailing end.
    public func toolbar<C: ToolbarContent>(@ToolbarContentBuilder content: () -> C) -> some View {
        fiberModifier(ToolbarModifier(items: content()._items))
    }
}
