import Foundation
@_spi(Graph) import ViewGraph

/// An entry of a menu.
@MainActor
struct MenuEntry {
    enum Kind {
        case action(@MainActor () -> Void)
        case check(isOn: Bool, @MainActor () -> Void)
        case radio(isOn: Bool, @MainActor () -> Void)
        case submenu([MenuEntry])
        /// A text that the user cannot select.
        case text
        case divider
    }
    var title: String
    var isEnabled = true
    let kind: Kind
    /// The keyboard shortcut that the menu shows beside the title. The code that shows the menu decides whether the
    /// keys have an effect.
    var shortcut: KeyboardShortcut?

    static let divider = MenuEntry(title: "", kind: .divider)
}

/// An element that provides its own entries for a menu, in place of an entry with its text.
@MainActor
protocol MenuEntrySource: Element {
    /// Returns the entries that represent the element in a menu.
    ///
    /// - Parameter title: The text of the element's label if the label is outside the element, or an empty string.
    func menuEntries(_ title: String) -> [MenuEntry]
}

extension Element {
    /// The entries that represent the descendants of this element in a menu.
    final var menuEntries: [MenuEntry] {
        children.flatMap { child -> [MenuEntry] in
            if let source = child as? any MenuEntrySource { return source.menuEntries("") }
            if let text = child as? TextElement {
                return [MenuEntry(title: text.string, isEnabled: false, kind: .text)]
            }
            return child.menuEntries
        }
    }
}

extension MenuEntry {
    /// The action of the entry, or nil if the user cannot select the entry.
    var action: (@MainActor () -> Void)? {
        switch kind {
        case .action(let action), .check(_, let action), .radio(_, let action): action
        case .submenu, .text, .divider: nil
        }
    }
    /// The entries that have a keyboard shortcut: this entry, or those in its submenu.
    var withKeys: [(KeyboardShortcut, MenuEntry)] {
        if case .submenu(let entries) = kind { return entries.flatMap(\.withKeys) }
        return shortcut.map { [($0, self)] } ?? []
    }
}

extension ShortcutElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] {
        var entries = menuEntries
        if !entries.isEmpty { entries[0].shortcut = shortcut }
        return entries
    }
}

extension DividerElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] { [.divider] }
}

extension NamedControlElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] {
        (control as? any MenuEntrySource)?.menuEntries(self.title) ?? []
    }
}

extension ToggleElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] {
        let isOn = isOn
        return [
            MenuEntry(
                title: title.isEmpty ? spokenText : title, isEnabled: isEnabled,
                kind: .check(isOn: isOn) { [weak self] in self?.choose(!isOn) })
        ]
    }
}

extension PickerElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] {
        let all = options.enumerated().map { index, option in
            MenuEntry(
                title: option.title, isEnabled: isEnabled,
                kind: .radio(isOn: index == selected) { [weak self] in self?.choose(index) })
        }
        if (self as? DropDownElement)?.isSubmenu == true {
            return [MenuEntry(title: title, isEnabled: isEnabled, kind: .submenu(all))]
        }
        // Dividers separate the options from the other entries.
        return [.divider] + all + [.divider]
    }
}

extension MenuElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] {
        [MenuEntry(title: spokenText, isEnabled: isEnabled, kind: .submenu(entries))]
    }
}

/// A button as an entry of a menu.
struct MenuButton: _PrimitiveView {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: AnyView
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, MenuButtonElement(), content: { $0.label }) { element, view, fiber in
            element.action = view.action
            element.isEnabled = fiber.environment.isEnabled
        }
    }
}

final class MenuButtonElement: Element, MenuEntrySource {
    var action: @MainActor () -> Void = {}
    var isEnabled = true
    func menuEntries(_ title: String) -> [MenuEntry] {
        [MenuEntry(title: spokenText, isEnabled: isEnabled, kind: .action { [weak self] in self?.action() })]
    }
}

extension AnyButtonStyle {
    /// The style of buttons whose texts are read for a menu.
    static let menu = AnyButtonStyle { role, label, action in
        AnyView(MenuButton(role: role, action: action, label: label))
    }
    init(_ make: @escaping @MainActor (ButtonRole?, AnyView, @escaping @MainActor () -> Void) -> AnyView) {
        self.make = make
    }
}
