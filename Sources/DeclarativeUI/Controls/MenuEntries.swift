import Foundation
@_spi(Graph) import ViewGraph

/// One line of a menu.
@MainActor
struct MenuEntry {
    enum Kind {
        case action(@MainActor () -> Void)
        case check(isOn: Bool, @MainActor () -> Void)
        case radio(isOn: Bool, @MainActor () -> Void)
        case submenu([MenuEntry])
        /// Words that cannot be chosen.
        case words
        case divider
    }
    var title: String
    var isEnabled = true
    let kind: Kind
    /// Shown beside the title; whether it does something is the affair of who shows the menu.
    var shortcut: KeyboardShortcut?

    static let divider = MenuEntry(title: "", kind: .divider)
}

/// An element that is more in a menu than its words.
@MainActor
protocol MenuEntrySource: Element {
    /// - Parameter title: what its label says, when that is not its own.
    func menuEntries(_ title: String) -> [MenuEntry]
}

extension Element {
    /// The entries that the elements below are in a menu.
    final var menuEntries: [MenuEntry] {
        children.flatMap { child -> [MenuEntry] in
            if let source = child as? any MenuEntrySource { return source.menuEntries("") }
            if let text = child as? TextElement {
                return [MenuEntry(title: text.string, isEnabled: false, kind: .words)]
            }
            return child.menuEntries
        }
    }
}

extension MenuEntry {
    /// What choosing it does; nil where it is not chosen.
    var action: (@MainActor () -> Void)? {
        switch kind {
        case .action(let action), .check(_, let action), .radio(_, let action): action
        case .submenu, .words, .divider: nil
        }
    }
    /// It, or the entries below it, as far as keys stand for them.
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
                title: title.isEmpty ? spokenWords : title, isEnabled: isEnabled,
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
        // Among the others, set apart.
        return [.divider] + all + [.divider]
    }
}

extension MenuElement: MenuEntrySource {
    func menuEntries(_ title: String) -> [MenuEntry] {
        [MenuEntry(title: spokenWords, isEnabled: isEnabled, kind: .submenu(entries))]
    }
}

/// What a button is in a menu.
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
        [MenuEntry(title: spokenWords, isEnabled: isEnabled, kind: .action { [weak self] in self?.action() })]
    }
}

extension AnyButtonStyle {
    /// Buttons whose words are read for a menu.
    static let menu = AnyButtonStyle { role, label, action in
        AnyView(MenuButton(role: role, action: action, label: label))
    }
    init(_ make: @escaping @MainActor (ButtonRole?, AnyView, @escaping @MainActor () -> Void) -> AnyView) {
        self.make = make
    }
}
