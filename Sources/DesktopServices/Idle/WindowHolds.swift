import CGTK
import GTK
import Presentation

/// An inhibition by the Wayland compositor, which honors it only while the window is visible.
@MainActor
final class CompositorHold: IdleInhibition {
    private var inhibitor: WaylandIdleInhibitor

    /// Inhibits idleness, or returns nil if there is no such compositor.
    init?(_ window: GTKWindow) {
        guard let inhibitor = WaylandIdleInhibitor(window) else { return nil }
        self.inhibitor = inhibitor
        super.init(.compositor)
    }
    override func release() { inhibitor.release() }

    override func follow(_ window: GTKWindow) {
        // Requested even for the same window, because a window that was hidden has another surface.
        guard let next = WaylandIdleInhibitor(window) else { return }
        inhibitor.release()
        inhibitor = next
    }
}

/// An inhibition by GTK, which requests it from the session manager. For the request, GTK needs a `GtkApplication`. The
/// application is created on first use, and does not own its name on the bus.
@MainActor
final class GTKHold: IdleInhibition {
    private let application: GTKReference<GTKApplication>
    private let cookie: UInt32
    private static let shared: GTKReference<GTKApplication>? = {
        // GTK 4.8 sends the name to session managers, and sends an invalid text if there is none.
        let application = GTKApplication.make(name(of: AppIdentity.identifier), G_APPLICATION_NON_UNIQUE)
        return application.object.register() == nil ? application : nil
    }()

    /// Returns a valid application ID. GIO requires at least one dot.
    nonisolated static func name(of identifier: String) -> String {
        GTKApplication.isIdentifier(identifier) ? identifier : "tv.zoetrope." + MPRISService.element(identifier)
    }

    /// Inhibits idleness, or returns nil if GTK has no session manager for it.
    init?(_ window: GTKWindow) {
        guard let application = GTKHold.shared, let cookie = application.object.inhibitIdle(window, IdleReason.text)
        else { return nil }
        self.application = application
        self.cookie = cookie
        super.init(.gtk)
    }
    override func release() { application.object.allowIdle(cookie) }
}
