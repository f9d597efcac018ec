import Foundation
@_spi(Graph) import ViewGraph

/// A button that opens a menu. SwiftUI's view: of its content, buttons, toggles, pickers, menus, dividers and
/// texts become entries by their words, whatever they look like elsewhere.
///
/// The menu is GTK's, with its keys: Space, Return or Down opens it, arrows go through it, Escape closes it. Its
/// entries are as the views are when it opens.
public struct Menu<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    @Environment(\.menuLook) private var look
    @Environment(\.menuIndicatorIsHidden) private var hidesArrow

    /// A menu of the entries in `content`, with any label on its button.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.content = content()
        self.label = label()
    }

    public var body: some View {
        NativeMenu(
            look: look, content: content,
            label: HStack(spacing: Space.snug) {
                LabelSlot(isHidden: false, content: label)
                if !hidesArrow { Image(decorativeSymbol: "chevron.down").imageScale(.small) }
            })
    }
}

extension Menu where Label == Text {
    /// A menu with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// A menu with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}

extension Menu where Label == DeclarativeUI.Label<Text, Image> {
    /// A menu with a symbol beside a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) {
        self.init(content: content) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
}

extension Image {
    /// A symbol that is no name of anything.
    fileprivate init(decorativeSymbol name: String) {
        self.init(systemName: name)
        label = ""
    }
}

/// Whether something is shown: `automatic` leaves it to what it is, `visible` and `hidden` say so. SwiftUI's type.
public enum Visibility: Hashable, CaseIterable, Sendable {
    /// As the view itself has it.
    case automatic
    /// Shown.
    case visible
    /// Not shown.
    case hidden
}

/// How menus look. SwiftUI's protocol, with the styles below.
public protocol MenuStyle {}
/// With a border, as a button.
public struct DefaultMenuStyle: MenuStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// With a border, as a button; the same as the default style.
public struct ButtonMenuStyle: MenuStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// Flat, as a button in a bar.
public struct BorderlessButtonMenuStyle: MenuStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
extension MenuStyle where Self == DefaultMenuStyle {
    /// With a border, as a button.
    public static var automatic: DefaultMenuStyle { DefaultMenuStyle() }
}
extension MenuStyle where Self == ButtonMenuStyle {
    /// With a border, as a button.
    public static var button: ButtonMenuStyle { ButtonMenuStyle() }
}
extension MenuStyle where Self == BorderlessButtonMenuStyle {
    /// Flat, as a button in a bar.
    public static var borderlessButton: BorderlessButtonMenuStyle { BorderlessButtonMenuStyle() }
}

enum MenuLook: Hashable, Sendable { case bordered, flat }
private struct MenuLookKey: EnvironmentKey { static let defaultValue = MenuLook.bordered }
private struct MenuIndicatorKey: EnvironmentKey { static let defaultValue = false }
/// Told when a menu opens, and when it has gone. The same object as long as somebody listens.
@MainActor
package final class MenuWatch: Hashable {
    nonisolated package static func == (a: MenuWatch, b: MenuWatch) -> Bool { a === b }
    nonisolated package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    let told: @MainActor (Bool) -> Void
    package init(_ told: @escaping @MainActor (Bool) -> Void) { self.told = told }
}
private struct MenuWatchKey: EnvironmentKey { static var defaultValue: MenuWatch? { nil } }
extension EnvironmentValues {
    var menuLook: MenuLook {
        get { self[MenuLookKey.self] }
        set { self[MenuLookKey.self] = newValue }
    }
    var menuWatch: MenuWatch? {
        get { self[MenuWatchKey.self] }
        set { self[MenuWatchKey.self] = newValue }
    }
    var menuIndicatorIsHidden: Bool {
        get { self[MenuIndicatorKey.self] }
        set { self[MenuIndicatorKey.self] = newValue }
    }
}
extension View {
    /// The look of the menus below.
    public func menuStyle<S: MenuStyle>(_ style: S) -> some View {
        setting(\.menuLook, style is BorderlessButtonMenuStyle ? .flat : .bordered)
    }
    /// Who is told of the menus below.
    package func menuWatch(_ watch: MenuWatch?) -> some View { setting(\.menuWatch, watch) }
    /// Whether menus show an arrow.
    public func menuIndicator(_ visibility: Visibility) -> some View {
        setting(\.menuIndicatorIsHidden, visibility == .hidden)
    }
}

struct NativeMenu<Label: View, Content: View>: _PrimitiveView {
    let look: MenuLook
    let content: Content
    let label: Label
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { MenuFiber(view, inputs) }
}

/// A menu's button with its label, and the views that its entries are read from.
final class MenuFiber<Label: View, Content: View>: _ViewFiber<NativeMenu<Label, Content>> {
    private let element = MenuElement()
    private let entries = EntriesElement()
    private var label: _ViewFiber<Label>?
    private var content: _ViewFiber<Content>?

    override init(_ view: NativeMenu<Label, Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        label = Label._makeFiber(view.label, self.inputs())
        content = Content._makeFiber(view.content, self.inputs(environment.forEntries))
        element.source = entries
        element.set(view.look, environment)
        structureChanged()
    }

    override var children: [_Fiber] { [label, content].compactMap { $0 } }
    override var elements: [Element] { [element] }

    override func update(_ view: NativeMenu<Label, Content>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        element.set(view.look, environment)
        label?.update(view.label, environment)
        content?.update(view.content, environment.forEntries)
    }

    override func structureChanged() {
        element.setChildren(label?.elements ?? [])
        entries.setChildren(content?.elements ?? [])
    }
}
