import CGTK

/// Rules of ours over GTK's theme, for all windows of the process.
@MainActor
package final class Stylesheet {
    private let css: String
    private var sheet: GTKStylesheet?

    package init(_ css: String) { self.css = css }

    /// Puts them in force, once; nothing without a display.
    package func ensure() {
        guard sheet == nil, let made = GTKStylesheet() else { return }
        made.load(css)
        sheet = made
    }
}

/// Rules over GTK's theme that change.
@MainActor
package final class GTKStylesheet {
    private let provider: UnsafeMutablePointer<GtkCssProvider>

    /// Without rules; nil without a display.
    package init?() {
        guard let display = GDKDisplay.standard, let provider = gtk_css_provider_new() else { return nil }
        self.provider = provider
        gtk_style_context_add_provider_for_display(
            display.pointer, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }
    // The display has it as long as the process lives.
    isolated deinit { g_object_unref(provider) }

    /// Puts rules in force in place of those before.
    package func load(_ css: String) { zt_gtk_css_load(provider, css) }
}

@MainActor
extension GTKWidgetObject {
    /// A colour that the theme has by name.
    package func color(named name: String) -> GdkRGBA? {
        var color = GdkRGBA()
        return zt_gtk_named_color(raw(), name, &color) != 0 ? color : nil
    }
}
