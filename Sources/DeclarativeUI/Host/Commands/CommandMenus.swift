import GTK
import Presentation
@_spi(Graph) import ViewGraph

/// A window that shows the app's menus.
@MainActor
protocol MenuWindow: AnyObject {
    /// The app's menus with the state of this window.
    var menus: [MenuEntry] { get }
    func menusChanged()
}

/// The app's menus: the commands of its scenes, joined with the standard entries.
@MainActor
enum CommandMenus {
    private static var sources: [CommandsFiber] = []
    /// The windows, each with the look of its menus at the last check.
    private static var windows: [(window: any MenuWindow, shapes: [MenuShape])] = []
    /// Whether the actions of entries may have changed, even if the entries look the same.
    private static var isInvalid = false
    /// The graph whose updates check the menus.
    private static weak var observed: ViewGraph?

    static func add(_ source: CommandsFiber) {
        sources.append(source)
        isInvalid = true
        let graph = source.graph
        guard graph !== observed else { return }
        observed = graph
        let earlierHandler = graph.onUpdate
        graph.onUpdate = {
            earlierHandler?()
            check()
        }
    }
    static func remove(_ source: CommandsFiber) {
        sources.removeAll { $0 === source }
        isInvalid = true
    }
    static func add(_ window: any MenuWindow) {
        windows.append((window, shapes(of: window)))
        if !sources.isEmpty { window.menusChanged() }
    }
    static func remove(_ window: any MenuWindow) { windows.removeAll { $0.window === window } }
    static func invalidate() { isInvalid = true }

    /// Notifies the windows if the menus of one of them have changed. Runs after each update, and when a window enters
    /// or leaves full screen.
    static func check() {
        let newShapes = windows.map { shapes(of: $0.window) }
        guard isInvalid || newShapes != windows.map({ $0.shapes }) else { return }
        isInvalid = false
        for (index, shapes) in newShapes.enumerated() { windows[index].shapes = shapes }
        // Runs later: a shortcut of the menus may have made the change, and must not be replaced while it runs.
        OnMain.later { for (window, _) in windows { window.menusChanged() } }
    }
    private static func shapes(of window: any MenuWindow) -> [MenuShape] { window.menus.map { MenuShape($0) } }

    /// The visible properties of an entry.
    private struct MenuShape: Equatable {
        let title: String, isEnabled: Bool, shortcut: KeyboardShortcut?
        let isOn: Bool?, isDivider: Bool
        let below: [MenuShape]
        init(_ entry: MenuEntry) {
            (title, isEnabled, shortcut) = (entry.title, entry.isEnabled, entry.shortcut)
            var (isOn, isDivider, below): (Bool?, Bool, [MenuShape]) = (nil, false, [])
            switch entry.kind {
            case .check(let on, _), .radio(let on, _): isOn = on
            case .submenu(let entries): below = entries.map { MenuShape($0) }
            case .divider: isDivider = true
            case .action, .text: break
            }
            (self.isOn, self.isDivider, self.below) = (isOn, isDivider, below)
        }
    }

    // MARK: composing

    /// Returns the menus for a window.
    /// - Parameter window: The window on which entries such as Close Window act.
    /// - Returns: The menus, or an empty array for an app without commands.
    static func menus(for window: HostWindow?) -> [MenuEntry] {
        let parts = sources.flatMap(\.parts)
        guard !parts.isEmpty else { return [] }
        let fullScreen = MenuEntry(
            title: PlayerWords.localized("Full Screen"), isEnabled: window?.fullScreen.canToggle ?? true,
            kind: .action { [weak window] in window?.fullScreen.toggle() },
            shortcut: KeyboardShortcut(KeyEquivalent("\u{F70E}"), modifiers: []))
        var menus = [
            menu(
                PlayerWords.localized("File"),
                [.newItem, .saveItem, .importExport, .printItem, .systemServices, .appTermination], parts, window),
            menu(
                PlayerWords.localized("Edit"),
                [.undoRedo, .pasteboard, .textEditing, .textFormatting, .appSettings], parts, window),
            menu(PlayerWords.localized("View"), [.toolbar, .sidebar], parts, window, then: [fullScreen]),
        ]
        menus += parts.compactMap { part in
            guard case .menu(let name) = part.part else { return nil }
            return MenuEntry(title: name, kind: .submenu(part.menuEntries))
        }
        menus.append(
            menu(
                PlayerWords.localized("Window"),
                [.windowSize, .windowArrangement, .windowList, .singleWindowList, .appVisibility], parts, window))
        menus.append(menu(PlayerWords.localized("Help"), [.help, .appInfo], parts, window))
        return menus.compactMap { $0 }
    }

    private static func menu(
        _ title: String, _ groups: [CommandGroupPlacement], _ parts: [CommandElement], _ window: HostWindow?,
        then last: [MenuEntry] = []
    ) -> MenuEntry? {
        var entries: [MenuEntry] = []
        for group in groups.map({ entriesOf($0, parts, window) }) + [last] where !group.isEmpty {
            if !entries.isEmpty { entries.append(.divider) }
            entries += group
        }
        return entries.isEmpty ? nil : MenuEntry(title: title, kind: .submenu(entries))
    }

    private static func entriesOf(_ group: CommandGroupPlacement, _ parts: [CommandElement], _ window: HostWindow?)
        -> [MenuEntry]
    {
        func groupParts(_ side: CommandElement.Side) -> [CommandElement] {
            parts.filter { if case .group(group, side) = $0.part { true } else { false } }
        }
        let replacing = groupParts(.replacing)
        let own = replacing.isEmpty ? standard(group, window) : replacing.flatMap(\.menuEntries)
        return groupParts(.before).flatMap(\.menuEntries) + own + groupParts(.after).flatMap(\.menuEntries)
    }

    private static func standard(_ group: CommandGroupPlacement, _ window: HostWindow?) -> [MenuEntry] {
        switch group {
        case .newItem:
            let scenes = AppScenes.repeatable
            return scenes.enumerated().map { index, scene in
                MenuEntry(
                    title: scenes.count == 1
                        ? PlayerWords.localized("New Window")
                        : PlayerWords.localized("New %@ Window", "\(scene.view.title)"),
                    kind: .action { [weak scene] in scene?.open() },
                    shortcut: index == 0 ? KeyboardShortcut("n") : nil)
            }
        case .saveItem:
            return [
                MenuEntry(
                    title: PlayerWords.localized("Close Window"), kind: .action { [weak window] in window?.onClose?() },
                    shortcut: KeyboardShortcut("w"))
            ]
        case .appTermination:
            return [
                MenuEntry(
                    title: PlayerWords.localized("Quit"), kind: .action { MainLoop.quit() },
                    shortcut: KeyboardShortcut("q"))
            ]
        default: return []
        }
    }
}
