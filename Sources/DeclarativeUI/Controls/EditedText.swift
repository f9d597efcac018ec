import Foundation
import GTK

/// The style class of edited text that an editor's widget uses.
@MainActor
struct EditedTextClass {
    private var name: String?

    /// Gives `widget` the style class for the CSS `declarations`. An empty string without a `ground` removes the class.
    ///
    /// - Parameter ground: The color behind the text of a text view. Nil means that of the theme.
    mutating func use(_ declarations: String, ground: Color.Components? = nil, on widget: GTKWidget) {
        let old = name
        let isEmpty = declarations.isEmpty && ground == nil
        name = isEmpty ? nil : ControlTheme.use(text: declarations, ground: ground)
        if let old { ControlTheme.release(old) }
        guard name != old else { return }
        if let old { widget.removeClass(old) }
        if let name { widget.addClass(name) }
    }

    /// Ends the use of the class, because the widget is removed.
    mutating func release() {
        if let name { ControlTheme.release(name) }
        name = nil
    }
}

extension EnvironmentValues {
    /// Returns the font and the color of edited text, in CSS. Empty for those of the theme.
    ///
    /// - Parameter ground: The color of the editor's frame, on which the text must be readable. Nil means that the
    ///   editor has no frame, so that the app's own background is behind the text.
    @MainActor func editedText(on ground: Color.Components?) -> String {
        var result = shownFont == .body ? "" : shownFont.css
        if foregroundStyle != nil, case .color(let color) = ink {
            result += "color: \((ground.map { color.readable(on: $0) } ?? color).css); "
        }
        return result
    }
}
