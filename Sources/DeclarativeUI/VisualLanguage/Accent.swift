import GTK
import Foundation
import Synchronization

/// The accent color of selected, filled and focused controls, and of the button that Return presses.
///
/// GTK and Zoetrope use the same color. It comes from the app's asset catalog, unchanged, or from the theme. A theme's
/// accent may be too dark on its dark windows, as in GTK's default theme, or too light on its light windows. It is then
/// lightened or darkened to a contrast of 3:1 (WCAG). `ControlTheme` passes the color to GTK.
enum Accent {
    private static let shared = Mutex<Color.Components?>(nil)
    /// The color set of the app's asset catalog. Nil means the theme's color.
    private static let app = AssetCatalog.accent(in: ResourceLookup.appFolders)

    /// The accent color for GTK's appearance. Nil without a display, or if neither the app nor the theme has an accent
    /// color; `Color.blue` is then used. Can be read on any thread.
    static var current: Color.Components? { shared.withLock { $0 } }

    /// The accent color for both appearances.
    static var color: Color { color(app: app, current: current) }
    /// Returns the color of the app's color set, or else the current color, or else blue.
    static func color(app: AssetCatalog.ColorSet?, current: Color.Components?) -> Color {
        if let app { return Color(kind: .pair(light: app.light, dark: app.dark)) }
        return current.map { Color(kind: .fixed($0)) } ?? .blue
    }

    /// Updates `current` for the appearance, and reads the theme's color again.
    ///
    /// - Returns: Whether the color has changed.
    @MainActor @discardableResult
    static func follow(dark: Bool) -> Bool {
        let next =
            app.map { dark ? $0.dark : $0.light }
            ?? themeColor().map { legible($0, on: Paint.windowColor.resolved(dark: dark, accent: nil)) }
        return shared.withLock { known in
            let isOther = known != next
            known = next
            return isOther
        }
    }

    /// Returns the theme's color by its name in themes for libadwaita, or by its name in GTK's own themes.
    @MainActor private static func themeColor() -> Color.Components? {
        guard GDKDisplay.standard != nil else { return nil }
        let label = GTKReference(GTKLabel())
        for name in ["accent_bg_color", "theme_selected_bg_color"] {
            guard let found = label.object.color(named: name), found.alpha > 0 else { continue }
            return Color.Components(
                red: Color.clamped(Double(found.red)), green: Color.clamped(Double(found.green)),
                blue: Color.clamped(Double(found.blue)), opacity: 1)
        }
        return nil
    }

    /// Returns `color`, made lighter on a dark background or darker on a light one until the contrast is 3:1. The hue
    /// stays the same.
    static func legible(_ color: Color.Components, on ground: Color.Components) -> Color.Components {
        let isLightened = ground.luminance < 0.18
        let hsl = color.hsl
        var (lightness, result) = (hsl.lightness, color)
        while result.contrast(with: ground) < 3, isLightened ? lightness < 1 : lightness > 0 {
            lightness = min(1, max(0, lightness + (isLightened ? 0.01 : -0.01)))
            result = Color.Components(hue: hsl.hue, saturation: hsl.saturation, lightness: lightness)
        }
        return result
    }
}

extension Color {
    /// The accent color of the app or the theme, whatever tint the environment has. Use it in views whose text has the
    /// tint as its color.
    package static var themeAccent: Color { Accent.color }
}

extension Color.Components {
    /// The relative luminance as WCAG defines it, from 0 to 1.
    var luminance: Double {
        let linear: (Double) -> Double = { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
    /// Returns this color if it is visible on `ground`, or else the color of text on `ground`. White text on a light
    /// frame, for example, is not visible.
    func readable(on ground: Color.Components) -> Color.Components {
        guard contrast(with: ground) < 1.3 else { return self }
        var textColor = ground.textColor
        textColor.opacity = opacity
        return textColor
    }
    /// Returns the contrast as WCAG defines it, from 1 to 21. Both colors are treated as opaque.
    func contrast(with other: Color.Components) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
    /// The hue, saturation and lightness, each from 0 to 1.
    var hsl: (hue: Double, saturation: Double, lightness: Double) {
        let (high, low) = (max(red, green, blue), min(red, green, blue))
        let (lightness, span) = ((high + low) / 2, high - low)
        guard span > 0 else { return (0, 0, lightness) }
        let sixth =
            high == red ? (green - blue) / span : high == green ? 2 + (blue - red) / span : 4 + (red - green) / span
        return ((sixth < 0 ? sixth + 6 : sixth) / 6, span / (1 - abs(2 * lightness - 1)), lightness)
    }
    /// Creates an opaque color from hue, saturation and lightness, each from 0 to 1.
    init(hue: Double, saturation: Double, lightness: Double) {
        let reach = saturation * min(lightness, 1 - lightness)
        let channel: (Double) -> Double = { n in
            let k = (n + hue * 12).truncatingRemainder(dividingBy: 12)
            return Color.clamped(lightness - reach * max(-1, min(k - 3, 9 - k, 1)))
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4), opacity: 1)
    }
    /// The color in the syntax of GTK's style sheets.
    var css: String {
        let channels = [red, green, blue].map { String(Int((Color.clamped($0) * 255).rounded())) }
        return "rgba(\(channels.joined(separator: ",")),\(String(format: "%.3f", opacity)))"
    }
}
