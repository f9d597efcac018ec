import CGTK
import Presentation

/// GTK's own way, which asks the session or the compositor. It needs a `GtkApplication`, which nothing else here does: made when it comes to
/// this, and under no name. Main actor.
@MainActor
final class GTKHold: IdleHold {
    private let application: UnsafeMutablePointer<GtkApplication>
    private let cookie: guint
    private static let shared: UnsafeMutablePointer<GtkApplication>? = {
        guard let application = gtk_application_new(nil, G_APPLICATION_NON_UNIQUE) else { return nil }
        guard g_application_register(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), nil, nil) != 0 else { return nil }
        return application
    }()

    /// nil: GTK knows nobody who would do it either.
    init?() {
        let view = PlayerView.all.first { $0.size.width > 0 }
        let root = view.flatMap { gtk_widget_get_root(UnsafeMutablePointer<GtkWidget>($0.widget)) }
        guard let root, let application = GTKHold.shared else { return nil }
        cookie = gtk_application_inhibit(application, UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWindow.self), GTK_APPLICATION_INHIBIT_IDLE, IdleReason.text)
        guard cookie != 0 else { return nil }
        self.application = application
    }
    func release() { gtk_application_uninhibit(application, cookie) }
}
