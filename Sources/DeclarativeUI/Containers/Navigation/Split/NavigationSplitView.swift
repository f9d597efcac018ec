import Foundation
import Presentation

/// The visible columns of a split view. Matches SwiftUI's `NavigationSplitViewVisibility`.
public struct NavigationSplitViewVisibility: Equatable, Hashable, Codable, Sendable {
    private let columns: Int?
    /// All columns.
    public static let automatic = NavigationSplitViewVisibility(columns: nil)
    /// All columns, the same as `automatic`.
    public static let all = NavigationSplitViewVisibility(columns: 3)
    /// The last two columns. A split view with two columns shows both.
    public static let doubleColumn = NavigationSplitViewVisibility(columns: 2)
    /// Only the last column.
    public static let detailOnly = NavigationSplitViewVisibility(columns: 1)

    /// Returns the number of visible columns.
    ///
    /// - Parameter count: The number of the split view's columns.
    func seen(of count: Int) -> Int { min(count, columns ?? count) }
}

/// Two or three columns side by side, each below its own bar. Matches SwiftUI's `NavigationSplitView`.
///
/// ```swift
/// @State private var selection: String?
///
/// var body: some View {
///     NavigationSplitView {
///         List(names, id: \.self, selection: $selection) { Text($0) }
///     } detail: {
///         if let selection { ExtVideoPlayer(fileName: selection) }
///     }
/// }
/// ```
/// A link in a column shows its page in the next column, in place of that column's own page. If the column's own page
/// is a `NavigationStack`, the stack shows the linked page above its first page instead. The user can drag the lines
/// between columns. A button in the bar of the first visible column hides the sidebar and shows it again in its former
/// state. As on the Mac, narrow windows still show the columns side by side.
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    private let sidebar: Sidebar
    private let content: Content?
    private let detail: Detail
    private let visibility: Binding<NavigationSplitViewVisibility>?
    @State private var own = NavigationSplitViewVisibility.automatic
    @State private var middle = ColumnLink()
    @State private var last = ColumnLink()

    private init(
        _ sidebar: Sidebar, _ content: Content?, _ detail: Detail, _ visibility: Binding<NavigationSplitViewVisibility>?
    ) {
        self.sidebar = sidebar
        self.content = content
        self.detail = detail
        self.visibility = visibility
    }

    /// Creates a split view with three columns. The button in the bar hides and shows the first one.
    public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(sidebar(), content(), detail(), nil)
    }
    /// Creates a split view with three columns, whose visibility is in the app's state.
    ///
    /// - Parameters:
    ///   - columnVisibility: The visible columns. The button in the bar changes this value too.
    ///   - sidebar: The first column.
    ///   - content: The second column.
    ///   - detail: The last column.
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(sidebar(), content(), detail(), columnVisibility)
    }

    private var count: Int { content == nil ? 2 : 3 }
    private var visibleCount: Int { (visibility?.wrappedValue ?? own).seen(of: count) }

    private var toggle: SplitToggle {
        SplitToggle {
            let next: NavigationSplitViewVisibility =
                visibleCount < count ? .all : count == 3 ? .doubleColumn : .detailOnly
            if let visibility { visibility.wrappedValue = next } else { own = next }
        }
    }

    public var body: some View {
        HStack(spacing: 0) {
            SplitColumn(
                content: NavigationHost(
                    root: AnyView(sidebar), values: nil, setValues: nil, next: content == nil ? last : middle),
                usual: ColumnWidth(least: 140, ideal: 220, most: 400)
            )
            .environment(\.splitToggle, toggle)
            .columnHidden(visibleCount < count)
            if let content {
                SplitColumn(
                    content: NavigationHost(
                        root: AnyView(content), values: nil, setValues: nil, next: last, column: middle),
                    usual: ColumnWidth(least: 160, ideal: 260, most: 500)
                )
                .environment(\.splitToggle, visibleCount == 2 ? toggle : nil)
                .columnHidden(visibleCount < 2)
            }
            LastColumn(content: NavigationHost(root: AnyView(detail), values: nil, setValues: nil, column: last))
                .environment(
                    \.splitToggle, visibleCount == 1 || (visibleCount < count && content == nil) ? toggle : nil)
        }
    }
}

extension NavigationSplitView where Content == EmptyView {
    /// Creates a split view with two columns. The button in the bar hides and shows the first one.
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
        self.init(sidebar(), nil, detail(), nil)
    }
    /// Creates a split view with two columns, whose visibility is in the app's state.
    ///
    /// - Parameters:
    ///   - columnVisibility: The visible columns. The button in the bar changes this value too.
    ///   - sidebar: The first column.
    ///   - detail: The last column.
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {
        self.init(sidebar(), nil, detail(), columnVisibility)
    }
}

/// A connection from a column to the column that shows the pages of its links.
@MainActor
final class ColumnLink {
    weak var target: (any NavigationColumn)?
    /// The column that contains the links.
    weak var source: (any NavigationColumn)?
    nonisolated init() {}
}

/// A column that shows the pages of another column's links, or a stack that is such a column's first page.
@MainActor
protocol NavigationColumn: Navigation {
    /// Shows the page of `value`. In a column, the page replaces the first page. In a stack, it becomes the only page
    /// above the first page.
    func showPage(_ value: AnyHashable, _ page: AnyView)
    func showPage(_ page: AnyView, _ token: LinkToken, _ onRemove: (@MainActor () -> Void)?)
    /// Registers `stack` as the stack inside this column.
    func attachStack(_ stack: any NavigationColumn)
    func detachStack(_ stack: any NavigationColumn)
    /// Returns the page for `value` that views in this column, or in its stack, declare.
    func ownPage(for value: AnyHashable) -> AnyView?
    /// Returns the page for `value` that views in this column but outside its stack declare, or that the previous
    /// column declares.
    func enclosingPage(for value: AnyHashable) -> AnyView?
    /// Builds the pages of `type` again, because views that declare them have changed.
    ///
    /// - Parameter isLater: Whether to wait until the current update has finished.
    func rebuild(_ type: ObjectIdentifier, isLater: Bool)
}

/// An action that hides and shows the first column of a split view.
struct SplitToggle {
    let action: @MainActor () -> Void
}
private struct SplitToggleKey: EnvironmentKey { static let defaultValue: SplitToggle? = nil }
private struct ColumnRootKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    /// Whether the view is on the first page of a column that shows the pages of another column's links. In such a
    /// view, `navigation` is that column.
    var isColumnRoot: Bool {
        get { self[ColumnRootKey.self] }
        set { self[ColumnRootKey.self] = newValue }
    }
    /// The action of the sidebar button in this column's bar, or nil if the bar has no sidebar button.
    var splitToggle: SplitToggle? {
        get { self[SplitToggleKey.self] }
        set { self[SplitToggleKey.self] = newValue }
    }
}

/// A preference that is true if the view contains a navigation stack with its own bar.
struct HasStackKey: PreferenceKey {
    static let defaultValue = false
    static func reduce(value: inout Bool, nextValue: () -> Bool) { value = value || nextValue() }
}

/// The button that hides and shows the first column.
struct SplitToggleButton: View {
    let toggle: SplitToggle
    var body: some View {
        Button(action: toggle.action) {
            ZStack(alignment: .leading) {
                RoundedRectangle(cornerRadius: Radius.small).stroke(lineWidth: 1.4).frame(
                    width: IconSize.control + Space.hair, height: IconSize.control - Space.hair)
                Rectangle().frame(width: 1.4, height: IconSize.control - Space.hair).padding(.leading, Space.snug)
            }
            .padding(Space.hair)
        }
        .buttonStyle(.borderless)
        .accessibilityLabel(PlayerWords.localized("Toggle Sidebar"))
    }
}
