import GTK

/// A view as a widget, for a window that is not created by views.
@MainActor
package final class ViewWidget {
    private let host = ViewHost()
    /// The widget, or nil without a display. This object keeps it alive until it is released itself.
    package var widget: GTKWidget? { host.surface.widget }
    /// Creates a widget for a view. It follows GTK's settings, and changes of them.
    package init(_ view: AnyView) {
        host.mount(view, environment: Appearance.environment())
        appearance = AppearanceWatch { [weak host] in host?.setEnvironment($0) }
    }
    private var appearance: AppearanceWatch?
    /// Removes the views. The widget stays in its window.
    package func close() {
        appearance?.end()
        host.close()
    }
}
