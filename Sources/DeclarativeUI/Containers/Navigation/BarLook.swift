/// A namespace for the display modes of a page's title. Matches SwiftUI's `NavigationBarItem`.
public struct NavigationBarItem: Sendable {
    /// The size and position of a page's title.
    public enum TitleDisplayMode: Hashable, Sendable {
        /// A small title in the middle of the bar, the same as `inline` on Linux.
        case automatic
        /// A small title in the middle of the bar.
        case inline
        /// A large title in a line of its own, below the bar's buttons. It stays there while the page scrolls.
        case large
    }
}

/// A bar of a page, for modifiers such as `toolbar(_:for:)`. Matches SwiftUI's `ToolbarPlacement`.
public struct ToolbarPlacement: Hashable, Sendable {
    enum Kind: Hashable { case top, bottom, tabs }
    let kind: Kind
    /// The bar above the page.
    public static let automatic = ToolbarPlacement(kind: .top)
    /// The bar above the page, the same as `automatic`.
    public static let navigationBar = ToolbarPlacement(kind: .top)
    /// The bar above the page, the same as `automatic`.
    public static let windowToolbar = ToolbarPlacement(kind: .top)
    /// The bar below the page.
    public static let bottomBar = ToolbarPlacement(kind: .bottom)
    /// The bar below the page, the same as `bottomBar`. Windows on Linux have no ornaments.
    public static let bottomOrnament = ToolbarPlacement(kind: .bottom)
    /// The tab bar. Modifiers for it have no effect.
    public static let tabBar = ToolbarPlacement(kind: .tabs)
}

extension ToolbarItemPlacement {
    /// A position in the bar below the page. Windows on Linux have no ornaments.
    public static let bottomOrnament = ToolbarItemPlacement(edge: .bottom)
    /// A position in the bar below the page. There is no on-screen keyboard on Linux.
    public static let keyboard = ToolbarItemPlacement(edge: .bottom)
}

/// The look of a bar that a page requests.
struct BarLook: Equatable {
    var background: AnyShapeStyle?
    /// The visibility of the background and the separator.
    var visibility: Visibility?
    var scheme: ColorScheme?
    /// Whether the whole bar is hidden.
    var isHidden = false

    /// The style that fills the bar, or nil if the window stays visible behind the bar's items.
    var shownGround: AnyShapeStyle? {
        switch visibility {
        case .hidden: nil
        case .visible: background ?? AnyShapeStyle(Material.bar)
        default: background
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
    /// For each bar, the last sibling view with a look other than the default determines the look.
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
    /// Sets the size and position of this page's title.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        preference(key: TitleModeKey.self, value: displayMode)
    }
    /// Sets the title of the window, or of this page in a navigation stack.
    public func navigationTitle(_ title: Text) -> some View {
        preference(key: WindowTitleKey.self, value: title.string)
    }
    /// Sets the title of this page. This is an older name of `navigationTitle(_:)`.
    public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }
    /// Sets a localized title of this page. This is an older name of `navigationTitle(_:)`.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(titleKey) }
    /// Sets a title of this page that is not localized. This is an older name of `navigationTitle(_:)`.
    @_disfavoredOverload public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View {
        navigationTitle(title)
    }
    /// Sets the title of this page and its display mode. This is an older form of `navigationTitle(_:)` and
    /// `navigationBarTitleDisplayMode(_:)`.
    public func navigationBarTitle(_ title: Text, displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }
    /// Sets a localized title of this page and its display mode.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode)
        -> some View
    {
        navigationTitle(titleKey).navigationBarTitleDisplayMode(displayMode)
    }
    /// Sets a title of this page that is not localized, and its display mode.
    @_disfavoredOverload public func navigationBarTitle<S: StringProtocol>(
        _ title: S, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }

    /// Sets the background of bars while this page is on top.
    ///
    /// - Parameters:
    ///   - style: The style that fills the bars.
    ///   - bars: The bars to change. Without any, the bar above the page changes.
    public func toolbarBackground(_ style: any ShapeStyle, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.background = AnyShapeStyle(style) } }
    }
    /// Shows or hides the background and the separator of bars while this page is on top.
    ///
    /// - Parameters:
    ///   - visibility: `.hidden` leaves the window visible behind the bars' items. `.visible` shows the background that
    ///     is set, or else a material. `.automatic` shows only a background that is set.
    ///   - bars: The bars to change. Without any, the bar above the page changes.
    public func toolbarBackground(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.visibility = visibility } }
    }
    /// Sets the color scheme of bars while this page is on top. Nil keeps the color scheme of the navigation stack or
    /// the window around the page.
    ///
    /// - Parameters:
    ///   - colorScheme: The color scheme.
    ///   - bars: The bars to change. Without any, the bar above the page changes.
    public func toolbarColorScheme(_ colorScheme: ColorScheme?, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.scheme = colorScheme } }
    }
    /// Shows or hides bars while this page is on top.
    ///
    /// - Parameters:
    ///   - visibility: `.hidden` removes the bars.
    ///   - bars: The bars to change. Without any, the bar above the page changes.
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.isHidden = visibility == .hidden } }
    }
    /// Shows or hides bars while this page is on top. Same as `toolbar(_:for:)`.
    ///
    /// - Parameters:
    ///   - visibility: `.hidden` removes the bars.
    ///   - bars: The bars to change. Without any, the bar above the page changes.
    public func toolbarVisibility(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        transformPreference(BarLooksKey.self) { $0.change(bars) { $0.isHidden = visibility == .hidden } }
    }
}

/// A bar's content with the background, the separator and the color scheme of its look.
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
