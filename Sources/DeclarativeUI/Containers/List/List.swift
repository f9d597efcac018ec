import Foundation
@_spi(Graph) import ViewGraph

/// A scrolling column of rows that are created when needed, with separators and selection. Matches SwiftUI's `List`.
///
/// ```swift
/// @State private var selection: URL?
///
/// var body: some View {
///     List(urls, id: \.self, selection: $selection) { url in
///         Text(url.lastPathComponent)
///     }
/// }
/// ```
/// The user selects rows with the pointer and the arrow keys. Each view of `content` is a row, and so is each view in a
/// `ForEach` or a `Section`. The list creates the rows of a `ForEach` when they come near the visible area. From then
/// on, the rows keep their state. The selection identifies a row by its `tag`, or else by its id in the `ForEach`. A
/// click on a row whose tag or id is not a `SelectionValue` clears the selection.
public struct List<SelectionValue: Hashable, Content: View>: View {
    let selection: ListSelection?
    let content: Content
    @Environment(\.listLook) private var look
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.tintColor) private var tint
    @Environment(\.focusRing) private var ring
    @Environment(\.defaultMinListRowHeight) private var minRowHeight
    @Environment(\.defaultMinListHeaderHeight) private var minHeaderHeight
    @Environment(\.scrollContentBackground) private var ground
    @Environment(\.platformStyle) private var platform

    init(_ selection: ListSelection?, _ content: Content) {
        self.selection = selection
        self.content = content
    }

    public var body: some View {
        let table = TableLook.values.shown
        with(
            ScrollView {
                ListRows(
                    content: TableRows(table: table, content: content), look: look, table: table,
                    chosen: selection?.get() ?? [], selection: table.allowsSelection ? selection : nil,
                    isDark: colorScheme == .dark, isPhone: platform == .phone, tint: tint ?? table.tint, ring: ring,
                    minRowHeight: minRowHeight, minHeaderHeight: minHeaderHeight)
            }
        ) {
            $0.isList = true
            $0.showsIndicators = table.showsIndicator
        }
        .background {
            if ground == .hidden {
                EmptyView()
            } else if let color = table.background {
                color
            } else if look.kind == .grouped || look.kind == .sidebar && ground == .visible {
                ListGround.behind(isPhone: platform == .phone)
            } else if look.kind != .sidebar {
                // The window's color keeps rows readable if the list is in an overlay over something else.
                Rectangle().fill(.background)
            }
        }
    }
}

extension List where SelectionValue == Never {
    /// Creates a list of the views of `content`. Its rows cannot be selected.
    public init(@ViewBuilder content: () -> Content) { self.init(nil, content()) }
    /// Creates a list with a row for each element, identified by the element's own id. Its rows cannot be selected.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(nil, ForEach(data, content: rowContent))
    }
    /// Creates a list with a row for each element, identified by the value at `id`. Its rows cannot be selected.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, ID, Row> { self.init(nil, ForEach(data, id: id, content: rowContent)) }
    /// Creates a list with a row for each number of the range. Its rows cannot be selected.
    public init<Row: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> Row)
    where Content == ForEach<Range<Int>, Int, Row> { self.init(nil, ForEach(data, content: rowContent)) }
}

extension List {
    /// Creates a list of the views of `content`, of which the user can select one.
    ///
    /// - Parameters:
    ///   - selection: The selected row, or nil while no row is selected. Without a binding, rows cannot be selected.
    ///   - content: The rows.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.init(selection.map { ListSelection($0) }, content())
    }
    /// Creates a list of the views of `content`, of which the user can select several.
    ///
    /// - Parameters:
    ///   - selection: The selected rows. A click with Control held adds a row or removes it. Without a binding, rows
    ///     cannot be selected.
    ///   - content: The rows.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.init(selection.map { ListSelection($0) }, content())
    }

    /// Creates a list with a row for each element, in which the user can select one row by its element's id.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(selection.map { ListSelection($0) }, ForEach(data, content: rowContent))
    }
    /// Creates a list with a row for each element, in which the user can select several rows by their elements' ids.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(selection.map { ListSelection($0) }, ForEach(data, content: rowContent))
    }
    /// Creates a list with a row for each element, in which the user can select one row by its value at `id`.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> {
        self.init(selection.map { ListSelection($0) }, ForEach(data, id: id, content: rowContent))
    }
    /// Creates a list with a row for each element, in which the user can select several rows by their values at `id`.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> {
        self.init(selection.map { ListSelection($0) }, ForEach(data, id: id, content: rowContent))
    }
    /// Creates a list with a row for each number of the range, in which the user can select one row by its number.
    public init<Row: View>(
        _ data: Range<Int>, selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Int) -> Row
    )
    where Content == ForEach<Range<Int>, Int, Row> {
        self.init(selection.map { ListSelection($0) }, ForEach(data, content: rowContent))
    }
}

/// The selection of a list, with the type of the selected values erased.
@MainActor
struct ListSelection {
    let isMultiple: Bool
    let get: () -> Set<AnyHashable>
    let set: (Set<AnyHashable>) -> Void

    init<V: Hashable>(_ binding: Binding<V?>) {
        isMultiple = false
        get = { Set(binding.wrappedValue.map { [Tag.plain($0)] } ?? []) }
        set = { values in binding.wrappedValue = values.first.flatMap { $0.base as? V } }
    }

    init<V: Hashable>(_ binding: Binding<Set<V>>) {
        isMultiple = true
        get = { Set(binding.wrappedValue.map { Tag.plain($0) }) }
        set = { values in binding.wrappedValue = Set(values.compactMap { $0.base as? V }) }
    }
}

/// The look of a list, which its style determines.
public struct ListLook: Hashable, Sendable {
    enum Kind: Hashable { case plain, inset, sidebar, grouped }
    let kind: Kind
    /// Whether the look is the default one, which also depends on the views around the list.
    var isAutomatic = false
    static let automatic = ListLook(kind: .plain, isAutomatic: true)
}
/// A style of lists. Matches SwiftUI's `ListStyle`; only the styles of this module are supported.
public protocol ListStyle { var _look: ListLook { get } }
/// A list style with rows from edge to edge and separators between them.
public struct PlainListStyle: ListStyle {
    /// Creates the style. The short form is `.plain`.
    public init() {}
    public var _look: ListLook { ListLook(kind: .plain) }
}
/// A list style with separators, which marks selected rows with a rounded box.
public struct InsetListStyle: ListStyle {
    /// Creates the style. The short form is `.inset`.
    public init() {}
    public var _look: ListLook { ListLook(kind: .inset) }
}
/// A list style without separators, which marks selected rows with a rounded box.
public struct SidebarListStyle: ListStyle {
    /// Creates the style. The short form is `.sidebar`.
    public init() {}
    public var _look: ListLook { ListLook(kind: .sidebar) }
}
/// A list style that shows the rows of each section on a rounded card.
public struct GroupedListStyle: ListStyle {
    /// Creates the style. The short form is `.grouped`.
    public init() {}
    public var _look: ListLook { ListLook(kind: .grouped) }
}
/// A list style that is the same as `GroupedListStyle`.
public struct InsetGroupedListStyle: ListStyle {
    /// Creates the style. The short form is `.insetGrouped`.
    public init() {}
    public var _look: ListLook { ListLook(kind: .grouped) }
}
/// The default list style: the same as `PlainListStyle`, or in the phone style as `InsetGroupedListStyle`.
///
/// In the phone style, lists in the sidebar of a `NavigationSplitView` look as in `SidebarListStyle`.
public struct DefaultListStyle: ListStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
    public var _look: ListLook { .automatic }
}
extension ListStyle where Self == PlainListStyle {
    /// A style with rows from edge to edge and separators between them.
    public static var plain: PlainListStyle { PlainListStyle() }
}
extension ListStyle where Self == InsetListStyle {
    /// A style with separators, which marks selected rows with a rounded box.
    public static var inset: InsetListStyle { InsetListStyle() }
}
extension ListStyle where Self == SidebarListStyle {
    /// A style without separators, which marks selected rows with a rounded box.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}
extension ListStyle where Self == GroupedListStyle {
    /// A style that shows the rows of each section on a card.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}
extension ListStyle where Self == InsetGroupedListStyle {
    /// A style that is the same as `grouped`.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}
extension ListStyle where Self == DefaultListStyle {
    /// The default style: the same as `plain`, or in the phone style as `insetGrouped`.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}

private struct ListLookKey: EnvironmentKey { static let defaultValue = ListLook.automatic }
private struct SidebarKey: EnvironmentKey { static let defaultValue = false }
private struct InListKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    /// The look of lists. The default look is resolved to that of the platform style.
    var listLook: ListLook {
        get {
            let look = self[ListLookKey.self]
            guard look.isAutomatic else { return look }
            return ListLook(kind: platformStyle != .phone ? .plain : isInSidebar ? .sidebar : .grouped)
        }
        set { self[ListLookKey.self] = newValue }
    }
    /// Whether this view is in the first column of a split view.
    var isInSidebar: Bool {
        get { self[SidebarKey.self] }
        set { self[SidebarKey.self] = newValue }
    }
    /// Whether this view is a row of a list or inside one.
    var isInList: Bool {
        get { self[InListKey.self] }
        set { self[InListKey.self] = newValue }
    }
}

extension View {
    /// Sets the style of the lists in this view.
    ///
    /// - `.plain` draws rows from edge to edge. So does `.automatic`, except in the phone style: there it is the same
    ///   as `.insetGrouped`, or as `.sidebar` in the sidebar of a split view.
    /// - `.inset` and `.sidebar` mark selected rows with a rounded box. `.sidebar` has no separators.
    /// - `.grouped` and `.insetGrouped` put the rows of each section on a card.
    public func listStyle<S: ListStyle>(_ style: S) -> some View { setting(\.listLook, style._look) }
}
