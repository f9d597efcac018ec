import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// The purpose of a button, which determines its look. Matches SwiftUI's `ButtonRole`.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// A button that deletes something. Its text is red, or its background is red in the prominent style.
    public static let destructive = ButtonRole(name: "destructive")
    /// A button that cancels something. It looks like a button without a role.
    public static let cancel = ButtonRole(name: "cancel")
}

/// A `GtkButton` whose label is a view. Matches SwiftUI's `Button`.
///
/// ```swift
/// Button { player.pause() } label: {
///     Label("Pause", systemImage: "pause.fill")
/// }
/// .keyboardShortcut("p")
/// ```
/// With `platformStyle(.phone)`, a click anywhere in a list row presses the row's only button, if the button has the
/// default style. The row is marked while the button is pressed.
public struct Button<Label: View>: View {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label
    @Environment(\.buttonStyle) private var style

    /// Creates a button with a custom label.
    ///
    /// - Parameters:
    ///   - action: Called on the main actor after a click, or when Space or Return is pressed while the button has the
    ///     focus.
    ///   - label: The label.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    /// Creates a button with a custom label and a role that determines its look. Nil means that it has no role.
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public var body: some View { style.make(role, AnyView(label), action) }
}

extension Button where Label == Text {
    /// Creates a button with a localized title.
    ///
    /// ```swift
    /// Button("Delete download", role: .destructive) { delete() }
    /// ```
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    /// Creates a button with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a button with a symbol and a localized title.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Creates a button with a symbol and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { DeclarativeUI.Label(title, systemImage: systemImage) }
    }
    /// Creates a button with an image of an asset catalog and a localized title.
    public init(
        _ titleKey: LocalizedStringKey, image: ImageResource, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { DeclarativeUI.Label(titleKey, image: image) }
    }
    /// Creates a button with an image of an asset catalog and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, image: ImageResource, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { DeclarativeUI.Label(title, image: image) }
    }
}

/// The properties of a button that a custom style uses. Matches SwiftUI's `ButtonStyleConfiguration`.
@MainActor @preconcurrency
public struct ButtonStyleConfiguration {
    /// The label of a button, with its type erased.
    public struct Label: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    /// The role of the button, or nil for none.
    public let role: ButtonRole?
    /// The label of the button, which the style includes in its view.
    public let label: Label
    /// Whether the pointer or a key presses the button.
    public let isPressed: Bool
}

/// A custom style of buttons. Matches SwiftUI's `ButtonStyle`.
///
/// ```swift
/// struct PillButtonStyle: ButtonStyle {
///     func makeBody(configuration: Configuration) -> some View {
///         configuration.label
///             .padding(.horizontal, 16).padding(.vertical, 8)
///             .background(Capsule().fill(Color.accentColor))
///             .opacity(configuration.isPressed ? 0.7 : 1)
///     }
/// }
/// ```
@MainActor @preconcurrency
public protocol ButtonStyle {
    /// The type of the view that represents the button.
    associatedtype Body: View
    /// The properties of a button: its role, its label and its state.
    typealias Configuration = ButtonStyleConfiguration
    /// Returns the view that represents the button. Called again whenever the button is pressed or released.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// A custom button style or one that GTK draws, with its type erased.
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

/// A button with a custom style: the style's view over a `GtkButton` that draws nothing.
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

/// The default button style, a button with GTK's border.
public struct DefaultButtonStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
}
/// A button style with GTK's border, the same as the default style.
public struct BorderedButtonStyle {
    /// Creates the style. The short form is `.bordered`.
    public init() {}
}
/// A button style with the accent color as background (GTK's suggested action). The background of a destructive button
/// is red.
public struct BorderedProminentButtonStyle {
    /// Creates the style. The short form is `.borderedProminent`.
    public init() {}
}
/// A button style whose background appears only under the pointer (GTK's flat button).
public struct BorderlessButtonStyle {
    /// Creates the style. The short form is `.borderless`.
    public init() {}
}
/// A button style that shows only the label, without background, border and padding.
public struct PlainButtonStyle {
    /// Creates the style. The short form is `.plain`.
    public init() {}
}
/// A button style that shows the label with rounded corners and a shadow, and enlarges it under the pointer.
public struct CardButtonStyle {
    /// Creates the style. The short form is `.card`.
    public init() {}
}
/// A style of buttons that GTK draws. Matches SwiftUI's `PrimitiveButtonStyle`; only the styles of this module are
/// supported.
public protocol PrimitiveButtonStyle {}
extension DefaultButtonStyle: PrimitiveButtonStyle {}
extension BorderedButtonStyle: PrimitiveButtonStyle {}
extension BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PlainButtonStyle: PrimitiveButtonStyle {}
extension CardButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// A style that is the same as `bordered`.
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// A style with GTK's border.
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// A style with the accent color as background, or red for a destructive button.
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// A style whose background appears only under the pointer.
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// A style that shows only the label, without background, border and padding.
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
extension PrimitiveButtonStyle where Self == CardButtonStyle {
    /// A style that shows the label with rounded corners and a shadow, and enlarges it under the pointer.
    public static var card: CardButtonStyle { CardButtonStyle() }
}

/// The look of a card: its label without padding, above the window's background.
struct CardLook: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { CardFace(configuration: configuration) }
}
private struct CardFace: View {
    let configuration: ButtonStyleConfiguration
    @State private var isOver = false
    @Environment(\.isEnabled) private var isEnabled
    private var isRaised: Bool { isOver && isEnabled && !configuration.isPressed }
    var body: some View {
        configuration.label
            .clipShape(RoundedRectangle(cornerRadius: Radius.card))
            .elevation(isRaised ? .floating : .raised)
            .scaleEffect(isRaised ? 1.05 : 1)
            .animation(Motion.quick, value: isRaised)
            .onHover { isOver = $0 }
    }
}

extension View {
    /// Sets a custom style for the buttons in this view.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.buttonStyle = AnyButtonStyle(style) })
    }
    /// Sets a style that GTK draws for the buttons in this view.
    ///
    /// ```swift
    /// HStack {
    ///     Button("Cancel") { dismiss() }
    ///     Button("Save") { save() }.buttonStyle(.borderedProminent)
    /// }
    /// ```
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        let look: ButtonElement.Look =
            switch style {
            case is BorderedProminentButtonStyle: .prominent
            case is BorderlessButtonStyle: .flat
            case is PlainButtonStyle: .bare
            default: .bordered
            }
        let isCard = style is CardButtonStyle
        return fiberModifier(
            EnvironmentWriter(identity: isCard ? "card" : AnyHashable(look)) {
                $0.buttonStyle = isCard ? AnyButtonStyle(CardLook()) : AnyButtonStyle(look: look)
            })
    }
}

struct NativeButton: _PrimitiveView {
    let role: ButtonRole?
    let look: ButtonElement.Look
    let action: @MainActor () -> Void
    var onPress: (@MainActor (Bool) -> Void)?
    /// Whether a list row with only this button is the button's target.
    var fillsRow = false
    let label: AnyView
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, ButtonElement(), content: { $0.label },
            environment: { environment, view in
                // A prominent button needs a label color that is readable on its background. In the other styles, the
                // label of a destructive button is red. Disabled buttons of every style have the same background and
                // keep the usual label color. A color that the app sets around the button applies instead.
                guard environment.foregroundStyle?.isLevel ?? true else { return environment }
                return with(environment) {
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

extension AnyShapeStyle {
    /// Whether the style is a level of another color, such as `secondary`. A section sets one for its header and its
    /// footer, for example. It does not replace the color of a button's label.
    var isLevel: Bool { if case .foreground = _style { true } else { false } }
}

/// An element with a `GtkButton` that has no child in GTK. Zoetrope draws the label over it.
final class ButtonElement: ControlElement {
    enum Look: Hashable { case bordered, prominent, flat, bare }
    private var look = Look.bordered
    private var isDestructive = false
    private var shape = ButtonBorderShape.automatic
    private var action: @MainActor () -> Void = {}
    private var onPress: (@MainActor (Bool) -> Void)?
    private var wasPressed = false, hadFocus = false
    /// Whether a list row with only this button is the button's target.
    private(set) var fillsRow = false
    private var tips: SignalConnection?

    func set(_ view: NativeButton, _ environment: EnvironmentValues) {
        action = view.action
        onPress = view.onPress
        fillsRow = view.fillsRow
        isDestructive = view.role == .destructive
        follow(environment)
        if look != view.look || shape != environment.buttonBorderShape {
            (look, shape) = (view.look, environment.buttonBorderShape)
            setNeedsLayout()
        }
        update()
    }

    /// Assistive technology reads the label as the button's name.
    override func includesText(of child: Element) -> Bool { true }

    override func makeWidget() -> GTKWidget? {
        let button = GTKButton()
        connect(button, "clicked") { [weak self] in self?.action() }
        connect(button, "state-flags-changed") { [weak self] in self?.stateChanged() }
        button.setAsksForTooltip(true)
        tips = SignalConnection(asking: button, "query-tooltip") {
            [weak self] (_: Int32, _: Int32, _: Bool, tip: OpaquePointer?) -> Bool in
            guard let self, let tip, let text = tooltipText else { return false }
            GTKTooltip(tip).setText(text)
            return true
        }
        return button.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        tips?.disconnect()
        (tips, hadFocus) = (nil, false)
    }

    /// The name of a button without text, which its tooltip shows. Nil if the button has text or a `help` around it.
    var tooltipText: String? {
        func hasText(_ element: Element) -> Bool {
            (element as? TextElement)?.string.isEmpty == false || element.children.contains(where: hasText)
        }
        guard !hasText(self), HelpElement.around(self) == nil else { return nil }
        let label = accessibility.label ?? spokenText
        return label.isEmpty ? nil : label
    }

    /// Whether the button has the keyboard focus and shows it.
    var showsFocus: Bool { widget?.hasVisibleFocus ?? false }
    /// Whether this button is the link of a list row. The list then draws the focus ring.
    private var isRow: Bool { parent is RowLinkElement }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        context.withBackground(look == .bordered ? ControlTheme.frameColor : nil) { super.draw(context, size) }
        guard look == .bare, showsFocus, !isRow, let ring else { return }
        FocusRing.draw(ring, around: FocusRing.outline(of: self, size), context)
    }

    private func stateChanged() {
        guard let widget else { return }
        if showsFocus != hadFocus {
            hadFocus.toggle()
            setNeedsDisplay()
        }
        guard onPress != nil || fillsRow else { return }
        let isPressed = widget.stateFlags.rawValue & GTK_STATE_FLAG_ACTIVE.rawValue != 0
        guard isPressed != wasPressed else { return }
        wasPressed = isPressed
        onPress?(isPressed)
        if fillsRow { list?.buttonChanged(self, isPressed: isPressed) }
    }
    /// The list that contains the button, or nil for none.
    private var list: ListElement? {
        var element: Element? = parent
        while let ancestor = element, !(ancestor is ListElement) { element = ancestor.parent }
        return element as? ListElement
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        Stylesheet.bare.ensure()
        let prominent = isDestructive ? "destructive-action" : "suggested-action"
        let styleClass: String? =
            switch look {
            case .prominent: prominent
            case .flat: "flat"
            case .bare: "zt-bare"
            case .bordered: nil
            }
        for name in ["suggested-action", "destructive-action", "flat", "zt-bare"] {
            widget.setClass(name, name == styleClass)
        }
        for name in ButtonBorderShape.classes { widget.setClass(name, look != .bare && name == shape.styleClass) }
        if accessibility.label == nil { widget.setAccessibleLabel(spokenText) }
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
        children.first?.sizeThatFits(proposal.inset(by: insets)) ?? .zero
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
        if let widget, accessibility.label == nil { widget.setAccessibleLabel(spokenText) }
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guideOfLabel(key, size, labelSize: labelSize(ProposedViewSize(size)))
    }
}

extension Stylesheet {
    /// The style rules for widgets that do not have the look of GTK's theme.
    static let bare = Stylesheet(
        """
        button.zt-bare { background: none; border: none; box-shadow: none; outline: none; padding: 0; min-width: 0; min-height: 0; }
        .zt-clear { background: none; }
        button.zt-capsule { border-radius: 9999px; }
        button.zt-rounded { border-radius: 8px; }
        """)
}
