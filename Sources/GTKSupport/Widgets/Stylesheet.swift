import CGTK

/// Rules of ours over GTK's theme, for all windows of the process.
@MainActor
package final class Stylesheet {
    private let css: String
    private var isDone = false

    package init(_ css: String) { self.css = css }

    /// Puts them in force, once; nothing without a display.
    package func ensure() {
        guard !isDone, let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else { return }
        isDone = true
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }
}
