import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// An element that is a GTK control, with the properties that all controls share.
///
/// These are the name for assistive technology, the tint, the size, and whether the control is enabled.
@MainActor
class ControlElement: WidgetElement {
    /// The text of the control's label. Assistive technology reads it, unless the app has set another name.
    var name = "" { didSet { if name != oldValue { applyName() } } }
    private(set) var controlSize = ControlSize.regular
    private var tint: Color.Components?
    /// The color of text on the tint, or nil without a tint.
    final var inkOnTint: Color.Components? { tint?.textColor }
    private var classes: [String] = []
    /// The style class of the tint that the widget uses, or nil without a tint.
    private var tintClass: String?
    /// The focus ring around the parts that Zoetrope draws, or nil for none.
    final private(set) var ring: FocusRing.Look?

    /// Adopts the values that every control reads from its environment. Subclasses call this method before they update
    /// the widget.
    final func follow(_ environment: EnvironmentValues) {
        isEnabled = environment.isEnabled
        ring = environment.focusRing
        let dark = environment.colorScheme == .dark
        tint = environment.tintColor.map { $0.resolved(dark: dark, accent: nil) }
        if controlSize != environment.controlSize {
            controlSize = environment.controlSize
            setNeedsLayout()
        }
    }

    /// Returns the position of an alignment that the label sets, in a control of `size` with the label in its middle.
    ///
    /// - Parameter labelSize: The size of the label, which is the control's first child.
    final func guideOfLabel(_ key: AlignmentKey, _ size: CGSize, labelSize: CGSize) -> CGFloat? {
        let margin = key.isVertical ? size.height - labelSize.height : size.width - labelSize.width
        return children.first?.explicitGuide(key, labelSize).map { $0 + margin / 2 }
    }

    /// Returns the widgets that get the control's name: by default only `widget`.
    func named(_ widget: GTKWidget) -> [GTKWidget] { [widget] }

    /// Returns the widgets that get the name of a button that is inside `widget` and has the focus.
    final func namedOfInnerButton(_ widget: GTKWidget) -> [GTKWidget] {
        let button = widget.firstChild ?? widget
        // Newer versions of GTK give assistive technology the name of the outer widget, and ignore that of the button.
        return GTKVersion.isAtLeast(minor: 9) ? [widget, button] : [button]
    }

    /// Reports to assistive technology whether the popover of `widget`, a `GtkToggleButton`, is open.
    final func reportExpanded(_ widget: GTKWidget) {
        guard let button = widget.as(GTKToggleButton.self) else { return }
        button.setAccessibleExpanded(false)
        connect(button, "toggled") {
            button.setAccessibleExpanded(button.isActive)
        }
    }

    /// Updates the style classes and the name of the widget. Overrides call `super` first.
    override func configure(_ widget: GTKWidget) {
        var newClasses: [String] = []
        useTint(tint)
        if let tintClass { newClasses.append(tintClass) }
        if let size = ControlTheme.className(controlSize) { newClasses.append(size) }
        if newClasses != classes {
            for name in classes { widget.removeClass(name) }
            for name in newClasses { widget.addClass(name) }
            classes = newClasses
        }
        applyName()
    }

    private func useTint(_ tint: Color.Components?) {
        let old = tintClass
        tintClass = tint.map { ControlTheme.use($0) }
        if let old { ControlTheme.release(old) }
    }

    override func willRemove(_ widget: GTKWidget) {
        classes = []
        useTint(nil)
    }

    /// Called when the name may have changed. Overrides set the names of the widget's parts.
    func nameChanged() {}

    private func applyName() {
        nameChanged()
        guard let widget, accessibility.label == nil, !name.isEmpty else { return }
        for labeled in named(widget) { labeled.setAccessibleLabel(name) }
    }

    /// Returns the natural height of the widget in points, or `constant` without a widget.
    ///
    /// - Parameter constant: The height in GTK's default theme, in points.
    final func height(_ constant: CGFloat) -> CGFloat { natural(width: nil)?.height ?? constant }
}

extension EnvironmentValues {
    /// The color of text on the tint, or nil without a tint.
    var wordsOnTint: Color? {
        tintColor.map { Color(kind: .fixed($0.resolved(dark: colorScheme == .dark, accent: nil).textColor)) }
    }
}

extension EnvironmentValues {
    /// Returns the color of text on a prominent button. The button's background is the tint, or else the accent color
    /// or red.
    func wordsOnAccent(_ role: ButtonRole?) -> Color {
        if let wordsOnTint { return wordsOnTint }
        guard role != .destructive else { return .white }
        return Color(kind: .fixed(Color.accentColor.resolved(dark: colorScheme == .dark, accent: nil).textColor))
    }
}

extension Color.Components {
    /// The color of text on this color: white, as on Apple's buttons, if the contrast is at least 3:1 (WCAG), else
    /// black.
    var textColor: Color.Components {
        let level = 1.05 / (luminance + 0.05) >= 3 ? 1.0 : 0
        return Color.Components(red: level, green: level, blue: level, opacity: 1)
    }
}

extension ControlSize {
    /// The space around a button's label, in points. Regular buttons have Adwaita's space. For the other sizes,
    /// `ControlTheme` sets the space.
    var buttonInsets: EdgeInsets {
        switch self {
        case .mini: EdgeInsets(top: 0, leading: 5, bottom: 0, trailing: 5)
        case .small: EdgeInsets(top: 2, leading: 7, bottom: 2, trailing: 7)
        case .regular: EdgeInsets(top: 5, leading: 10, bottom: 5, trailing: 10)
        case .large: EdgeInsets(top: 7, leading: 15, bottom: 7, trailing: 15)
        }
    }
    /// The minimum height of a button, in points.
    var buttonHeight: CGFloat {
        switch self {
        case .mini: 16
        case .small: 22
        case .regular: ControlExtent.regular
        case .large: ControlExtent.bar
        }
    }
}
