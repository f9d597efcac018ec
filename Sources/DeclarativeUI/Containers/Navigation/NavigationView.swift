@_spi(Graph) import ViewGraph

/// A stack of pages that keeps its own path, or two or three columns side by side. Matches SwiftUI's `NavigationView`,
/// which is an older form of `NavigationStack` and `NavigationSplitView`.
///
/// One view is the first page of a stack. Several views are the columns of a split view: a link in a column shows its
/// page in the next column. Views after the third are not shown. `navigationViewStyle(_:)` selects a stack or columns
/// regardless of the number of views.
public struct NavigationView<Content: View>: View {
    let content: Content
    @Environment(\.navigationViewLook) private var look
    /// Creates a navigation view whose first page, or whose columns, are the views of `content`.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public var body: some View {
        let views = (content as? any ColumnViews)?.columnViews ?? [AnyView(content)]
        if look == .stack || (look == .automatic && views.count < 2) {
            NavigationStack { views.first }
        } else if views.count > 2 {
            NavigationSplitView {
                views[0]
            } content: {
                views[1]
            } detail: {
                views[2]
            }
        } else {
            NavigationSplitView {
                views.first
            } detail: {
                if views.count == 2 { views[1] }
            }
        }
    }
}

/// Several views, each of which can be a column.
@MainActor
private protocol ColumnViews {
    var columnViews: [AnyView] { get }
}
extension TupleView: ColumnViews {
    fileprivate var columnViews: [AnyView] {
        var all: [AnyView] = []
        for view in repeat each content { all.append(AnyView(view)) }
        return all
    }
}

enum NavigationViewLook: Hashable, Sendable { case automatic, stack, columns }
private struct NavigationViewLookKey: EnvironmentKey { static let defaultValue = NavigationViewLook.automatic }
extension EnvironmentValues {
    var navigationViewLook: NavigationViewLook {
        get { self[NavigationViewLookKey.self] }
        set { self[NavigationViewLookKey.self] = newValue }
    }
}

/// A style of a `NavigationView`. Matches SwiftUI's `NavigationViewStyle`; only the styles of this module are
/// supported.
@MainActor @preconcurrency
public protocol NavigationViewStyle {
    /// The style in the form that navigation views use. Not intended for apps.
    var _style: _NavigationViewStyle { get }
}
/// A style of a `NavigationView` in the form that navigation views use. Not intended for apps.
public struct _NavigationViewStyle: Sendable {
    let look: NavigationViewLook
}
/// The style of a navigation view that shows one page at a time. If the navigation view has several views, only the
/// first one is shown.
public struct StackNavigationViewStyle: NavigationViewStyle {
    /// Creates the style. The short form is `.stack`.
    public init() {}
    public var _style: _NavigationViewStyle { _NavigationViewStyle(look: .stack) }
}
/// The style of a navigation view that shows columns. The short form is `.columns`.
///
/// If the navigation view has only one view, the view is the sidebar, and its links show their pages beside it.
public struct ColumnNavigationViewStyle: NavigationViewStyle {
    init() {}
    public var _style: _NavigationViewStyle { _NavigationViewStyle(look: .columns) }
}
/// The style of a navigation view that shows columns. This is an older form of `ColumnNavigationViewStyle`.
public struct DoubleColumnNavigationViewStyle: NavigationViewStyle {
    /// Creates the style.
    public init() {}
    public var _style: _NavigationViewStyle { _NavigationViewStyle(look: .columns) }
}
/// The default style of a navigation view: a stack for one view, columns for several views.
public struct DefaultNavigationViewStyle: NavigationViewStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
    public var _style: _NavigationViewStyle { _NavigationViewStyle(look: .automatic) }
}
extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// The style that shows one page at a time.
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}
extension NavigationViewStyle where Self == ColumnNavigationViewStyle {
    /// The style that shows columns.
    public static var columns: ColumnNavigationViewStyle { ColumnNavigationViewStyle() }
}
extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// The default style: a stack for one view, columns for several views.
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}
extension View {
    /// Sets the style of the navigation views in this view.
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View {
        setting(\.navigationViewLook, style._style.look)
    }
}
