import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

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

    /// Whether it is the chosen one of several; nil where there is nothing to choose.
    var isSelected: Bool? {
        didSet {
            if let isSelected, isSelected != oldValue { zt_gtk_set_accessible_selected(widget, isSelected ? 1 : 0) }
        }
    }

    /// The how manieth of how many; GTK 4.8 keeps that to itself.
    struct Position: Equatable { let index, count: Int }
    var position: Position? {
        didSet {
            guard let position, position != oldValue else { return }
            zt_gtk_set_accessible_position(widget, Int32(clamping: position.index), Int32(clamping: position.count))
        }
    }

    func place(_ transform: CGAffineTransform, _ size: CGSize) { host?.position(widget, transform, size) }

    func remove() { gtk_widget_unparent(widget) }
}
