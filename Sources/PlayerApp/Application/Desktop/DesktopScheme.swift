import GTK
import DesktopServices

/// The dark or light appearance: that of the desktop (`color-scheme` of the settings portal), or the user's choice. GTK
/// 4 itself only follows the theme. Main actor.
@MainActor
final class DesktopScheme {
    var choice: AppPreferences.Scheme { didSet { apply() } }
    /// Whether the desktop prefers a dark appearance; nil if it has no preference, so that GTK's own setting is used.
    private var desktopIsDark: Bool?
    private let wasDark: Bool
    private var signals: BusSignals?
    private var bus: SessionBus?

    private static let portal = "org.freedesktop.portal.Desktop", path = "/org/freedesktop/portal/desktop",
        settings = "org.freedesktop.portal.Settings", space = "org.freedesktop.appearance", key = "color-scheme"

    /// Applies a choice. Create the object after GTK has started.
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
            if arguments.count == 3, arguments[1].string == Self.key { self?.apply(arguments[2]) }
        }
        // The bus may start the portal. A desktop has it installed; on other systems the call fails.
        let answer = await bus.call(
            Self.portal, Self.path, Self.settings + ".Read", [.string(Self.space), .string(Self.key)], starts: true)
        if case .success(let values) = answer, let value = values.first { apply(value) }
    }

    /// Applies a value of the portal. 0 means no preference, 1 dark, 2 light. `Read` wraps the value in two variants.
    private func apply(_ value: BusValue) {
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
