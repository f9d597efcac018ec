/// A page's entry in the bar. SwiftUI's type.
public struct NavigationBarItem: Sendable {
    /// How a page's title is shown.
    public enum TitleDisplayMode: Hashable, Sendable {
        /// Small, on Linux.
        case automatic
        /// In the middle of the bar.
        case inline
        /// Large, in a line of its own below the bar's buttons. It stays there while the page scrolls.
        case large
    }
}

/// Which bar something is said of. SwiftUI's type.
public struct ToolbarPlacement: Hashable, Sendable {
    enum Kind: Hashable { case top, bottom, tabs }
    let kind: Kind
    /// The bar above the page.
    public static let automatic = ToolbarPlacement(kind: .top)
    /// The bar above the page; the same as `automatic`.
    public static let navigationBar = ToolbarPlacement(kind: .top)
    /// The bar above the page; the same as `automatic`.
    public static let windowToolbar = ToolbarPlacement(kind: .top)
    /// The bar below the page.
    public static let bottomBar = ToolbarPlacement(kind: .bottom)
    /// The bar below the page; the same as `bottomBar`: windows have nothing beside them here.
    public static let bottomOrnament = ToolbarPlacement(kind: .bottom)
    /// Tab bars keep their look: what is said of them has no effect.
    public static let tabBar = ToolbarPlacement(kind: .tabs)
}

extension ToolbarItemPlacement {
    /// The bar below the page: windows have nothing beside them here.
    public static let bottomOrnament = ToolbarItemPlacement(edge: .bottom)
    /// The bar below the page: there is no keyboard on the screen.
    public static let keyboard = ToolbarItemPlacement(edge: .bottom)
}

/// What a page says of the look of a bar.
struct BarLook: Equatable {
    var ground: AnyShapeStyle?
    /// Of ground and line.
    var visibility: Visibility?
    var scheme: ColorScheme?
    /// The whole bar is.
    var isHidden = false

    /// What fills the bar; nil: the window is seen.
    var shownGround: AnyShapeStyle? {
        switch visibility {
        case .hidden: nil
        case .visible: ground ?? AnyShapeStyle(Material.bar)
        default: ground
        }
    }
    var hasLine: Bool { visibility != .hidden }
}

struct BarLooks: Equatable {
    var top = BarLook(), bottom = BarLook()

    mutating func change(_ bars: [ToolbarPlacement], _ body: (inout BarLook) -> Void) {
        for kind in Set((bars.isEmpty ? [.automatic] : bars).map(\.kind)) {
            switch kind {
            case .top: body(&top)
            case .bottom: body(&bottom)
            case .tabs: break
            }
        }
    }
}

struct BarLooksKey: PreferenceKey {
    static var defaultValue: BarLooks { BarLooks() }
    /// Of views beside each other the later one's word counts, where it says something.
    static func reduce(value: inout BarLooks, nextValue: () -> BarLooks) {
        let next = nextValue()
        if next.top != BarLook() { value.top = next.top }
        if next.bottom != BarLook() { value.bottom = next.bottom }
    }
}
struct TitleModeKey: PreferenceKey {
    static var defaultValue: NavigationBarItem.TitleDisplayMode? { nil }
    static func reduce(
        value: inout NavigationBarItem.TitleDisplayMode?, nextValue: () -> NavigationBarItem.TitleDisplayMode?
    ) { value = nextValue() ?? value }
}

extension View {
    /// How this page's title is shown.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        preference(key: TitleModeKey.self, value: displayMode)
    }
    /// The title of the window, or of the page of a navigation.
    public func navigationTitle(_ title: Text) -> some View {
        preference(key: WindowTitleKey.self, value: title.string)
    }
    /// The older name of `navigationTitle`.
    public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }
    /// The older name of `navigationTitle`, with a key that is looked up in the app's translations.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(titleKey) }
    /// The older name of `navigationTitle`, with words that are shown as they are.
    @_disfavoredOverload public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View {
        navigationTitle(title)
    }
    /// The older name of `navigationTitle` and `navigationBarTitleDisplayMode` in one.
    public func navigationBarTitle(_ title: Text, displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }
    /// Title and its display mode in one, with a key that is looked up in the app's translations.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode)
        -> some View
    {
        navigationTitle(titleKey).navigationBarTitleDisplayMode(displayMode)
    }
    /// Title and its display mode in one, with words that are shown as they are.
    @_disfavoredOverload public func navigationBarTitle<S: StringProtocol>(
        _ title: S, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }

    /// What fills the bars while this page is on top. - Parameter bars: none is the bar above.
    public func toolbarBackground(_ style: any ShapeStyle, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.ground = AnyShapeStyle(style) } }
    }
    /// Whether the bars have a ground and a line; without them the window is seen behind the items.
    public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.visibility = visibility } }
    }
    /// The appearance of the bars while this page is on top; nil is the page's.
    public func toolbarColorScheme(_ colorScheme: ColorScheme?, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.scheme = colorScheme } }
    }
    /// Whether there are bars while this page is on top.
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.isHidden = visibility == .hidden } }
    }
}

/// Shows a bar's views as its look says.
struct BarBackdrop<Content: View>: View {
    let look: BarLook
    let lineAt: Alignment
    let content: Content
    @Environment(\.colorScheme) private var scheme
    var body: some View {
        content
            .colorScheme(look.scheme ?? scheme)
            .background(alignment: lineAt) { if look.hasLine { Shade.line.frame(height: Space.line) } }
            .background { if let ground = look.shownGround { Rectangle().fill(ground) } }
    }
}
