import CGTK
import Foundation

/// A font, by role or by size. Sizes are in points of the layout, not in typographic points. Same API as in SwiftUI.
///
/// ```swift
/// Text("00:42")
///     .font(.system(size: 20, weight: .medium).monospacedDigit())
/// ```
public struct Font: Hashable, Sendable {
    /// The roles of fonts. Their sizes are 11.5…29 points, or 11…34 in the platform style `phone`. They scale with
    /// the size of GTK's interface font.
    public enum TextStyle: Hashable, CaseIterable, Sendable {
        /// The roles, in SwiftUI's order. `headline` is bold and as large as `body`; in the style `phone`, it is
        /// semibold. `footnote` and both captions have the same size, except in the style `phone`.
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
        /// The size in points: that of Apple's Human Interface Guidelines for the Mac, scaled from a body of 13 to
        /// GTK's usual 14⅔.
        var points: CGFloat {
            switch self {
            case .largeTitle: 29
            case .title: 25
            case .title2: 19
            case .title3: 17
            case .headline, .body: 14.67
            case .callout: 13.5
            case .subheadline: 12.5
            case .footnote, .caption, .caption2: 11.5
            }
        }
        var weight: Weight { self == .headline ? .bold : .regular }
    }
    /// The weight of letters. Same API as in SwiftUI.
    public struct Weight: Hashable, Sendable {
        let value: Int32
        /// The lighter weights: Pango's 100, 200 and 300, and the regular 400.
        public static let ultraLight = Weight(value: 100), thin = Weight(value: 200), light = Weight(value: 300),
            regular = Weight(value: 400)
        /// The heavier weights: Pango's 500, 600, 700, 800 and 900.
        public static let medium = Weight(value: 500), semibold = Weight(value: 600), bold = Weight(value: 700),
            heavy = Weight(value: 800), black = Weight(value: 900)
    }
    /// The design of letters.
    public enum Design: Hashable, Sendable {
        /// The interface's own font.
        case `default`
        /// The font that fontconfig names "serif".
        case serif
        /// The same as `default`.
        case rounded
        /// The font that fontconfig names "monospace".
        case monospaced
    }

    var size: CGFloat
    var weight: Weight
    var design = Design.default
    var isItalic = false
    var hasMonospacedDigits = false
    /// The name of a family. Nil means the interface's family.
    var family: String?
    /// The role that determines the size. Nil for a size of the app's own.
    var role: Role?
    /// The size in points of the layout. The size of a role scales with the font size in GTK's settings.
    @MainActor var shownSize: CGFloat { role.map { size * $0.scale } ?? size }

    /// The fonts of the largest roles.
    public static let largeTitle = system(.largeTitle), title = system(.title), title2 = system(.title2),
        title3 = system(.title3)
    /// The fonts of the roles of usual size.
    public static let headline = system(.headline), subheadline = system(.subheadline), body = system(.body),
        callout = system(.callout)
    /// The fonts of the smallest roles.
    public static let footnote = system(.footnote), caption = system(.caption), caption2 = system(.caption2)

    /// Returns the interface's font in a size.
    /// - Parameters:
    ///   - size: The size in points, clamped to 1…2000. A size that is not finite counts as 14.
    ///   - weight: The weight of letters.
    ///   - design: The design of letters.
    public static func system(size: CGFloat, weight: Weight = .regular, design: Design = .default) -> Font {
        Font(size: size.isFinite ? min(2000, max(1, size)) : 14, weight: weight, design: design)
    }
    /// Returns the font of a role, scaled with the size of GTK's interface font.
    /// - Parameter weight: The weight. Nil means the role's own.
    public static func system(_ style: TextStyle, design: Design = .default, weight: Weight? = nil) -> Font {
        var font = Font(size: style.points, weight: weight ?? style.weight, design: design)
        font.role = Role(style: style, hasWeight: weight == nil)
        return font
    }
    /// Returns a font of a family.
    /// - Parameters:
    ///   - name: The name of a family. fontconfig replaces a family that it does not know.
    ///   - size: The size in points, clamped to 1…2000.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        var font = system(size: size)
        font.family = name
        return font
    }
    /// Returns the font in bold.
    public func bold() -> Font { weight(.bold) }
    /// Returns the font in italics.
    public func italic() -> Font { with(self) { $0.isItalic = true } }
    /// Returns the font in another weight.
    public func weight(_ weight: Weight) -> Font {
        with(self) {
            $0.weight = weight
            $0.role?.hasWeight = false
        }
    }
    /// Returns the font with digits that all have the same width, if the font supports them.
    public func monospacedDigit() -> Font { with(self) { $0.hasMonospacedDigits = true } }
    /// Returns the font in the monospaced design. Has no effect on a custom family.
    public func monospaced() -> Font { with(self) { $0.design = .monospaced } }

    @MainActor private var shownFamily: String {
        family ?? (design == .monospaced ? "monospace" : design == .serif ? "serif" : Font.interfaceFamily)
    }

    /// The font in the syntax of GTK's style sheets.
    @MainActor var css: String {
        let name = shownFamily.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return "font-family: \"\(name)\"; font-size: \(shownSize)px; font-weight: \(weight.value); "
            + "font-style: \(isItalic ? "italic" : "normal"); "
            + (hasMonospacedDigits ? "font-feature-settings: \"tnum\"; " : "")
    }

    /// Returns Pango's description of the font. The caller owns it.
    @MainActor func description() -> OpaquePointer? {
        guard let description = pango_font_description_new() else { return nil }
        pango_font_description_set_family(description, shownFamily)
        pango_font_description_set_absolute_size(description, Double(shownSize) * 1024)
        pango_font_description_set_weight(description, PangoWeight(UInt32(weight.value)))
        if isItalic { pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
        return description
    }

    /// The height of capital letters in points.
    @MainActor var capitalHeight: CGFloat {
        if let known = Font.capitals[self], known.size == shownSize { return known.height }
        guard let layout = TextContext.shared.flatMap({ pango_layout_new($0) }) else { return shownSize * 0.7 }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let description = description()
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        pango_layout_set_text(layout, "H", 1)
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        let height = ink.height > 0 ? CGFloat(ink.height) / 1024 : shownSize * 0.7
        if Font.capitals.count >= 100 { Font.capitals.removeAll() }
        Font.capitals[self] = (shownSize, height)
        return height
    }
    @MainActor private static var capitals: [Font: (size: CGFloat, height: CGFloat)] = [:]

    /// The family in GTK's settings ("Cantarell 11"), or "sans" without GTK.
    @MainActor static var interfaceFamily = "sans"
    /// The size in GTK's settings, in points of the layout. 11 typographic points at 96 dpi are 14⅔.
    @MainActor static var interfaceSize: CGFloat = 14.67
}
