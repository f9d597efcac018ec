import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A widget that draws nothing and takes no input: what assistive technology sees of something that we draw.
@MainActor
final class PassiveWidget {
    private let widget: GTKWidget
    private weak var host: (any ElementHost)?

    /// Nil without a display.
    init?(_ host: any ElementHost, role: GtkAccessibleRole) {
        guard let container = host.container, let raw = ElementWidget.make(role: role, owner: nil) else { return nil }
        widget = raw
        self.host = host
        raw.setCanTarget(false)
        raw.setParent(container)
    }

    var words = AccessibilityWords() { didSet { if words != oldValue { words.apply(to: widget) } } }

    /// Whether it is the chosen one of several; nil where there is nothing to choose.
    var isSelected: Bool? {
        didSet {
            if let isSelected, isSelected != oldValue { widget.setAccessibleSelected(isSelected) }
        }
    }

    /// The how manieth of how many; GTK 4.8 keeps that to itself.
    struct Position: Equatable { let index, count: Int }
    var position: Position? {
        didSet {
            guard let position, position != oldValue else { return }
            widget.setAccessiblePosition(position.index, of: position.count)
        }
    }

    func place(_ transform: CGAffineTransform, _ size: CGSize) { host?.position(widget, transform, size) }

    func remove() { widget.unparent() }
}
