import CGTK
import GTKSupport
import Presentation

/// GTK's own way, which asks the session or the compositor. It needs a `GtkApplication`, which nothing else here does:
/// made when it comes to this, and never found by its name. Main actor.
@MainActor
final class GTKHold: IdleHold {
    private let application: UnsafeMutablePointer<GtkApplication>
    private let cookie: guint
    private static let shared: UnsafeMutablePointer<GtkApplication>? = {
        // Session managers are told its name: without one GTK 4.8 sends them what is no text.
        guard let application = gtk_application_new(name(of: AppIdentity.identifier), G_APPLICATION_NON_UNIQUE) else {
            return nil
        }
        guard
            g_application_register(
                UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), nil, nil) != 0
        else { return nil }
        return application
    }()

    /// GIO's names of applications have a dot at least.
    nonisolated static func name(of identifier: String) -> String {
        g_application_id_is_valid(identifier) != 0 ? identifier : "tv.zoetrope." + MPRISService.element(identifier)
    }

    /// nil: GTK knows nobody who would do it either.
    init?() {
        let view = PlayerView.all.first { $0.size.width > 0 }
        let root = view.flatMap { gtk_widget_get_root($0.widget.gtk) }
        guard let root, let application = GTKHold.shared else { return nil }
        cookie = gtk_application_inhibit(
            application, UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWindow.self),
            GTK_APPLICATION_INHIBIT_IDLE, IdleReason.text)
        self.application = application
        super.init(.gtk)
        guard cookie != 0 else { return nil }
    }
    override func release() { gtk_application_uninhibit(application, cookie) }
}
