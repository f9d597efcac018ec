import Foundation
@_spi(Graph) import ViewGraph

/// The default look of bars, which pages can override. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIBarAppearance {
    /// Creates an appearance with the standard look of bars.
    public init() {}
    fileprivate let values = ControlValues(BarDefaults())
    fileprivate final var defaults: BarDefaults {
        get { values.current }
        set { values.current = newValue }
    }

    /// Restores the standard background of bars.
    open func configureWithDefaultBackground() { (defaults.background, defaults.visibility) = (nil, nil) }
    /// Sets the background to `UIColor.systemBackground`. A `backgroundColor` set afterward replaces it.
    open func configureWithOpaqueBackground() {
        (defaults.background, defaults.visibility) = (Color(.systemBackground), .visible)
    }
    /// Removes the background and the separator line.
    open func configureWithTransparentBackground() { (defaults.background, defaults.visibility) = (nil, .hidden) }
    /// The background color of the bar. Setting a color makes the background visible.
    ///
    /// A new appearance has no color and shows the window's background. After a color was set, also by
    /// `configureWithOpaqueBackground()`, nil means the gray of `Material.bar`. `configureWithDefaultBackground()`
    /// shows the window's background again.
    open var backgroundColor: UIColor? {
        get { defaults.background.uiColor }
        set {
            defaults.background = newValue?.color
            if newValue != nil { defaults.visibility = .visible }
        }
    }
}

/// The look of navigation bars. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UINavigationBarAppearance: UIBarAppearance {
    /// The attributes of titles: `.foregroundColor` with a `UIColor`, and `.font` with a `UIFont`. Other keys have no
    /// effect.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:] {
        didSet { defaults.title = BarDefaults.Title(titleTextAttributes) }
    }
    /// The attributes of large titles, with the same keys as `titleTextAttributes`.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:] {
        didSet { defaults.largeTitle = BarDefaults.Title(largeTitleTextAttributes) }
    }
}

/// The look of tab bars. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UITabBarAppearance: UIBarAppearance {}

/// The look of all navigation bars, which `UINavigationBar.appearance()` returns, or of the bar of one
/// `UINavigationController`. Modeled on UIKit's type.
///
/// A controller's bar has the look of all bars until the app sets a look of its own.
@MainActor @preconcurrency
public final class UINavigationBar {
    private static let shared = UINavigationBar()
    /// Returns the object for all navigation bars. Visible bars update after each change.
    public static func appearance() -> UINavigationBar { shared }
    private let appearance = ControlValues(UINavigationBarAppearance())
    var shown: BarDefaults {
        let own = appearance.shown.values.shown
        return own == BarDefaults() && self !== UINavigationBar.shared ? UINavigationBar.shared.shown : own
    }
    init() {}

    weak var controller: UINavigationController?
    /// Whether titles have a line of their own in a large font. Has an effect in the bar of a `UINavigationController`.
    public var prefersLargeTitles = false { didSet { controller?.barChanged() } }
    /// The color of buttons in the bar of a `UINavigationController`. Nil means the color of all bars, or else the
    /// accent color.
    public var tintColor: UIColor? { didSet { controller?.barChanged() } }
    /// Whether the bar of a `UINavigationController` is hidden.
    public var isHidden: Bool {
        get { controller?.isNavigationBarHidden ?? false }
        set { controller?.setNavigationBarHidden(newValue, animated: false) }
    }
    /// Stored without effect: content is below the bar.
    public var isTranslucent = true
    /// The item of the top controller, or nil outside of a `UINavigationController`.
    public var topItem: UINavigationItem? { controller?.topViewController?.navigationItem }

    /// The look of the bars.
    public var standardAppearance: UINavigationBarAppearance {
        get { appearance.current }
        set { appearance.current = newValue }
    }
    /// Stored without effect: bars look the same at every scroll position and window height.
    public var scrollEdgeAppearance: UINavigationBarAppearance?, compactAppearance: UINavigationBarAppearance?
    /// The background color of the bars, same as `standardAppearance.backgroundColor`.
    public var barTintColor: UIColor? {
        get { standardAppearance.backgroundColor }
        set { standardAppearance.backgroundColor = newValue }
    }
    /// The attributes of titles, same as `standardAppearance.titleTextAttributes`. Nil means no attributes.
    public var titleTextAttributes: [NSAttributedString.Key: Any]? {
        get { standardAppearance.titleTextAttributes }
        set { standardAppearance.titleTextAttributes = newValue ?? [:] }
    }
    /// The attributes of large titles, same as `standardAppearance.largeTitleTextAttributes`. Nil means no attributes.
    public var largeTitleTextAttributes: [NSAttributedString.Key: Any]? {
        get { standardAppearance.largeTitleTextAttributes }
        set { standardAppearance.largeTitleTextAttributes = newValue ?? [:] }
    }
}

/// The look of all tab bars, which `UITabBar.appearance()` returns. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UITabBar {
    private static let shared = UITabBar()
    /// Returns the object for all tab bars. Visible bars update after each change.
    public static func appearance() -> UITabBar { shared }
    private let appearance = ControlValues(UITabBarAppearance())
    var shown: BarDefaults { appearance.shown.values.shown }
    private init() {}

    /// The look of the bars.
    public var standardAppearance: UITabBarAppearance {
        get { appearance.current }
        set { appearance.current = newValue }
    }
    /// Stored without effect: bars look the same at every scroll position.
    public var scrollEdgeAppearance: UITabBarAppearance?
    /// The background color of the bars, same as `standardAppearance.backgroundColor`.
    public var barTintColor: UIColor? {
        get { standardAppearance.backgroundColor }
        set { standardAppearance.backgroundColor = newValue }
    }
    /// The background color of the bars, same as `barTintColor`.
    public var backgroundColor: UIColor? {
        get { barTintColor }
        set { barTintColor = newValue }
    }
}

/// The look of toolbars. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIToolbarAppearance: UIBarAppearance {}

/// The look of all bars below pages, which `UIToolbar.appearance()` returns. Modeled on UIKit's type. There are no
/// toolbars of UIKit to create.
@MainActor @preconcurrency
public final class UIToolbar {
    private static let shared = UIToolbar()
    /// Returns the object for all bars below pages. Visible bars update after each change.
    public static func appearance() -> UIToolbar { shared }
    private let appearance = ControlValues(UIToolbarAppearance())
    var shown: BarDefaults { appearance.shown.values.shown }
    private init() {}

    /// The look of the bars.
    public var standardAppearance: UIToolbarAppearance {
        get { appearance.current }
        set { appearance.current = newValue }
    }
    /// Stored without effect: bars look the same at every scroll position and window height.
    public var scrollEdgeAppearance: UIToolbarAppearance?, compactAppearance: UIToolbarAppearance?
    /// The background color of the bars, same as `standardAppearance.backgroundColor`.
    public var barTintColor: UIColor? {
        get { standardAppearance.backgroundColor }
        set { standardAppearance.backgroundColor = newValue }
    }
    /// The background color of the bars, same as `barTintColor`.
    public var backgroundColor: UIColor? {
        get { barTintColor }
        set { barTintColor = newValue }
    }
}

/// The look of bars on pages that set no look of their own.
struct BarDefaults: Equatable {
    struct Title: Equatable {
        var color: Color?
        var font: Font?
        init() {}
        @MainActor init(_ attributes: [NSAttributedString.Key: Any]) {
            color = (attributes[.foregroundColor] as? UIColor)?.color
            font = (attributes[.font] as? UIFont)?.font
        }
    }
    var background: Color?
    var visibility: Visibility?
    var title = Title(), largeTitle = Title()
}

extension BarLook {
    /// Returns this look if it sets a background or a visibility, otherwise this look with the defaults.
    func over(_ defaults: BarDefaults) -> BarLook {
        guard background == nil, visibility == nil else { return self }
        return with(self) {
            $0.background = defaults.background.map { AnyShapeStyle($0) }
            $0.visibility = defaults.visibility
        }
    }
}

extension View {
    @ViewBuilder func barTitle(_ title: BarDefaults.Title, font: Font) -> some View {
        if let color = title.color {
            self.font(title.font ?? font).foregroundStyle(color)
        } else {
            self.font(title.font ?? font)
        }
    }
}

extension NSAttributedString.Key {
    /// The color of text, a `UIColor`.
    public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
    /// The font of text, a `UIFont`.
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
}
