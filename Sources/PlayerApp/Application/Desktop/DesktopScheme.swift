import GTK
import DesktopServices
import Foundation

/// Dark or light: as the desktop says it (the settings portal's `color-scheme`), or as the user has chosen. GTK 4 itself
/// hears only of the theme. Main actor.
@MainActor
final class DesktopScheme {
    var choice: AppPreferences.Scheme { didSet { apply() } }
    /// What the desktop prefers; nil: it says nothing, and GTK's own setting holds.
    private var desktopIsDark: Bool?
    private let wasDark: Bool
    private var signals: BusSignals?
    private var bus: SessionBus?

    private static let portal = "org.freedesktop.portal.Desktop", path = "/org/freedesktop/portal/desktop",
        settings = "org.freedesktop.portal.Settings", space = "org.freedesktop.appearance", key = "color-scheme"

    /// After GTK has started.
    init(_ choice: AppPreferences.Scheme) {
        self.choice = choice
        wasDark = GTKSettings.standard?.prefersDark ?? false
        apply()
        Task { [weak self] in await self?.follow() }
    }

    private func follow() async {
        guard let bus = await SessionBus.connect() else { return }
        self.bus = bus
        signals = BusSignals(
            from: Self.portal, path: Self.path, interface: Self.settings, signal: "SettingChanged", first: Self.space,
            on: bus
        ) { [weak self] _, _, arguments in
            if arguments.count == 3, arguments[1].string == Self.key { self?.told(arguments[2]) }
        }
        // The bus may start it: on a desktop it is there, elsewhere nobody has installed it.
        let answer = await bus.call(
            Self.portal, Self.path, Self.settings + ".Read", [.string(Self.space), .string(Self.key)], starts: true)
        if case .success(let values) = answer, let value = values.first { told(value) }
    }

    /// 0: no preference, 1: dark, 2: light. `Read` wraps it twice.
    private func told(_ value: BusValue) {
        var value = value
        while case .variant(let inner) = value { value = inner }
        guard case .uint32(let number) = value else { return }
        desktopIsDark = number == 1 ? true : number == 2 ? false : nil
        apply()
    }

    private func apply() {
        let isDark =
            switch choice {
            case .desktop: desktopIsDark ?? wasDark
            case .light: false
            case .dark: true
            }
        GTKSettings.standard?.prefersDark = isDark
    }
}
