import CGTK
import Foundation
import MediaCore

/// A widget that draws nothing and takes no input: what assistive technology sees of something that we draw.
@MainActor
final class PassiveWidget {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private weak var host: (any ElementHost)?

    /// Nil without a display.
    init?(_ host: any ElementHost, role: GtkAccessibleRole) {
        guard let container = host.container, let raw = ElementWidget.make(role: role, owner: nil) else { return nil }
        widget = raw
        self.host = host
        gtk_widget_set_can_target(raw, 0)
        gtk_widget_set_parent(raw, container)
    }


    var words = AccessibilityWords() { didSet { if words != oldValue { words.apply(to: widget) } } }

    func place(_ transform: CGAffineTransform, _ size: CGSize) { host?.position(widget, transform, size) }

    func remove() { gtk_widget_unparent(widget) }
}
