import CDrawing
import Foundation

/// A parser of CSS colors (CSS Color Module Level 4): names, `#` with hexadecimal digits, `rgb()` and `hsl()`.
enum CSSColor {
    /// Parses a color. Returns nil if the text is not a color. Numbers out of range are clamped.
    static func parse(_ text: String) -> SubtitleStyle.Color? {
        let name = text.lowercased().trimmingCharacters(in: .whitespaces)
        if let (red, green, blue) = ownNames[name] {
            return .init(red: red / 255, green: green / 255, blue: blue / 255)
        }
        if name == "transparent" { return .clear }
        return function(name) ?? pango(name)
    }

    /// CSS's color names that X11 lacks or defines differently. Pango knows X11's names.
    private static let ownNames: [String: (Double, Double, Double)] = [
        "green": (0, 128, 0), "gray": (128, 128, 128), "grey": (128, 128, 128), "maroon": (128, 0, 0),
        "purple": (128, 0, 128),
        "lime": (0, 255, 0), "aqua": (0, 255, 255), "fuchsia": (255, 0, 255), "silver": (192, 192, 192),
        "olive": (128, 128, 0), "teal": (0, 128, 128),
    ]

    /// Parses X11's names, and `#` with three to eight digits.
    private static func pango(_ name: String) -> SubtitleStyle.Color? {
        var color = PangoColor()
        var alpha: guint16 = 65_535
        guard pango_color_parse_with_alpha(&color, &alpha, name) != 0 else { return nil }
        return .init(
            red: Double(color.red) / 65_535, green: Double(color.green) / 65_535, blue: Double(color.blue) / 65_535,
            alpha: Double(alpha) / 65_535)
    }

    /// Parses `rgb(…)`, `rgba(…)`, `hsl(…)` and `hsla(…)`, with or without commas.
    private static func function(_ text: String) -> SubtitleStyle.Color? {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
        let kind = text[..<open]
        let components = text[text.index(after: open)...].dropLast()
            .split { $0 == "," || $0 == "/" || $0.isWhitespace }
        guard components.count == 3 || components.count == 4 else { return nil }
        let alpha: Double? = components.count == 4 ? number(components[3], whole: 1) : 1
        switch kind {
        case "rgb", "rgba":
            guard let red = number(components[0], whole: 255), let green = number(components[1], whole: 255),
                let blue = number(components[2], whole: 255), let alpha
            else { return nil }
            return .init(red: red, green: green, blue: blue, alpha: alpha)
        case "hsl", "hsla":
            let degrees = components[0].hasSuffix("deg") ? components[0].dropLast(3) : components[0]
            guard let hue = Double(degrees), hue.isFinite, let saturation = number(components[1], whole: 100),
                let lightness = number(components[2], whole: 100), let alpha
            else { return nil }
            return hsl(hue, saturation, lightness, alpha)
        default: return nil
        }
    }

    /// Returns a percentage, or a number divided by `whole`, clamped to 0…1.
    private static func number(_ word: Substring, whole: Double) -> Double? {
        let isPercent = word.hasSuffix("%")
        guard let value = Double(isPercent ? word.dropLast() : word), value.isFinite else { return nil }
        return min(1, max(0, value / (isPercent ? 100 : whole)))
    }

    /// Converts HSL to RGB (CSS Color Module Level 4, section 7.1).
    ///
    /// - Parameter hue: The hue in degrees, which may be outside 0…360.
    private static func hsl(_ hue: Double, _ saturation: Double, _ lightness: Double, _ alpha: Double)
        -> SubtitleStyle.Color
    {
        let remainder = hue.truncatingRemainder(dividingBy: 360)
        let angle = remainder < 0 ? remainder + 360 : remainder
        func channel(_ offset: Double) -> Double {
            let step = (offset + angle / 30).truncatingRemainder(dividingBy: 12)
            return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(step - 3, 9 - step, 1))
        }
        return .init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
    }
}
