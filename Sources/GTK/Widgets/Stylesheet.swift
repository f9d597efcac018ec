import CGTK

/// CSS rules that extend GTK's theme in all windows of the process.
@MainActor
package final class Stylesheet {
    private let css: String
    private var sheet: GTKStylesheet?

    package init(_ css: String) { self.css = css }

    /// Applies the rules, once. Does nothing without a display.
    package func ensure() {
        guard sheet == nil, let stylesheet = GTKStylesheet() else { return }
        stylesheet.load(css)
        sheet = stylesheet
    }
}

/// CSS rules that extend GTK's theme and can be replaced.
@MainActor
package final class GTKStylesheet {
    private let provider: UnsafeMutablePointer<GtkCssProvider>

    /// Creates a style sheet without rules. Returns nil without a display.
    package init?() {
        guard let display = GDKDisplay.standard, let provider = gtk_css_provider_new() else { return nil }
        self.provider = provider
        gtk_style_context_add_provider_for_display(
            display.pointer, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }
    // The display keeps the provider until the process ends.
    isolated deinit { g_object_unref(provider) }

    /// Replaces all rules.
    package func load(_ css: String) { zt_gtk_css_load(provider, css) }
}

@MainActor
extension GTKWidgetObject {
    /// Returns a named color of the theme, or nil if it has none.
    package func color(named name: String) -> GdkRGBA? {
        var color = GdkRGBA()
        return zt_gtk_named_color(raw(), name, &color) != 0 ? color : nil
    }
}
