import Foundation
@_spi(Graph) import ViewGraph

/// How bars look where a page says nothing of it. UIKit's type; main actor.
@MainActor @preconcurrency
open class UIBarAppearance {
    /// Makes the look that bars have anyway.
    public init() {}
    var defaults = BarDefaults() { didSet { onChange?() } }
    var onChange: (@MainActor () -> Void)?

    /// The look that bars have anyway.
    open func configureWithDefaultBackground() { (defaults.ground, defaults.visibility) = (nil, nil) }
    /// A ground of `UIColor.systemBackground`, unless `backgroundColor` is set after this.
    open func configureWithOpaqueBackground() {
        (defaults.ground, defaults.visibility) = (Color(.systemBackground), .visible)
    }
    /// Neither a ground nor a line.
    open func configureWithTransparentBackground() { (defaults.ground, defaults.visibility) = (nil, .hidden) }
    /// What fills the bar; nil: the window is seen.
    open var backgroundColor: UIColor? {
        get { defaults.ground.map { UIColor($0) } }
        set {
            defaults.ground = newValue.map { Color($0) }
            if newValue != nil { defaults.visibility = .visible }
        }
    }
}

/// The look of the bars above pages. UIKit's type; main actor.
@MainActor @preconcurrency
open class UINavigationBarAppearance: UIBarAppearance {
    /// Of titles: `.foregroundColor` (`UIColor`) and `.font` (`UIFont`) have an effect.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:] {
        didSet { defaults.title = BarDefaults.Title(titleTextAttributes) }
    }
    /// The same of large titles.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:] {
        didSet { defaults.largeTitle = BarDefaults.Title(largeTitleTextAttributes) }
    }
}

/// The look of tab bars. UIKit's type; main actor.
@MainActor @preconcurrency
open class UITabBarAppearance: UIBarAppearance {}

/// The bars above pages, to say how they look: `UINavigationBar.appearance()`. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UINavigationBar {
    private static let shared = UINavigationBar()
    /// All bars above pages. Bars that are shown follow a change.
    public static func appearance() -> UINavigationBar { shared }
    private let values = ControlValues(BarDefaults())
    var shown: BarDefaults { values.shown }
    private init() { follow() }

    /// How the bars look.
    public var standardAppearance = UINavigationBarAppearance() {
        didSet {
            oldValue.onChange = nil
            follow()
        }
    }
    /// Kept, of no effect: bars here look the same wherever the page is scrolled to, and in windows of each height.
    public var scrollEdgeAppearance: UINavigationBarAppearance?, compactAppearance: UINavigationBarAppearance?
    private func follow() {
        standardAppearance.onChange = { [weak self] in
            if let self { values.current = standardAppearance.defaults }
        }
        values.current = standardAppearance.defaults
    }
    /// The ground; the older way to say it.
    public var barTintColor: UIColor? {
        get { standardAppearance.backgroundColor }
        set { standardAppearance.backgroundColor = newValue }
    }
    /// Of titles; the older way to say it.
    public var titleTextAttributes: [NSAttributedString.Key: Any]? {
        get { standardAppearance.titleTextAttributes }
        set { standardAppearance.titleTextAttributes = newValue ?? [:] }
    }
    /// Of large titles; the older way to say it.
    public var largeTitleTextAttributes: [NSAttributedString.Key: Any]? {
        get { standardAppearance.largeTitleTextAttributes }
        set { standardAppearance.largeTitleTextAttributes = newValue ?? [:] }
    }
}

/// Tab bars, to say how they look: `UITabBar.appearance()`. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UITabBar {
    private static let shared = UITabBar()
    /// All tab bars. Bars that are shown follow a change.
    public static func appearance() -> UITabBar { shared }
    private let values = ControlValues(BarDefaults())
    var shown: BarDefaults { values.shown }
    private init() { follow() }

    /// How the bars look.
    public var standardAppearance = UITabBarAppearance() {
        didSet {
            oldValue.onChange = nil
            follow()
        }
    }
    /// Kept, of no effect: bars here look the same wherever the page is scrolled to.
    public var scrollEdgeAppearance: UITabBarAppearance?
    private func follow() {
        standardAppearance.onChange = { [weak self] in
            if let self { values.current = standardAppearance.defaults }
        }
        values.current = standardAppearance.defaults
    }
    /// The ground; the older ways to say it.
    public var barTintColor: UIColor? {
        get { standardAppearance.backgroundColor }
        set { standardAppearance.backgroundColor = newValue }
    }
    /// The same as `barTintColor`.
    public var backgroundColor: UIColor? {
        get { barTintColor }
        set { barTintColor = newValue }
    }
}

/// What bars look like where a page says nothing of it.
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
    var ground: Color?
    var visibility: Visibility?
    var title = Title(), largeTitle = Title()
}

extension BarLook {
    /// The page's word counts, where it says something.
    func over(_ defaults: BarDefaults) -> BarLook {
        guard ground == nil, visibility == nil else { return self }
        return with(self) {
            $0.ground = defaults.ground.map { AnyShapeStyle($0) }
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
