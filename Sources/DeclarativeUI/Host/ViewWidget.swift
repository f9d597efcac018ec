import GTK

/// A view of this dialect as a widget, for a window that is not of it. Main actor.
@MainActor
package final class ViewWidget {
    private let host = ViewHost()
    /// nil without a display. Owned by who it is given to, and by this.
    package var widget: GTKWidget? { host.surface.widget }
    /// It looks as GTK's settings say, also when they say something else.
    package init(_ view: AnyView) {
        host.mount(view, environment: Appearance.environment())
        appearance = AppearanceWatch { [weak host] in host?.setEnvironment($0) }
    }
    private var appearance: AppearanceWatch?
    /// Its views are gone; the widget stays with who has it.
    package func close() {
        appearance?.end()
        host.close()
    }
}
