import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// An element that is one of GTK's controls, with what all of them share: a name for assistive technology, the
/// tint, the size, and whether it takes input.
@MainActor
class ControlElement: WidgetElement {
    /// What its label says; told to assistive technology unless the app says something else.
    var name = "" { didSet { if name != oldValue { applyName() } } }
    private(set) var controlSize = ControlSize.regular
    private var tint: Color.Components?
    /// What words on the tint are drawn with; nil without a tint.
    final var inkOnTint: Color.Components? { tint?.words }
    private var classes: [String] = []
    /// Around what we draw of it; nil: none.
    final private(set) var ring: FocusRing.Look?

    /// Takes over what holds for every control. Subclasses call it before they bring the widget up to date.
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

    /// The widgets that take the name; most are one.
    func named(_ widget: GTKWidget) -> [GTKWidget] { [widget] }

    /// Tells assistive technology whether what `button`, a GtkToggleButton, opens is open.
    final func tellExpanded(_ widget: GTKWidget) {
        guard let button = widget.as(GTKToggleButton.self) else { return }
        button.setAccessibleExpanded(false)
        connect(button, "toggled") {
            button.setAccessibleExpanded(button.isActive)
        }
    }

    /// Overrides call `super` first.
    override func configure(_ widget: GTKWidget) {
        var next: [String] = []
        if let tint { next.append(ControlTheme.className(tint)) }
        if let size = ControlTheme.className(controlSize) { next.append(size) }
        if next != classes {
            for name in classes { widget.removeClass(name) }
            for name in next { widget.addClass(name) }
            classes = next
        }
        applyName()
    }

    override func willRemove(_ widget: GTKWidget) { classes = [] }

    /// For parts that are called after it.
    func nameChanged() {}

    private func applyName() {
        nameChanged()
        guard let widget, accessibility.label == nil, !name.isEmpty else { return }
        for one in named(widget) { one.setAccessibleLabel(name) }
    }

    /// The height that GTK gives the widget, or the default theme's.
    final func height(_ constant: CGFloat) -> CGFloat { natural(width: nil)?.height ?? constant }
}

extension EnvironmentValues {
    /// What words on the tint are drawn with; nil without a tint.
    var wordsOnTint: Color? {
        tintColor.map { Color(kind: .fixed($0.resolved(dark: colorScheme == .dark, accent: nil).words)) }
    }
}

extension EnvironmentValues {
    /// What words on a prominent button are drawn with: its ground is the tint, else the accent, or red.
    func wordsOnAccent(_ role: ButtonRole?) -> Color {
        if let wordsOnTint { return wordsOnTint }
        guard role != .destructive, let accent = Accent.current else { return .white }
        return Color(kind: .fixed(accent.words))
    }
}

extension Color.Components {
    /// What is read on this: white, as on Apple's buttons, where that stands out by 3 to 1 (WCAG), else black.
    var words: Color.Components {
        let grey = 1.05 / (luminance + 0.05) >= 3 ? 1.0 : 0
        return Color.Components(red: grey, green: grey, blue: grey, opacity: 1)
    }
}

extension ControlSize {
    /// Room around a button's label, points: Adwaita's for regular ones, the others as `ControlTheme` says.
    var buttonInsets: EdgeInsets {
        switch self {
        case .mini: EdgeInsets(top: 0, leading: 5, bottom: 0, trailing: 5)
        case .small: EdgeInsets(top: 2, leading: 7, bottom: 2, trailing: 7)
        case .regular: EdgeInsets(top: 5, leading: 10, bottom: 5, trailing: 10)
        case .large: EdgeInsets(top: 7, leading: 15, bottom: 7, trailing: 15)
        }
    }
    /// The least height of a button, points.
    var buttonHeight: CGFloat {
        switch self {
        case .mini: 16
        case .small: 22
        case .regular: ControlExtent.regular
        case .large: ControlExtent.bar
        }
    }
}
