import CGTK
import Foundation
import GTK

/// What GTK's settings say about how things look.
@MainActor
enum Appearance {
    /// Dark when an app or the user asked for it, or the theme is a dark one by name.
    static var isDark: Bool {
        // As for GTK, what the variable says outdoes all settings.
        if let forced = ProcessInfo.processInfo.environment["GTK_THEME"]?.lowercased(), !forced.isEmpty {
            return forced.hasSuffix(":dark") || forced.hasSuffix("-dark")
        }
        guard let settings = GTKSettings.standard else { return false }
        return settings.prefersDark || settings.themeName?.lowercased().hasSuffix("-dark") == true
    }

    static func setPrefersDark(_ dark: Bool) { GTKSettings.standard?.prefersDark = dark }

    /// What an app's first view starts from.
    static func environment() -> EnvironmentValues {
        var environment = EnvironmentValues()
        guard let settings = GTKSettings.standard else { return environment }
        // GTK goes by its own translation for the user's language.
        environment.layoutDirection =
            GTKSettings.isRightToLeft ? .rightToLeft : .leftToRight
        environment.colorScheme = isDark ? .dark : .light
        environment.scenePhase = AppActivity.phase
        Motion.follow()
        environment.accessibilityReduceMotion = Motion.isReduced
        let isOtherAccent = Accent.follow(dark: isDark)
        ControlTheme.follow(dark: isDark, isOtherAccent: isOtherAccent)
        if let name = settings.fontName {
            // "Cantarell 11": the family without size and style.
            if let description = pango_font_description_from_string(name) {
                if let family = pango_font_description_get_family(description) {
                    Font.interfaceFamily = String(cString: family)
                }
                let size = CGFloat(pango_font_description_get_size(description)) / 1024
                let resolution = settings.fontResolution
                let dpi = resolution > 0 ? CGFloat(resolution) / 1024 : 96
                if size > 0 {
                    Font.interfaceSize =
                        pango_font_description_get_size_is_absolute(description) != 0 ? size : size * dpi / 72
                }
                pango_font_description_free(description)
            }
        }
        return environment
    }
}

/// Tells when the settings say something else.
@MainActor
final class AppearanceWatch {
    private var signals: [SignalConnection] = []

    init(_ changed: @escaping (EnvironmentValues) -> Void) {
        guard let settings = GTKSettings.standard else { return }
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
