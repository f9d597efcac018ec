import Foundation
@_spi(Graph) import ViewGraph

// The looks of all controls of a kind, which apps set with `appearance()` of UIKit's types. A tint around a view and
// the view's own style have priority.

/// The look of all toggles in the style of a switch, which `UISwitch.appearance()` returns. Modeled on UIKit's type.
/// There are no switches of UIKit to create.
@MainActor @preconcurrency
public final class UISwitch {
    private static let shared = UISwitch()
    /// Returns the object for all switches. Visible switches update after each change.
    public static func appearance() -> UISwitch { shared }
    private init() {}
    private let tint = ControlValues<Color?>(nil)
    /// The color of switches that are on and have no `tint` around them. Nil means the accent color.
    public var onTintColor: UIColor? {
        get { tint.current.uiColor }
        set { tint.current.uiColor = newValue }
    }
    var shownTint: Color? { tint.shown }
}

/// The look of all sliders, which `UISlider.appearance()` returns. Modeled on UIKit's appearance proxy.
@MainActor @preconcurrency
public final class UISliderAppearance {
    struct Look {
        var parts = SliderParts()
        var tint: Color?
    }
    static let shared = UISliderAppearance()
    private init() {}
    let look = ControlValues(Look())
    var shown: Look { look.shown }

    /// The color of the track before the knob, in sliders without a `tint` around them. Nil means the accent color.
    public var minimumTrackTintColor: UIColor? {
        get { look.current.tint.uiColor }
        set { look.current.tint.uiColor = newValue }
    }
    /// The color of the track after the knob. Nil means that of GTK's theme.
    public var maximumTrackTintColor: UIColor? {
        get { look.current.parts.trackColor.uiColor }
        set { look.current.parts.trackColor.uiColor = newValue }
    }
    /// The color of the knob. Nil means that of GTK's theme.
    public var thumbTintColor: UIColor? {
        get { look.current.parts.thumbColor.uiColor }
        set { look.current.parts.thumbColor.uiColor = newValue }
    }
    /// Sets the image of the knob, or removes it with nil. Only the image for `normal` has an effect.
    public func setThumbImage(_ image: UIImage?, for state: UIControl.State) {
        if state == .normal { look.current.parts.thumb = image }
    }
    /// Sets the image of the track before the knob, or removes it with nil. Only the image for `normal` has an effect.
    public func setMinimumTrackImage(_ image: UIImage?, for state: UIControl.State) {
        if state == .normal { look.current.parts.minimum = image }
    }
    /// Sets the image of the track after the knob, or removes it with nil. Only the image for `normal` has an effect.
    public func setMaximumTrackImage(_ image: UIImage?, for state: UIControl.State) {
        if state == .normal { look.current.parts.maximum = image }
    }
}
extension UISlider {
    /// Returns the look of all sliders, in views and of UIKit. Visible sliders update after each change.
    ///
    /// If a `UISlider` has an image of its own, or a color of its own for the knob or for the track after the knob,
    /// only the color of the track before the knob comes from this look.
    public static func appearance() -> UISliderAppearance { .shared }
}

/// The look of the dots of all tab views in the page style, which `UIPageControl.appearance()` returns. Modeled on
/// UIKit's type. There are no page controls of UIKit to create.
@MainActor @preconcurrency
public final class UIPageControl {
    struct Look { var current: Color?, others: Color? }
    private static let shared = UIPageControl()
    /// Returns the object for all dots. Visible dots update after each change.
    public static func appearance() -> UIPageControl { shared }
    private init() {}
    private let look = ControlValues(Look())
    var shown: Look { look.shown }
    /// The color of the current page's dot. Nil means the color of text.
    public var currentPageIndicatorTintColor: UIColor? {
        get { look.current.current.uiColor }
        set { look.current.current.uiColor = newValue }
    }
    /// The color of the other dots. Nil means the color of text with an opacity of 0.3.
    public var pageIndicatorTintColor: UIColor? {
        get { look.current.others.uiColor }
        set { look.current.others.uiColor = newValue }
    }
}

/// The look of all pickers in the style `.segmented`, which `UISegmentedControl.appearance()` returns. Modeled on
/// UIKit's type. There are no segmented controls of UIKit to create.
@MainActor @preconcurrency
public final class UISegmentedControl {
    private static let shared = UISegmentedControl()
    /// Returns the object for all segmented pickers. Visible pickers update after each change.
    public static func appearance() -> UISegmentedControl { shared }
    private init() {}
    private let look = ControlValues(SegmentLook())
    var shown: SegmentLook { look.shown }

    /// The color of the selected segment in pickers without a `tint` around them. Nil means that of GTK's theme.
    public var selectedSegmentTintColor: UIColor? {
        get { look.current.tint.uiColor }
        set { look.current.tint.uiColor = newValue }
    }
    /// The color of the other segments. Nil means that of GTK's theme.
    public var backgroundColor: UIColor? {
        get { look.current.ground.uiColor }
        set { look.current.ground.uiColor = newValue }
    }
    /// Sets the attributes of titles: `.foregroundColor` with a `UIColor`, and `.font` with a `UIFont`. Other keys have
    /// no effect. Nil removes the attributes.
    ///
    /// Only the states `normal` and `selected` have an effect. The font for `normal` applies to all titles, and has
    /// priority over a font around the picker. The colors apply to titles without a color of their own.
    public func setTitleTextAttributes(_ attributes: [NSAttributedString.Key: Any]?, for state: UIControl.State) {
        let title = BarDefaults.Title(attributes ?? [:])
        switch state {
        case .normal:
            look.current.ink = title.color
            look.current.font = title.font
        case .selected: look.current.selectedInk = title.color
        default: break
        }
    }
}
/// The colors and the font of segmented pickers. Nil means those of the theme and of the views.
struct SegmentLook: Equatable {
    /// The color of the selected segment, and of the others.
    var tint: Color?, ground: Color?
    /// The color of titles, and of the selected title.
    var ink: Color?, selectedInk: Color?
    var font: Font?
}

/// The look of all progress bars, which `UIProgressView.appearance()` returns. Modeled on UIKit's type. There are no
/// progress views of UIKit to create.
@MainActor @preconcurrency
public final class UIProgressView {
    private static let shared = UIProgressView()
    /// Returns the object for all progress bars. Visible bars update after each change.
    public static func appearance() -> UIProgressView { shared }
    private init() {}
    private let tint = ControlValues<Color?>(nil)
    /// The color of the part that is done, in bars without a `tint`. Nil means the accent color.
    public var progressTintColor: UIColor? {
        get { tint.current.uiColor }
        set { tint.current.uiColor = newValue }
    }
    var shownTint: Color? { tint.shown }
}

/// The look of all text fields, which `UITextField.appearance()` returns. Modeled on UIKit's appearance proxy.
@MainActor @preconcurrency
public final class UITextFieldAppearance {
    static let shared = UITextFieldAppearance()
    private init() {}
    private let clearButton = ControlValues(UITextField.ViewMode.never)
    /// When fields with text have a button that empties them. Secure fields and fields that grow have no such button.
    public var clearButtonMode: UITextField.ViewMode {
        get { clearButton.current }
        set { clearButton.current = newValue }
    }
    var shownClearButton: UITextField.ViewMode { clearButton.shown }
}
extension UITextField {
    /// Returns the look of all text fields, in views and of UIKit. Visible fields update after each change.
    public static func appearance() -> UITextFieldAppearance { .shared }
}

/// The look of all text editors, which `UITextView.appearance()` returns. Modeled on UIKit's appearance proxy.
@MainActor @preconcurrency
public final class UITextViewAppearance {
    static let shared = UITextViewAppearance()
    private init() {}
    private let ground = ControlValues<Color?>(nil)
    /// The background color of text that can be edited, with `.clear` for none. Nil means that of GTK's theme. The
    /// frame around the text stays visible.
    public var backgroundColor: UIColor? {
        get { ground.current.uiColor }
        set { ground.current.uiColor = newValue }
    }
    var shownGround: Color? { ground.shown }
}
extension UITextView {
    /// Returns the look of all text editors, in views and of UIKit. Visible editors update after each change.
    public static func appearance() -> UITextViewAppearance { .shared }
}
