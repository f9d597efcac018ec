import CGTK
import Foundation
import GTK

/// The dark or light appearance, as set in GTK's settings.
@MainActor
enum Appearance {
    /// Whether the appearance is dark: the app or the user requested it, or the theme's name ends in “-dark”.
    static var isDark: Bool {
        // As in GTK, this variable overrides all settings.
        if let forced = ProcessInfo.processInfo.environment["GTK_THEME"]?.lowercased(), !forced.isEmpty {
            return forced.hasSuffix(":dark") || forced.hasSuffix("-dark")
        }
        guard let settings = GTKSettings.standard else { return false }
        return settings.prefersDark || settings.themeName?.lowercased().hasSuffix("-dark") == true
    }

    /// Returns the appearance that a window requests: that of its views, or in the style `phone` that of
    /// `UIUserInterfaceStyle` in the app's Info.plist. Nil means the desktop's appearance.
    static func scheme(_ preferred: ColorScheme?, in style: PlatformStyle, info: [String: Any]? = Appearance.info)
        -> ColorScheme?
    {
        guard preferred == nil, style == .phone else { return preferred }
        return switch info?["UIUserInterfaceStyle"] as? String {
        case "Light": .light
        case "Dark": .dark
        default: nil
        }
    }
    private static let info = Bundle.main.infoDictionary

    private static var requests = AppearanceRequests()
    /// The user's setting, saved at the first request of a window and restored after the last one.
    private static var userPrefersDark = false
    /// Applies the appearance that a window requests. Nil withdraws its request.
    static func request(_ scheme: ColorScheme?, by window: ObjectIdentifier) {
        let isFirst = requests.current == nil
        guard requests.set(scheme, by: window), let settings = GTKSettings.standard else { return }
        if isFirst { userPrefersDark = settings.prefersDark }
        settings.prefersDark = requests.current.map { $0 == .dark } ?? userPrefersDark
    }

    /// Returns the environment of an app's root views. Also applies GTK's settings for fonts, colors and motion.
    static func environment(style: PlatformStyle = .ofApp) -> EnvironmentValues {
        var environment = EnvironmentValues()
        environment.become(style)
        guard let settings = GTKSettings.standard else { return environment }
        // GTK derives the direction from its own translation for the user's language.
        environment.layoutDirection =
            GTKSettings.isRightToLeft ? .rightToLeft : .leftToRight
        environment.colorScheme = isDark ? .dark : .light
        environment.scenePhase = AppActivity.phase
        Motion.follow()
        environment.accessibilityReduceMotion = Motion.isReduced
        let isOtherAccent = Accent.follow(dark: isDark)
        ControlTheme.follow(dark: isDark, isOtherAccent: isOtherAccent)
        if let name = settings.fontName {
            // A name such as "Cantarell 11" contains size and style besides the family.
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

/// The appearances that windows request. GTK has one appearance per process, so the latest request counts.
struct AppearanceRequests {
    private var all: [(window: ObjectIdentifier, scheme: ColorScheme)] = []
    /// The requested appearance. Nil means the desktop's appearance.
    var current: ColorScheme? { all.last?.scheme }

    /// Stores the request of a window, or withdraws it for nil. Returns whether `current` has changed.
    mutating func set(_ scheme: ColorScheme?, by window: ObjectIdentifier) -> Bool {
        let known = all.firstIndex { $0.window == window }
        guard known.map({ all[$0].scheme }) != scheme else { return false }
        let old = current
        if let known { all.remove(at: known) }
        if let scheme { all.append((window, scheme)) }
        return current != old
    }
}

/// An observer of changes in GTK's settings.
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
