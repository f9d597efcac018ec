import GTK
import Foundation
import Synchronization

/// The one colour of what is chosen, filled, pressed by Return or has the keyboard: the theme's, for what GTK draws and
/// for what we draw.
///
/// A theme's own may be too dark to be seen on its dark windows (GTK's default is); it is lightened then until it stands
/// out by 3 to 1 (WCAG), and what GTK draws is told of it (`ControlTheme`), so that both are one colour.
enum Accent {
    private static let shared = Mutex<Color.Components?>(nil)

    /// Nil without a display, or a theme that names none: blue then. On any thread.
    static var current: Color.Components? { shared.withLock { $0 } }

    /// Asks the theme anew; what it says is of the appearance that is shown.
    /// - Returns: true when it is another one.
    @MainActor @discardableResult
    static func follow(dark: Bool) -> Bool {
        guard let named = named() else { return false }
        let next = legible(named, on: Paint.windowColor.resolved(dark: dark, accent: nil))
        return shared.withLock { known in
            let isOther = known != next
            known = next
            return isOther
        }
    }

    /// As themes for libadwaita call it, and as GTK's own do.
    @MainActor private static func named() -> Color.Components? {
        guard GDKDisplay.standard != nil else { return nil }
        let asked = GTKReference(GTKLabel())
        for name in ["accent_bg_color", "theme_selected_bg_color"] {
            guard let found = asked.object.color(named: name), found.alpha > 0 else { continue }
            return Color.Components(
                red: Color.clamped(Double(found.red)), green: Color.clamped(Double(found.green)),
                blue: Color.clamped(Double(found.blue)), opacity: 1)
        }
        return nil
    }

    /// `color` as it is, or lighter (on dark) or darker (on light) of the same hue, as far as it takes.
    static func legible(_ color: Color.Components, on ground: Color.Components) -> Color.Components {
        let goesUp = ground.luminance < 0.18
        let hsl = color.hsl
        var (lightness, shown) = (hsl.lightness, color)
        while shown.contrast(with: ground) < 3, goesUp ? lightness < 1 : lightness > 0 {
            lightness = min(1, max(0, lightness + (goesUp ? 0.01 : -0.01)))
            shown = Color.Components(hue: hsl.hue, saturation: hsl.saturation, lightness: lightness)
        }
        return shown
    }
}

extension Color {
    /// The theme's accent, whatever tint is said around: where that is the colour of the words.
    package static var themeAccent: Color { Accent.current.map { Color(kind: .fixed($0)) } ?? .blue }
}

extension Color.Components {
    /// 0…1, of linear light: WCAG's relative luminance.
    var luminance: Double {
        let linear: (Double) -> Double = { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
    /// The same, where it can be seen on `ground`, else what is read there: white words on a light frame are none.
    func readable(on ground: Color.Components) -> Color.Components {
        guard contrast(with: ground) < 1.3 else { return self }
        var words = ground.words
        words.opacity = opacity
        return words
    }
    /// 1…21, as WCAG counts; both opaque.
    func contrast(with other: Color.Components) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
    /// Each 0…1.
    var hsl: (hue: Double, saturation: Double, lightness: Double) {
        let (high, low) = (max(red, green, blue), min(red, green, blue))
        let (lightness, span) = ((high + low) / 2, high - low)
        guard span > 0 else { return (0, 0, lightness) }
        let sixth =
            high == red ? (green - blue) / span : high == green ? 2 + (blue - red) / span : 4 + (red - green) / span
        return ((sixth < 0 ? sixth + 6 : sixth) / 6, span / (1 - abs(2 * lightness - 1)), lightness)
    }
    /// Each 0…1; opaque.
    init(hue: Double, saturation: Double, lightness: Double) {
        let reach = saturation * min(lightness, 1 - lightness)
        let channel: (Double) -> Double = { n in
            let k = (n + hue * 12).truncatingRemainder(dividingBy: 12)
            return Color.clamped(lightness - reach * max(-1, min(k - 3, 9 - k, 1)))
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4), opacity: 1)
    }
    /// For GTK's style sheets.
    var css: String {
        let channels = [red, green, blue].map { String(Int((Color.clamped($0) * 255).rounded())) }
        return "rgba(\(channels.joined(separator: ",")),\(String(format: "%.3f", opacity)))"
    }
}
