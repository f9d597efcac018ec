import Foundation
@_spi(Graph) import ViewGraph

/// A button that opens a menu. Matches SwiftUI's `Menu`.
///
/// ```swift
/// Menu {
///     Button("Copy link") { copyLink() }
///     Divider()
///     Button("Delete", role: .destructive) { delete() }
/// } label: {
///     Image(systemName: "ellipsis")
/// }
/// ```
/// Buttons, toggles, pickers, menus, dividers and texts in the content become entries. An entry shows only the view's
/// text. The menu is GTK's: Space and Return open it, the arrow keys move through it, and Escape closes it. The entries
/// show the state that the views have when the menu opens.
public struct Menu<Label: View, Content: View>: View {
    let label: Label
    let content: Content
    @Environment(\.menuLook) private var look
    @Environment(\.menuIndicatorIsHidden) private var hidesArrow

    /// Creates a menu with the entries in `content` and a custom label on its button.
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
    /// Creates a menu with a localized title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    /// Creates a menu with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(title) }
    }
}

extension Menu where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a menu with a symbol and a localized title.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content) {
        self.init(content: content) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Creates a menu with a symbol and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, @ViewBuilder content: () -> Content
    ) {
        self.init(content: content) { DeclarativeUI.Label(title, systemImage: systemImage) }
    }
    /// Creates a menu with an image of an asset catalog and a localized title.
    public init(_ titleKey: LocalizedStringKey, image: ImageResource, @ViewBuilder content: () -> Content) {
        self.init(content: content) { DeclarativeUI.Label(titleKey, image: image) }
    }
    /// Creates a menu with an image of an asset catalog and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, image: ImageResource, @ViewBuilder content: () -> Content
    ) {
        self.init(content: content) { DeclarativeUI.Label(title, image: image) }
    }
}

extension Image {
    /// Creates a symbol without a name for assistive technology.
    fileprivate init(decorativeSymbol name: String) {
        self.init(systemName: name)
        label = ""
    }
}

/// The visibility of a part of a view. Matches SwiftUI's `Visibility`.
public enum Visibility: Hashable, CaseIterable, Sendable {
    /// The view itself decides whether the part is visible.
    case automatic
    /// The part is visible.
    case visible
    /// The part is hidden.
    case hidden
}

/// A style of menus. Matches SwiftUI's `MenuStyle`; only the styles of this module are supported.
public protocol MenuStyle {}
/// The default menu style, whose button has a border.
public struct DefaultMenuStyle: MenuStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
}
/// A menu style whose button has a border, the same as the default style.
public struct ButtonMenuStyle: MenuStyle {
    /// Creates the style. The short form is `.button`.
    public init() {}
}
/// A menu style whose button is flat, like the buttons of a bar.
public struct BorderlessButtonMenuStyle: MenuStyle {
    /// Creates the style. The short form is `.borderlessButton`.
    public init() {}
}
extension MenuStyle where Self == DefaultMenuStyle {
    /// A style whose button has a border.
    public static var automatic: DefaultMenuStyle { DefaultMenuStyle() }
}
extension MenuStyle where Self == ButtonMenuStyle {
    /// A style whose button has a border.
    public static var button: ButtonMenuStyle { ButtonMenuStyle() }
}
extension MenuStyle where Self == BorderlessButtonMenuStyle {
    /// A style whose button is flat, like the buttons of a bar.
    public static var borderlessButton: BorderlessButtonMenuStyle { BorderlessButtonMenuStyle() }
}

/// The look of a menu's button. A bare button is as large as its label and draws nothing else.
enum MenuLook: Hashable, Sendable { case bordered, flat, bare }
private struct MenuLookKey: EnvironmentKey { static let defaultValue = MenuLook.bordered }
private struct MenuIndicatorKey: EnvironmentKey { static let defaultValue = false }
/// An observer that is notified when a menu opens and when it has closed. A view must use the same object in all of its
/// updates, because observers are equal only if they are the same object.
@MainActor
package final class MenuObserver: Hashable {
    nonisolated package static func == (a: MenuObserver, b: MenuObserver) -> Bool { a === b }
    nonisolated package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    let onChange: @MainActor (Bool) -> Void
    package init(_ onChange: @escaping @MainActor (Bool) -> Void) { self.onChange = onChange }
}
private struct MenuObserverKey: EnvironmentKey { static var defaultValue: MenuObserver? { nil } }
extension EnvironmentValues {
    var menuLook: MenuLook {
        get { self[MenuLookKey.self] }
        set { self[MenuLookKey.self] = newValue }
    }
    var menuObserver: MenuObserver? {
        get { self[MenuObserverKey.self] }
        set { self[MenuObserverKey.self] = newValue }
    }
    var menuIndicatorIsHidden: Bool {
        get { self[MenuIndicatorKey.self] }
        set { self[MenuIndicatorKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the menus in this view.
    public func menuStyle<S: MenuStyle>(_ style: S) -> some View {
        setting(\.menuLook, style is BorderlessButtonMenuStyle ? .flat : .bordered)
    }
    /// Sets the observer of the menus in this view.
    package func menuObserver(_ watch: MenuObserver?) -> some View { setting(\.menuObserver, watch) }
    /// Shows or hides the arrow of the menus in this view. Only `.hidden` hides it.
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

/// A fiber for a menu's button with its label, and for the views that the entries are read from.
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
