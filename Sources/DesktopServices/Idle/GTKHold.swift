import CGTK
import GTK
import Presentation

/// GTK's own way, which asks the session or the compositor. It needs a `GtkApplication`, which nothing else here does:
/// made when it comes to this, and never found by its name. Main actor.
@MainActor
final class GTKHold: IdleHold {
    private let application: GTKReference<GTKApplication>
    private let cookie: UInt32
    private static let shared: GTKReference<GTKApplication>? = {
        // Session managers are told its name: without one GTK 4.8 sends them what is no text.
        let application = GTKApplication.make(name(of: AppIdentity.identifier), G_APPLICATION_NON_UNIQUE)
        return application.object.register() == nil ? application : nil
    }()

    /// GIO's names of applications have a dot at least.
    nonisolated static func name(of identifier: String) -> String {
        GTKApplication.isIdentifier(identifier) ? identifier : "tv.zoetrope." + MPRISService.element(identifier)
    }

    /// nil: GTK knows nobody who would do it either.
    init?() {
        let view = PlayerView.all.first { $0.size.width > 0 }
        guard let window = view?.widget.window, let application = GTKHold.shared,
            let cookie = application.object.inhibitIdle(window, IdleReason.text)
        else { return nil }
        self.application = application
        self.cookie = cookie
        super.init(.gtk)
    }
    override func release() { application.object.allowIdle(cookie) }
}
