import CGTK
import Foundation
import GLibSupport

/// What GTK's settings say about how things look.
@MainActor
enum Appearance {
    /// Dark when an app or the user asked for it, or the theme is a dark one by name.
    static var isDark: Bool {
        // As for GTK, what the variable says outdoes all settings.
        if let forced = ProcessInfo.processInfo.environment["GTK_THEME"]?.lowercased(), !forced.isEmpty {
            return forced.hasSuffix(":dark") || forced.hasSuffix("-dark")
        }
        guard let settings = gtk_settings_get_default() else { return false }
        var prefers: gboolean = 0
        zt_gtk_settings_get_boolean(settings, "gtk-application-prefer-dark-theme", &prefers)
        if prefers != 0 { return true }
        guard let name = zt_gtk_settings_get_string(settings, "gtk-theme-name") else { return false }
        defer { g_free(name) }
        return String(cString: name).lowercased().hasSuffix("-dark")
    }

    static func setPrefersDark(_ dark: Bool) {
        guard let settings = gtk_settings_get_default() else { return }
        var prefers: gboolean = 0
        zt_gtk_settings_get_boolean(settings, "gtk-application-prefer-dark-theme", &prefers)
        if (prefers != 0) != dark {
            zt_gtk_settings_set_boolean(settings, "gtk-application-prefer-dark-theme", dark ? 1 : 0)
        }
    }

    /// What an app's first view starts from.
    static func environment() -> EnvironmentValues {
        var environment = EnvironmentValues()
        guard let settings = gtk_settings_get_default() else { return environment }
        // GTK goes by its own translation for the user's language.
        environment.layoutDirection =
            gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL ? .rightToLeft : .leftToRight
        environment.colorScheme = isDark ? .dark : .light
        Motion.follow()
        environment.accessibilityReduceMotion = Motion.isReduced
        let isOtherAccent = Accent.follow(dark: isDark)
        ControlTheme.follow(dark: isDark, isOtherAccent: isOtherAccent)
        if let name = zt_gtk_settings_get_string(settings, "gtk-font-name") {
            // "Cantarell 11": the family without size and style.
            if let description = pango_font_description_from_string(name) {
                if let family = pango_font_description_get_family(description) {
                    Font.interfaceFamily = String(cString: family)
                }
                let size = CGFloat(pango_font_description_get_size(description)) / 1024
                var resolution: gint = 96 * 1024
                zt_gtk_settings_get_int(settings, "gtk-xft-dpi", &resolution)
                let dpi = resolution > 0 ? CGFloat(resolution) / 1024 : 96
                if size > 0 {
                    Font.interfaceSize =
                        pango_font_description_get_size_is_absolute(description) != 0 ? size : size * dpi / 72
                }
                pango_font_description_free(description)
            }
            g_free(name)
        }
        return environment
    }
}

/// Tells when the settings say something else.
@MainActor
final class AppearanceWatch {
    private var signals: [SignalConnection] = []

    init(_ changed: @escaping (EnvironmentValues) -> Void) {
        guard let settings = gtk_settings_get_default() else { return }
        for name in ["gtk-application-prefer-dark-theme", "gtk-theme-name", "gtk-enable-animations"] {
            signals.append(
                SignalConnection(settings, "notify::\(name)") { changed(Appearance.environment()) })
        }
    }

    func end() {
        for signal in signals { signal.disconnect() }
        signals = []
    }
}
