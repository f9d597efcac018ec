import Foundation
@_spi(Graph) import ViewGraph

/// An element of a menu. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIMenuElement {
    /// The title shown in the menu.
    public let title: String
    /// Stored without effect: menu entries have one line.
    public let subtitle: String?
    /// The image before the title on a button or in a bar, or nil. Menus show no images.
    public let image: UIImage?

    /// The check mark of a menu entry.
    public enum State: Int, Sendable {
        /// No check mark.
        case off = 0
        /// A check mark; `mixed` looks the same as `on`.
        case on, mixed
    }
    /// The attributes of a menu entry.
    public struct Attributes: OptionSet, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The attribute of an entry that can't be chosen.
        public static let disabled = Attributes(rawValue: 1)
        /// The attribute of an entry that deletes something.
        public static let destructive = Attributes(rawValue: 2)
        /// The attribute of an entry that is not shown.
        public static let hidden = Attributes(rawValue: 4)
        /// Stored without effect: a menu closes when an entry is chosen.
        public static let keepsMenuPresented = Attributes(rawValue: 8)
    }

    init(_ title: String, _ subtitle: String?, _ image: UIImage?) {
        (self.title, self.subtitle, self.image) = (title, subtitle, image)
    }
}

/// A menu entry that runs a closure. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIAction: UIMenuElement {
    /// An identifier of an action.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The text of the identifier.
        public let rawValue: String
        /// Creates an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates an identifier.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }
    /// A closure that is called when an action is chosen.
    public typealias Handler = @MainActor (UIAction) -> Void
    /// The identifier of the action. Unique by default.
    public let identifier: Identifier
    /// Stored without effect.
    public let discoverabilityTitle: String?
    /// The attributes of the entry. A change appears when the menu is created again.
    public var attributes: Attributes
    /// The check mark of the entry. A change appears when the menu is created again.
    public var state: State
    /// The control that runs the action, such as a `UIButton`, or the `UIBarButtonItem`. Nil outside the handler, and
    /// for an entry of a menu.
    public private(set) var sender: Any?
    private let handler: Handler

    /// Creates an action.
    /// - Parameters:
    ///   - title: The title shown in the menu.
    ///   - subtitle: Stored without effect.
    ///   - image: The image before the title on a button or in a bar. Menus show no images.
    ///   - identifier: The identifier, or nil for a unique one.
    ///   - discoverabilityTitle: Stored without effect.
    ///   - attributes: The attributes of the entry.
    ///   - state: The check mark of the entry.
    ///   - handler: The closure that is called when the action is chosen. Runs on the main actor.
    public init(
        title: String = "", subtitle: String? = nil, image: UIImage? = nil, identifier: Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: Attributes = [], state: State = .off, handler: @escaping Handler
    ) {
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        (self.discoverabilityTitle, self.attributes, self.state, self.handler) = (
            discoverabilityTitle, attributes, state, handler
        )
        super.init(title, subtitle, image)
    }
    /// Runs the action, unless it is disabled.
    /// - Parameter sender: The control or the bar button item that runs the action, or nil for `MenuElements`.
    package func choose(from sender: Any? = nil) {
        guard !attributes.contains(.disabled) else { return }
        let outer = self.sender
        self.sender = sender
        handler(self)
        self.sender = outer
    }
}

/// A menu inside another menu or a bar. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIMenu: UIMenuElement {
    /// The options of a menu.
    public struct Options: OptionSet, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The option that shows the entries directly in the menu around this one.
        public static let displayInline = Options(rawValue: 1)
        /// Stored without effect.
        public static let destructive = Options(rawValue: 2)
        /// Stored without effect: the states of the actions determine their check marks.
        public static let singleSelection = Options(rawValue: 32)
    }
    /// The options of the menu.
    public let options: Options
    /// The entries of the menu, from top to bottom.
    public let children: [UIMenuElement]
    /// Creates a menu of actions and other menus.
    public init(
        title: String = "", subtitle: String? = nil, image: UIImage? = nil, options: Options = [],
        children: [UIMenuElement] = []
    ) {
        (self.options, self.children) = (options, children)
        super.init(title, subtitle, image)
    }
}

/// Menu elements as declarative views, for a `Menu` or side by side in a bar.
package struct MenuElements: View {
    let elements: [UIMenuElement]
    package init(_ elements: [UIMenuElement]) { self.elements = elements }

    package var body: some View {
        ForEach(Array(elements.enumerated()), id: \.offset) { _, element in
            if let action = element as? UIAction {
                if !action.attributes.contains(.hidden) { MenuActionView(action: action) }
            } else if let menu = element as? UIMenu {
                if menu.options.contains(.displayInline) {
                    AnyView(MenuElements(menu.children))
                } else {
                    Menu {
                        AnyView(MenuElements(menu.children))
                    } label: {
                        ElementLabel(element: menu)
                    }
                }
            }
        }
    }
}

private struct MenuActionView: View {
    let action: UIAction
    var body: some View {
        if action.state == .off {
            Button(role: action.attributes.contains(.destructive) ? .destructive : nil) {
                action.choose()
            } label: {
                ElementLabel(element: action)
            }
            .disabled(action.attributes.contains(.disabled))
        } else {
            Toggle(isOn: Binding(get: { true }, set: { _ in action.choose() })) { ElementLabel(element: action) }
                .disabled(action.attributes.contains(.disabled))
        }
    }
}

/// A view with the image of a menu element, if it has one, and its title.
package struct ElementLabel: View {
    let element: UIMenuElement
    package init(element: UIMenuElement) { self.element = element }
    package var body: some View {
        if let image = element.image {
            Label {
                Text(verbatim: element.title)
            } icon: {
                Image(uiImage: image)
            }
        } else {
            Text(verbatim: element.title)
        }
    }
}
