import Foundation
import Presentation

/// Which columns of a split view are seen. SwiftUI's type.
public struct NavigationSplitViewVisibility: Equatable, Hashable, Codable, Sendable {
    private let columns: Int?
    /// All of them.
    public static let automatic = NavigationSplitViewVisibility(columns: nil)
    /// All columns; the same as `automatic`.
    public static let all = NavigationSplitViewVisibility(columns: 3)
    /// Without the first of three; both of two.
    public static let doubleColumn = NavigationSplitViewVisibility(columns: 2)
    /// Only the last column.
    public static let detailOnly = NavigationSplitViewVisibility(columns: 1)

    /// - Parameter count: of the split view's columns.
    func seen(of count: Int) -> Int { min(count, columns ?? count) }
}

/// Two or three columns side by side, each under a bar of its own. SwiftUI's view.
///
/// A link in a column shows its page in the next one, instead of that one's own, or over the first page of a
/// `NavigationStack` that is that column. The lines between columns are dragged; a button in the first bar hides the
/// first column and brings it back, as it was. (As on the Mac, narrow windows show the columns all the same.)
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

    /// Three columns; the button in the bar hides and shows the first.
    public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(sidebar(), content(), detail(), nil)
    }
    /// - Parameter columnVisibility: changed by the button in the bar too.
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder content: () -> Content, @ViewBuilder detail: () -> Detail
    ) {
        self.init(sidebar(), content(), detail(), columnVisibility)
    }

    private var count: Int { content == nil ? 2 : 3 }
    private var seen: Int { (visibility?.wrappedValue ?? own).seen(of: count) }

    private var toggle: SplitToggle {
        SplitToggle {
            let next: NavigationSplitViewVisibility = seen < count ? .all : count == 3 ? .doubleColumn : .detailOnly
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
            .columnHidden(seen < count)
            if let content {
                SplitColumn(
                    content: NavigationHost(
                        root: AnyView(content), values: nil, setValues: nil, next: last, column: middle),
                    usual: ColumnWidth(least: 160, ideal: 260, most: 500)
                )
                .environment(\.splitToggle, seen == 2 ? toggle : nil)
                .columnHidden(seen < 2)
            }
            LastColumn(content: NavigationHost(root: AnyView(detail), values: nil, setValues: nil, column: last))
                .environment(\.splitToggle, seen == 1 || (seen < count && content == nil) ? toggle : nil)
        }
    }
}

extension NavigationSplitView where Content == EmptyView {
    /// Two columns; the button in the bar hides and shows the first.
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
        self.init(sidebar(), nil, detail(), nil)
    }
    /// - Parameter columnVisibility: changed by the button in the bar too.
    public init(
        columnVisibility: Binding<NavigationSplitViewVisibility>, @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) {
        self.init(sidebar(), nil, detail(), columnVisibility)
    }
}

/// The column that links of the one before show their pages in.
@MainActor
final class ColumnLink {
    weak var target: (any NavigationColumn)?
    /// The column with the links.
    weak var source: (any NavigationColumn)?
    nonisolated init() {}
}

/// A column, or a stack that is a column's first page: another column's link shows its page there.
@MainActor
protocol NavigationColumn: Navigation {
    /// A column shows the page instead of its first one; a stack over it, in place of all others.
    func take(_ value: AnyHashable, _ page: AnyView)
    func take(_ page: AnyView, _ token: LinkToken, _ gone: (@MainActor () -> Void)?)
    /// The stack stands in this column.
    func hold(_ stack: any NavigationColumn)
    func release(_ stack: any NavigationColumn)
    /// As views in it, or in the stack there, say.
    func page(known value: AnyHashable) -> AnyView?
    /// As views of the column before say, or of that around a stack and before it.
    func page(before value: AnyHashable) -> AnyView?
    /// As views in it but not in its stack, or of the column before, say.
    func page(around value: AnyHashable) -> AnyView?
    /// Views that say what pages of this type are have changed. - Parameter isLater: after the update that is under
    /// way.
    func rebuild(_ type: ObjectIdentifier, isLater: Bool)
}

/// Hides and shows a split view's first column.
struct SplitToggle {
    let action: @MainActor () -> Void
}
private struct SplitToggleKey: EnvironmentKey { static let defaultValue: SplitToggle? = nil }
private struct ColumnRootKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    /// On the first page of a column that another's links show pages in; `navigation` is that column.
    var isColumnRoot: Bool {
        get { self[ColumnRootKey.self] }
        set { self[ColumnRootKey.self] = newValue }
    }
    /// The button for it stands in the bar here.
    var splitToggle: SplitToggle? {
        get { self[SplitToggleKey.self] }
        set { self[SplitToggleKey.self] = newValue }
    }
}

/// There is a navigation stack with a bar of its own below.
struct HasStackKey: PreferenceKey {
    static let defaultValue = false
    static func reduce(value: inout Bool, nextValue: () -> Bool) { value = value || nextValue() }
}

/// The button for it.
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
