import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A widget that draws nothing and takes no input. It represents a drawn element for assistive technology.
@MainActor
final class PassiveWidget {
    private let widget: GTKWidget
    private weak var host: (any ElementHost)?

    /// Creates a widget in a host. Returns nil without a display.
    init?(_ host: any ElementHost, role: GtkAccessibleRole) {
        guard let container = host.container, let raw = ElementWidget.make(role: role, owner: nil) else { return nil }
        widget = raw
        self.host = host
        raw.setCanTarget(false)
        raw.setParent(container)
    }

    var texts = AccessibilityTexts() {
        didSet { if texts != oldValue { texts.apply(to: widget, replacing: oldValue) } }
    }

    /// Whether the element is the selected one of several. Nil means that the element can't be selected.
    var isSelected: Bool? {
        didSet {
            if let isSelected, isSelected != oldValue { widget.setAccessibleSelected(isSelected) }
        }
    }

    /// The position among several elements. GTK 4.8 does not pass it on to assistive technology.
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
