import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// What a button does, as far as its looks go. SwiftUI's type.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// It takes something away: red words, or a red ground in the prominent style.
    public static let destructive = ButtonRole(name: "destructive")
    /// It calls something off; it looks as a button without a role.
    public static let cancel = ButtonRole(name: "cancel")
}

/// Something to press: a real GtkButton under a label of views. SwiftUI's view.
public struct Button<Label: View>: View {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label
    @Environment(\.buttonStyle) private var style

    /// A button with any label.
    /// - Parameter action: run on the main actor at a click, or at Space or Return with the focus.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    /// A button with any label and a role that changes its looks; nil is none.
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public var body: some View { style.make(role, AnyView(label), action) }
}

extension Button where Label == Text {
    /// A button with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    /// A button with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == DeclarativeUI.Label<Text, Image> {
    /// A button with a symbol beside a title that is looked up in the app's translations.
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
    /// The button's label, whatever its type.
    public struct Label: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    /// The button's role; nil is none.
    public let role: ButtonRole?
    /// The button's label, to be placed in what the style makes.
    public let label: Label
    /// The pointer or the key is down on it.
    public let isPressed: Bool
}

/// How buttons look. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol ButtonStyle {
    /// The type of the view that the style makes.
    associatedtype Body: View
    /// What the style is given: the button's role, label and state.
    typealias Configuration = ButtonStyleConfiguration
    /// Makes what the button looks like; called anew when it is pressed and released.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// A style with a look of its own and pressing as usual, or one of GTK's.
struct AnyButtonStyle: Sendable {
    let make: @MainActor (ButtonRole?, AnyView, @escaping @MainActor () -> Void) -> AnyView
    static let automatic = AnyButtonStyle(look: .bordered)
    init(look: ButtonElement.Look) {
        make = { role, label, action in AnyView(NativeButton(role: role, look: look, action: action, label: label)) }
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
        NativeButton(
            role: role, look: .bare, action: action, onPress: { isPressed = $0 },
            label: AnyView(
                style.makeBody(
                    configuration: ButtonStyleConfiguration(role: role, label: .init(view: label), isPressed: isPressed)
                )))
    }
}

/// The styles that GTK draws.
public struct DefaultButtonStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// A button with GTK's border; the same as the automatic style.
public struct BorderedButtonStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// A button on the accent colour (GTK's suggested action); on red where its role is destructive.
public struct BorderedProminentButtonStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// A button that shows a ground only under the pointer (GTK's flat button).
public struct BorderlessButtonStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// The label alone, without ground, border or padding.
public struct PlainButtonStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// How buttons look that GTK draws. SwiftUI's protocol; only the styles above are known.
public protocol PrimitiveButtonStyle {}
extension DefaultButtonStyle: PrimitiveButtonStyle {}
extension BorderedButtonStyle: PrimitiveButtonStyle {}
extension BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The same as `bordered`.
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// A button with GTK's border.
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// A button on the accent colour; on red where its role is destructive.
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// A button that shows a ground only under the pointer.
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// The label alone, without ground, border or padding.
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension View {
    /// The look of the buttons below.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.buttonStyle = AnyButtonStyle(style) })
    }
    /// The look of the buttons below: one that GTK draws.
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

struct NativeButton: _PrimitiveView {
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
                            environment.isEnabled ? environment.wordsOnAccent(view.role) : .primary)
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
    private var shape = ButtonBorderShape.automatic
    private var action: @MainActor () -> Void = {}
    private var onPress: (@MainActor (Bool) -> Void)?
    private var wasPressed = false, hadFocus = false
    private var tips: SignalConnection?

    func set(_ view: NativeButton, _ environment: EnvironmentValues) {
        action = view.action
        onPress = view.onPress
        isDestructive = view.role == .destructive
        follow(environment)
        if look != view.look || shape != environment.buttonBorderShape {
            (look, shape) = (view.look, environment.buttonBorderShape)
            setNeedsLayout()
        }
        update()
    }

    /// Its label is its name.
    override func speaks(for child: Element) -> Bool { true }

    override func makeWidget() -> GTKWidget? {
        let button = GTKButton()
        connect(button, "clicked") { [weak self] in self?.action() }
        connect(button, "state-flags-changed") { [weak self] in self?.stateChanged() }
        button.setAsksForTooltip(true)
        tips = SignalConnection(asking: button, "query-tooltip") {
            [weak self] (_: Int32, _: Int32, _: Bool, tip: OpaquePointer?) -> Bool in
            guard let self, let tip, let words = symbolWords else { return false }
            GTKTooltip(tip).setText(words)
            return true
        }
        return button.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        tips?.disconnect()
        (tips, hadFocus) = (nil, false)
    }

    /// What a button without words is called; nil of one with words, or with `help` around it, which says more.
    var symbolWords: String? {
        func hasWords(_ element: Element) -> Bool {
            (element as? TextElement)?.string.isEmpty == false || element.children.contains(where: hasWords)
        }
        guard !hasWords(self), HelpElement.around(self) == nil else { return nil }
        let words = accessibility.label ?? spokenWords
        return words.isEmpty ? nil : words
    }

    /// The keyboard is here, and its user looks for it.
    var showsFocus: Bool { widget?.hasVisibleFocus ?? false }
    /// The list around it shows that: it is a row's link.
    private var isRow: Bool { parent is RowLinkElement }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        context.grounded(look == .bordered ? ControlTheme.frameColor : nil) { super.draw(context, size) }
        guard look == .bare, showsFocus, !isRow, let ring else { return }
        FocusRing.draw(ring, around: FocusRing.outline(of: self, size), context)
    }

    private func stateChanged() {
        guard let widget else { return }
        if showsFocus != hadFocus {
            hadFocus.toggle()
            setNeedsDisplay()
        }
        guard let onPress else { return }
        let isPressed = widget.stateFlags.rawValue & GTK_STATE_FLAG_ACTIVE.rawValue != 0
        guard isPressed != wasPressed else { return }
        wasPressed = isPressed
        onPress(isPressed)
    }

    override func configure(_ widget: GTKWidget) {
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
            widget.setClass(name, name == own)
        }
        for name in ButtonBorderShape.classes { widget.setClass(name, look != .bare && name == shape.styleClass) }
        if accessibility.label == nil { widget.setAccessibleLabel(spokenWords) }
    }

    private var insets: EdgeInsets {
        guard look != .bare else { return EdgeInsets() }
        let insets = controlSize.buttonInsets
        guard shape.kind == .circle else { return insets }
        return EdgeInsets(top: insets.top, leading: insets.top, bottom: insets.bottom, trailing: insets.bottom)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let label = labelSize(proposal)
        if look == .bare { return label }
        let height = max(controlSize.buttonHeight, label.height + insets.vertical)
        if shape.kind == .circle {
            let side = max(height, label.width + insets.vertical)
            return CGSize(width: side, height: side)
        }
        return CGSize(width: max(ControlExtent.leastWidth, label.width + insets.horizontal), height: height)
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
        if let widget, accessibility.label == nil { widget.setAccessibleLabel(spokenWords) }
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
        button.zt-bare { background: none; border: none; box-shadow: none; outline: none; padding: 0; min-width: 0; min-height: 0; }
        .zt-clear { background: none; }
        button.zt-capsule { border-radius: 9999px; }
        button.zt-rounded { border-radius: 8px; }
        """)
}
