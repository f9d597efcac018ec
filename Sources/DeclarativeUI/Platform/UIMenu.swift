import Foundation
@_spi(Graph) import ViewGraph

/// Something in a menu. UIKit's type; main actor.
@MainActor @preconcurrency
open class UIMenuElement {
    /// What it says in the menu.
    public let title: String
    /// Kept, of no effect: entries have one line.
    public let subtitle: String?
    /// Stands before the title; nil is none.
    public let image: UIImage?

    /// Whether an entry has a mark.
    public enum State: Int, Sendable {
        /// No mark.
        case off = 0
        /// A mark; `mixed` has the same one.
        case on, mixed
    }
    /// What is peculiar about an entry.
    public struct Attributes: OptionSet, Sendable {
        /// One bit a peculiarity; UIKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// It cannot be chosen.
        public static let disabled = Attributes(rawValue: 1)
        /// It takes something away.
        public static let destructive = Attributes(rawValue: 2)
        /// It is not shown.
        public static let hidden = Attributes(rawValue: 4)
        /// Kept, of no effect: a menu closes when something is chosen.
        public static let keepsMenuPresented = Attributes(rawValue: 8)
    }

    init(_ title: String, _ subtitle: String?, _ image: UIImage?) {
        (self.title, self.subtitle, self.image) = (title, subtitle, image)
    }
}

/// Something that can be chosen. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIAction: UIMenuElement {
    /// An action's name for the app.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The name itself.
        public let rawValue: String
        /// Makes a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Makes a name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }
    /// What is done when an action is chosen. Main actor.
    public typealias Handler = @MainActor (UIAction) -> Void
    /// The action's name for the app; one that was not given is made up.
    public let identifier: Identifier
    /// Kept, of no effect.
    public let discoverabilityTitle: String?
    /// What is peculiar about it; a change is seen when the menu is made anew.
    public var attributes: Attributes
    /// `.on` has a mark.
    public var state: State
    private let handler: Handler

    /// Makes an action.
    /// - Parameter handler: called on the main actor when it is chosen.
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
    /// It was chosen; nothing while it is disabled.
    package func choose() { if !attributes.contains(.disabled) { handler(self) } }
}

/// A menu in a menu or in a bar. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIMenu: UIMenuElement {
    /// How a menu stands in the one around it.
    public struct Options: OptionSet, Sendable {
        /// One bit an option; UIKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Its children stand in the menu around it.
        public static let displayInline = Options(rawValue: 1)
        /// Kept, of no effect.
        public static let destructive = Options(rawValue: 2)
        /// Kept, of no effect: marks are what the actions' states say.
        public static let singleSelection = Options(rawValue: 32)
    }
    /// How it stands in the menu around it.
    public let options: Options
    /// What is in it, from top to bottom.
    public let children: [UIMenuElement]
    /// Makes a menu of actions and of other menus.
    public init(
        title: String = "", subtitle: String? = nil, image: UIImage? = nil, options: Options = [],
        children: [UIMenuElement] = []
    ) {
        (self.options, self.children) = (options, children)
        super.init(title, subtitle, image)
    }
}

/// Elements of menus as the dialect's views: for a `Menu`, or beside each other in a bar.
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

/// A picture with words, or either.
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
