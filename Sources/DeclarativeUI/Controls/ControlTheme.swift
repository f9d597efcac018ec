import Foundation
import GTK
import MediaCore

/// The style rules for tints, edited text and control sizes, in addition to GTK's theme. Each tint and each look of
/// edited text in use has a style class.
@MainActor
enum ControlTheme {
    private static var sheet: GTKStylesheet?
    private static var tints = ControlTints()
    /// The parts of sliders. They contain images, so only a few unused ones are kept.
    private static var sliders = ControlTints(limit: 8)

    static func className(_ size: ControlSize) -> String? {
        load()
        return switch size {
        case .mini: "zt-mini"
        case .small: "zt-small"
        case .regular: nil
        case .large: "zt-large"
        }
    }

    /// Returns the style class of a tint for a control that begins to use it. Each call needs a call of `release(_:)`.
    static func use(_ color: Color.Components) -> String {
        let name = "zt-tint-\(hex(color))"
        return use(name) { rules(name, color) }
    }

    /// Returns the style class of edited text with the CSS `declarations` for an editor that begins to use it. Each
    /// call needs a call of `release(_:)`.
    ///
    /// - Parameter ground: The color behind the text of a text view. Nil means that of the theme.
    static func use(text declarations: String, ground: Color.Components? = nil) -> String {
        // The same look has the same class in every run, because the tests' descriptions of windows contain classes.
        let back = ground.map { "background-color: \($0.css); " } ?? ""
        let name = "zt-text-\(ContentDigest(of: declarations + back).text.prefix(16))"
        return use(name) {
            let editors = ["textview", "entry"].map { "\($0).\(name), \($0).\(name) > text" }
            let rule = editors.joined(separator: ", ") + " { \(declarations)}\n"
            guard ground != nil else { return rule }
            // Only the inner node has the color, so that a translucent color is drawn once.
            return rule + "textview.\(name) { background: none; }\n"
                + "textview.\(name) > text { background-image: none; \(back)}\n"
        }
    }

    /// Returns the style class of a segmented picker whose segments have a color while they are not selected. Each call
    /// needs a call of `release(_:)`.
    static func use(segments color: Color.Components) -> String {
        let name = "zt-segments-\(hex(color))"
        return use(name) {
            "box.\(name) > button:not(:checked):not(:disabled) "
                + "{ background-image: none; background-color: \(color.css); }\n"
        }
    }
    private static func hex(_ color: Color.Components) -> String {
        [color.red, color.green, color.blue, color.opacity]
            .map { String(format: "%02x", Int((Color.clamped($0) * 255).rounded())) }.joined()
    }

    /// The style class of sliders with their own parts, in addition to that of `use(slider:)`.
    static let sliderClass = "zt-slider"
    /// Returns the style class of a slider's own parts for a slider that begins to use it. Each call needs a call of
    /// `release(_:)`.
    static func use(slider rules: [SliderParts.Rule]) -> String {
        let text = rules.map { "\($0.node) { \($0.declarations) }" }.joined(separator: "\n")
        let name = "zt-slider-\(ContentDigest(of: text).text.prefix(16))"
        let isNew = sliders.use(name) {
            // Three classes have precedence over the rules for hovered and pressed knobs.
            rules.map { "scale.horizontal.\(sliderClass).\(name)\($0.node) { \($0.declarations) }\n" }.joined()
        }
        if isNew { load(again: true) }
        return name
    }

    private static func use(_ name: String, _ rules: () -> String) -> String {
        if tints.use(name, rules) { load(again: true) }
        return name
    }

    /// Ends the use of a style class by a control.
    static func release(_ name: String) {
        tints.release(name)
        sliders.release(name)
    }

    private static var isDark = false
    /// The approximate background color of a control's frame in GTK's appearance, which may differ from the color
    /// scheme of the views.
    static var frameColor: Color.Components { Paint.windowColor.resolved(dark: isDark, accent: nil) }
    /// Updates the style rules if the appearance or the accent color has changed.
    static func follow(dark: Bool, isOtherAccent: Bool) {
        guard dark != isDark || isOtherAccent || sheet == nil else { return }
        isDark = dark
        load(again: true)
    }

    private static func load(again: Bool = false) {
        guard sheet == nil || again else { return }
        if sheet == nil { sheet = GTKStylesheet() }
        sheet?.load(sizes + marks + accent + tints.rules + sliders.rules)
    }

    /// The rules that make controls and their values visible.
    ///
    /// On dark windows, the knobs of GTK's default theme have the window's color. In both appearances, the theme's
    /// edges hardly differ from the window.
    private static var marks: String {
        let window = Paint.windowColor.resolved(dark: isDark, accent: nil)
        let edge = ControlMark.edge(on: window).css
        func fill(_ state: String, _ color: Color.Components) -> String {
            """
            scale > trough > slider\(state):not(:disabled), switch\(state):not(:disabled) > slider { background-image: image(\(color.css)); }

            """
        }
        let knobs = ControlMark.knobs(dark: isDark)
        return """
            scale > trough > slider:not(:disabled), switch:not(:disabled) > slider { border-color: \(edge); }
            switch:not(:checked):not(:disabled), entry:not(:focus-within):not(:disabled),
            spinbutton:not(:focus-within):not(:disabled), check:not(:checked):not(:indeterminate):not(:disabled),
            radio:not(:checked):not(:indeterminate):not(:disabled) { border-color: \(edge); }

            """ + (knobs.map { fill("", $0.rest) + fill(":hover", $0.hover) + fill(":active", $0.active) } ?? "")
    }

    /// The rules for controls without a tint, so that GTK and Zoetrope draw with the same accent color.
    private static var accent: String {
        guard let color = Accent.current else { return "" }
        let css = color.css
        return rules("", color) + """
            *:focus-visible, entry:focus-within, spinbutton:focus-within { outline-color: \(css); }
            entry:focus-within, spinbutton:focus-within { border-color: \(css); }
            selection { background-color: \(css); color: \(color.textColor.css); }

            """
    }

    /// Returns the rules for a color.
    ///
    /// - Parameter name: The style class, or an empty string for all controls.
    private static func rules(_ name: String, _ color: Color.Components) -> String {
        let (css, textColor, suffix) = (color.css, color.textColor.css, name.isEmpty ? "" : ".\(name)")
        // Without a tint, pressed buttons and destructive buttons keep the theme's look.
        let buttons =
            name.isEmpty
            ? "button.suggested-action:not(:disabled)"
            : [
                "button\(suffix):checked", "button\(suffix).suggested-action", "button\(suffix).destructive-action",
                "box\(suffix) > button:checked",
            ]
            .map { $0 + ":not(:disabled)" }.joined(separator: ", ")
        return """
            scale\(suffix) > trough > highlight:not(:disabled), progressbar\(suffix) > trough > progress:not(:disabled) { background-color: \(css); border-color: \(css); }
            switch\(suffix):checked:not(:disabled) { background-color: \(css); border-color: \(css); }
            switch\(suffix):checked:not(:disabled) > slider { border-color: \(css); }
            checkbutton\(suffix) > check:checked:not(:disabled), checkbutton\(suffix) > radio:checked:not(:disabled),
            box\(suffix) > checkbutton > radio:checked:not(:disabled) { background-image: image(\(css)); border-color: \(css); color: \(textColor); }
            \(buttons) { background-image: image(\(css)); border-color: \(css); color: \(textColor); }
            \(name.isEmpty ? "" : "spinner\(suffix) { color: \(css); }")
            entry\(suffix):focus-within { border-color: \(css); outline-color: \(css); }

            """
    }

    private static let sizes: String = {
        func rules(_ name: String, height: Int, padding: String, font: Int, scale: Int) -> String {
            """
            button.\(name), entry.\(name), box.\(name) > button, dropdown.\(name) > button, menubutton.\(name) > button {
                min-height: \(height)px; padding: \(padding); font-size: \(font)px; }
            scale.\(name) { padding: \(scale)px; }

            """
        }
        // GTK's minimum height excludes the border, which is one point wide.
        return rules("zt-mini", height: 14, padding: "0 4px", font: 11, scale: 6)
            + rules("zt-small", height: 18, padding: "1px 6px", font: 12, scale: 8)
            + rules("zt-large", height: 32, padding: "6px 14px", font: 17, scale: 14)
            + "entry.zt-plain { background: none; border: none; box-shadow: none; outline: none; padding: 0; min-height: 0; }\n"
            + "textview.zt-plain, textview.zt-plain > text { background: none; }\n"
            // Zoetrope draws the menu's label with the space around it.
            + "menubutton.zt-bare > button { background: none; border: none; box-shadow: none; outline: none; padding: 0; min-width: 0; min-height: 0; }\n"
    }()
}
