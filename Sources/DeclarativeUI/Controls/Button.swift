import CGTK
import Foundation
import GTKSupport
import MediaCore

public struct ButtonRole: Equatable, Sendable {
    let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

/// Something to press: a real GtkButton under a label of views. SwiftUI's view.
public struct Button<Label: View>: View {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label
    @Environment(\.buttonStyle) private var style

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public var body: some View { style.make(role, AnyView(label), action) }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == DeclarativeUI.Label<Text, Image> {
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
}

/// What a style of one's own makes a button of.
@MainActor @preconcurrency
public struct ButtonStyleConfiguration {
    public struct Label: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    public let role: ButtonRole?
    public let label: Label
    /// The pointer or the key is down on it.
    public let isPressed: Bool
}

/// How buttons look. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol ButtonStyle {
    associatedtype Body: View
    typealias Configuration = ButtonStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// A style with a look of its own and pressing as usual, or one of GTK's.
struct AnyButtonStyle: @unchecked Sendable {
    // Immutable; `make` is only called on the main actor.
    let make: @MainActor (ButtonRole?, AnyView, @escaping @MainActor () -> Void) -> AnyView
    static let automatic = AnyButtonStyle(look: .bordered)
    init(look: ButtonElement.Look) {
        make = { role, label, action in AnyView(GTKButton(role: role, look: look, action: action, label: label)) }
    }
    @MainActor init<S: ButtonStyle>(_ style: S) {
        make = { role, label, action in AnyView(StyledButton(style: style, role: role, label: label, action: action)) }
    }
}

private struct ButtonStyleKey: EnvironmentKey { static let defaultValue = AnyButtonStyle.automatic }
extension EnvironmentValues {
    var buttonStyle: AnyButtonStyle {
        get { self[ButtonStyleKey.self] }
        set { self[ButtonStyleKey.self] = newValue }
    }
}

/// A button of an app's own look: a GtkButton that draws nothing under what the style makes.
struct StyledButton<S: ButtonStyle>: View {
    let style: S
    let role: ButtonRole?
    let label: AnyView
    let action: @MainActor () -> Void
    @State private var isPressed = false
    var body: some View {
        GTKButton(
            role: role, look: .bare, action: action, onPress: { isPressed = $0 },
            label: AnyView(
                style.makeBody(
                    configuration: ButtonStyleConfiguration(role: role, label: .init(view: label), isPressed: isPressed)
                )))
    }
}

/// The styles that GTK draws.
public struct DefaultButtonStyle { public init() {} }
public struct BorderedButtonStyle { public init() {} }
public struct BorderedProminentButtonStyle { public init() {} }
public struct BorderlessButtonStyle { public init() {} }
public struct PlainButtonStyle { public init() {} }
public protocol PrimitiveButtonStyle {}
extension DefaultButtonStyle: PrimitiveButtonStyle {}
extension BorderedButtonStyle: PrimitiveButtonStyle {}
extension BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension View {
    /// The look of the buttons below.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.buttonStyle = AnyButtonStyle(style) })
    }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        let look: ButtonElement.Look =
            switch style {
            case is BorderedProminentButtonStyle: .prominent
            case is BorderlessButtonStyle: .flat
            case is PlainButtonStyle: .bare
            default: .bordered
            }
        return fiberModifier(
            EnvironmentWriter(identity: AnyHashable(look)) { $0.buttonStyle = AnyButtonStyle(look: look) })
    }
}

struct GTKButton: _PrimitiveView {
    let role: ButtonRole?
    let look: ButtonElement.Look
    let action: @MainActor () -> Void
    var onPress: (@MainActor (Bool) -> Void)?
    let label: AnyView
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, ButtonElement(), content: { $0.label },
            environment: { environment, view in
                // On the prominent look's colour the label is what is read there; a destructive one is red. One that is
                // off has the ground of all that are off, whatever its look.
                with(environment) {
                    if view.look == .prominent {
                        $0.foregroundStyle = AnyShapeStyle(
                            environment.isEnabled ? environment.wordsOnTint ?? .white : .primary)
                    } else if view.role == .destructive, environment.isEnabled {
                        $0.foregroundStyle = AnyShapeStyle(Color.red)
                    }
                }
            }
        ) { element, view, fiber in
            element.set(view, fiber.environment)
        }
    }
}

/// A GtkButton without a child of GTK's; its label are our elements, over it.
final class ButtonElement: ControlElement {
    enum Look: Hashable { case bordered, prominent, flat, bare }
    private var look = Look.bordered
    private var isDestructive = false
    private var action: @MainActor () -> Void = {}
    private var onPress: (@MainActor (Bool) -> Void)?
    private var wasPressed = false

    func set(_ view: GTKButton, _ environment: EnvironmentValues) {
        action = view.action
        onPress = view.onPress
        isDestructive = view.role == .destructive
        follow(environment)
        if look != view.look {
            look = view.look
            setNeedsLayout()
        }
        update()
    }

    /// Its label is its name.
    override func speaks(for child: Element) -> Bool { true }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        guard let button = gtk_button_new() else { return nil }
        connect(button, "clicked") { [weak self] in self?.action() }
        connect(button, "state-flags-changed") { [weak self] in self?.stateChanged() }
        return button
    }

    private func stateChanged() {
        guard let widget, let onPress else { return }
        let isPressed = gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_ACTIVE.rawValue != 0
        guard isPressed != wasPressed else { return }
        wasPressed = isPressed
        onPress(isPressed)
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        Stylesheet.bare.ensure()
        let prominent = isDestructive ? "destructive-action" : "suggested-action"
        let own: String? =
            switch look {
            case .prominent: prominent
            case .flat: "flat"
            case .bare: "zt-bare"
            case .bordered: nil
            }
        for name in ["suggested-action", "destructive-action", "flat", "zt-bare"] {
            if name == own { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
        }
        if accessibility.label == nil { zt_gtk_set_accessible_label(widget, spokenWords) }
    }

    private var insets: EdgeInsets { look == .bare ? EdgeInsets() : controlSize.buttonInsets }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let label = labelSize(proposal)
        if look == .bare { return label }
        return CGSize(
            width: max(36, label.width + insets.horizontal),
            height: max(controlSize.buttonHeight, label.height + insets.vertical))
    }
    private func labelSize(_ proposal: ProposedViewSize) -> CGSize {
        let inner = ProposedViewSize(
            width: proposal.width.map { max(0, $0 - insets.horizontal) },
            height: proposal.height.map { max(0, $0 - insets.vertical) })
        return children.first?.sizeThatFits(inner) ?? .zero
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let label = labelSize(ProposedViewSize(size))
        let inner = ProposedViewSize(
            width: max(0, size.width - insets.horizontal), height: max(0, size.height - insets.vertical))
        for child in children {
            child.place(
                CGRect(
                    x: (size.width - label.width) / 2, y: (size.height - label.height) / 2, width: label.width,
                    height: label.height), inner)
        }
        if let widget, accessibility.label == nil { zt_gtk_set_accessible_label(widget, spokenWords) }
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard key.isVertical, let child = children.first else { return nil }
        let label = labelSize(ProposedViewSize(size))
        return child.explicitGuide(key, label).map { $0 + (size.height - label.height) / 2 }
    }
}

extension Stylesheet {
    /// For what is drawn bare of GTK's theme.
    static let bare = Stylesheet(
        """
        button.zt-bare { background: none; border: none; box-shadow: none; padding: 0; min-width: 0; min-height: 0; }
        .zt-clear { background: none; }
        """)
}
