import Foundation
@_spi(Graph) import ViewGraph

/// Rows in a scrolled column: lazily made, with lines between, selected by pointer and arrow keys. SwiftUI's view.
///
/// A row is one view of the content: of a `ForEach`, of a `Section`, or one that stands there itself. The rows of
/// a `ForEach` are made when they come near what is seen, and keep their state from then on. A row's name in the
/// selection is its `tag`, else its id in the `ForEach`.
public struct List<SelectionValue: Hashable, Content: View>: View {
    let selection: ListSelection?
    let content: Content
    @Environment(\.listLook) private var look
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.tintColor) private var tint
    @Environment(\.focusRing) private var ring
    @Environment(\.defaultMinListRowHeight) private var leastRow
    @Environment(\.defaultMinListHeaderHeight) private var leastHeader
    @Environment(\.scrollContentBackground) private var ground

    init(_ selection: ListSelection?, _ content: Content) {
        self.selection = selection
        self.content = content
    }

    public var body: some View {
        with(
            ScrollView {
                ListRows(
                    content: content, look: look, chosen: selection?.get() ?? [], selection: selection,
                    isDark: colorScheme == .dark, tint: tint, ring: ring,
                    leastRow: leastRow, leastHeader: leastHeader)
            }
        ) { $0.isList = true }
        .background {
            if ground == .visible || ground == .automatic && look.kind == .grouped {
                ListGround.behind
            } else if ground == .automatic, look.kind != .sidebar {
                // The window's own colour: over something else, in an overlay, rows are read all the same.
                Rectangle().fill(.background)
            }
        }
    }
}

extension List where SelectionValue == Never {
    /// A list of the views of `content`, of which none can be chosen.
    public init(@ViewBuilder content: () -> Content) { self.init(nil, content()) }
    /// A list with a row for each element, told apart by the element's own id; none can be chosen.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(nil, ForEach(data, content: rowContent))
    }
    /// A list with a row for each element, told apart by the value at `id`; none can be chosen.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, ID, Row> { self.init(nil, ForEach(data, id: id, content: rowContent)) }
    /// A list with a row for each number of the range; none can be chosen.
    public init<Row: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> Row)
    where Content == ForEach<Range<Int>, Int, Row> { self.init(nil, ForEach(data, content: rowContent)) }
}

extension List {
    /// - Parameter selection: the chosen row; nil for none.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.init(selection.map { ListSelection($0) }, content())
    }
    /// - Parameter selection: the chosen rows; with Control held a row is added or taken out.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.init(selection.map { ListSelection($0) }, content())
    }

    /// A list with a row for each element, of which one is chosen by its id; nil for none.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(selection.map { ListSelection($0) }, ForEach(data, content: rowContent))
    }
    /// A list with a row for each element, of which any number is chosen by their ids.
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    )
    where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
        self.init(selection.map { ListSelection($0) }, ForEach(data, content: rowContent))
    }
    /// A list with a row for each element, of which one is chosen by its value at `id`; nil for none.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> {
        self.init(selection.map { ListSelection($0) }, ForEach(data, id: id, content: rowContent))
    }
    /// A list with a row for each element, of which any number is chosen by their values at `id`.
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> {
        self.init(selection.map { ListSelection($0) }, ForEach(data, id: id, content: rowContent))
    }
    /// A list with a row for each number of the range, of which one is chosen; nil for none.
    public init<Row: View>(
        _ data: Range<Int>, selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Int) -> Row
    )
    where Content == ForEach<Range<Int>, Int, Row> {
        self.init(selection.map { ListSelection($0) }, ForEach(data, content: rowContent))
    }
}

/// Which rows are chosen, without the type of their names.
@MainActor
struct ListSelection {
    let isMultiple: Bool
    let get: () -> Set<AnyHashable>
    let set: (Set<AnyHashable>) -> Void

    init<V: Hashable>(_ binding: Binding<V?>) {
        isMultiple = false
        get = { Set(binding.wrappedValue.map { [Tag.plain($0)] } ?? []) }
        set = { names in binding.wrappedValue = names.first.flatMap { $0.base as? V } }
    }

    init<V: Hashable>(_ binding: Binding<Set<V>>) {
        isMultiple = true
        get = { Set(binding.wrappedValue.map { Tag.plain($0) }) }
        set = { names in binding.wrappedValue = Set(names.compactMap { $0.base as? V }) }
    }
}

/// How lists look.
public struct ListLook: Hashable, Sendable {
    enum Kind: Hashable { case plain, inset, sidebar, grouped }
    let kind: Kind
}
/// How lists look. SwiftUI's protocol; only the styles below are known.
public protocol ListStyle { var _look: ListLook { get } }
/// Rows from edge to edge, with lines between.
public struct PlainListStyle: ListStyle {
    /// Makes the style; `.plain` is shorter.
    public init() {}
    public var _look: ListLook { ListLook(kind: .plain) }
}
/// Rows with lines between; a chosen one is marked by a rounded box.
public struct InsetListStyle: ListStyle {
    /// Makes the style; `.inset` is shorter.
    public init() {}
    public var _look: ListLook { ListLook(kind: .inset) }
}
/// Rows without lines; a chosen one is marked by a rounded box.
public struct SidebarListStyle: ListStyle {
    /// Makes the style; `.sidebar` is shorter.
    public init() {}
    public var _look: ListLook { ListLook(kind: .sidebar) }
}
/// Rows that belong together on a rounded ground.
public struct GroupedListStyle: ListStyle {
    /// Makes the style; `.grouped` is shorter.
    public init() {}
    public var _look: ListLook { ListLook(kind: .grouped) }
}
/// The same as `GroupedListStyle`.
public struct InsetGroupedListStyle: ListStyle {
    /// Makes the style; `.insetGrouped` is shorter.
    public init() {}
    public var _look: ListLook { ListLook(kind: .grouped) }
}
/// Plain, on Linux.
public struct DefaultListStyle: ListStyle {
    /// Makes the style; `.automatic` is shorter.
    public init() {}
    public var _look: ListLook { ListLook(kind: .plain) }
}
extension ListStyle where Self == PlainListStyle {
    /// Rows from edge to edge, with lines between.
    public static var plain: PlainListStyle { PlainListStyle() }
}
extension ListStyle where Self == InsetListStyle {
    /// Rows with lines between, chosen by a rounded box.
    public static var inset: InsetListStyle { InsetListStyle() }
}
extension ListStyle where Self == SidebarListStyle {
    /// Rows without lines, chosen by a rounded box.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}
extension ListStyle where Self == GroupedListStyle {
    /// The rows of a section on a card.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}
extension ListStyle where Self == InsetGroupedListStyle {
    /// The same as `grouped`: the rows of a section on a card.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}
extension ListStyle where Self == DefaultListStyle {
    /// The same as `plain`, on Linux.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}

private struct ListLookKey: EnvironmentKey { static let defaultValue = ListLook(kind: .plain) }
private struct InListKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    var listLook: ListLook {
        get { self[ListLookKey.self] }
        set { self[ListLookKey.self] = newValue }
    }
    /// This view is, or is in, a list's row.
    var isInList: Bool {
        get { self[InListKey.self] }
        set { self[InListKey.self] = newValue }
    }
}

extension View {
    /// The look of the lists below: `.plain` and `.automatic` reach from edge to edge, `.inset` and `.sidebar` choose
    /// rows by a rounded box; a sidebar has no lines. `.grouped` and `.insetGrouped` put the rows of a section on a
    /// card.
    public func listStyle<S: ListStyle>(_ style: S) -> some View { setting(\.listLook, style._look) }
}
