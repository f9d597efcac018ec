import CGTK
import Foundation

extension Motion {
    /// Reads GTK's `gtk-enable-animations`, which desktops turn off with a switch of their own.
    static func follow() {
        guard let settings = gtk_settings_get_default() else { return }
        var animates: gboolean = 1
        zt_gtk_settings_get_boolean(settings, "gtk-enable-animations", &animates)
        isReduced = animates == 0
    }
}
