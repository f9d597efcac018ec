import GTK

/// A view as a widget, for a window that is not created by views.
@MainActor
package final class ViewWidget {
    private let host = ViewHost()
    /// The widget, or nil without a display. This object keeps the widget alive.
    package var widget: GTKWidget? { host.surface.widget }
    /// Creates a widget for a view. The appearance of the view follows GTK's settings.
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
