import CGTK
import GTK
import Presentation

/// An inhibition by the Wayland compositor, while the window of a visible player view exists.
@MainActor
final class CompositorHold: IdleInhibition {
    private let inhibitor: WaylandIdleInhibitor

    /// Inhibits idleness, or returns nil if there is no such compositor.
    init?() {
        guard let window = PlayerView.firstShown?.widget.window, let inhibitor = WaylandIdleInhibitor(window) else {
            return nil
        }
        self.inhibitor = inhibitor
        super.init(.compositor)
    }
    override func release() { inhibitor.release() }
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
    init?() {
        guard let window = PlayerView.firstShown?.widget.window, let application = GTKHold.shared,
            let cookie = application.object.inhibitIdle(window, IdleReason.text)
        else { return nil }
        self.application = application
        self.cookie = cookie
        super.init(.gtk)
    }
    override func release() { application.object.allowIdle(cookie) }
}

extension PlayerView {
    /// A view that has a size, which it gets when its window opens.
    fileprivate static var firstShown: PlayerView? { all.first { $0.size.width > 0 } }
}
