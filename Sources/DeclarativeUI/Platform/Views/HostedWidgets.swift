import CGTK
import Foundation
import GTK
import MediaCore
import Overlays

/// The widgets of a host's layers: the videos of players and declarative views.
///
/// A class, because GTK can call the host while widgets are added and removed.
@MainActor
final class HostedWidgets {
    private var widgets: [ObjectIdentifier: HostedWidget] = [:]
    /// The widgets in drawing order.
    private(set) var inOrder: [HostedWidget] = []

    subscript(id: ObjectIdentifier) -> HostedWidget? { widgets[id] }

    /// Creates the widgets of all layers that host one, and removes the widgets of layers that have disappeared.
    func follow(_ root: CALayer, in parent: GTKWidget) {
        var layers: [CALayer] = []
        root.collectHosted(into: &layers)
        var next: [HostedWidget] = []
        for layer in layers {
            let id = ObjectIdentifier(layer)
            if let known = widgets[id], known.isValid {
                next.append(known)
            } else if let created = HostedWidget(layer, in: parent) {
                widgets[id]?.remove()
                widgets[id] = created
                next.append(created)
            }
        }
        for (id, hosted) in widgets where !next.contains(where: { $0 === hosted }) {
            hosted.remove()
            widgets[id] = nil
        }
        var previous: GTKWidget?
        for hosted in next {
            hosted.follow()
            if hosted.widget.previousSibling != previous {
                hosted.widget.insert(in: parent, after: previous)
            }
            previous = hosted.widget
        }
        inOrder = next
    }

    /// Places each widget at its layer, and hides the widgets whose layers are not visible.
    func place(_ layers: [PresentedLayer]) {
        var found: [ObjectIdentifier: (CGAffineTransform, CGSize)] = [:]
        for layer in layers { locate(layer, .identity, &found) }
        for hosted in inOrder {
            guard let (transform, size) = found[hosted.id], hosted.isShownHere else {
                hosted.widget.isChildVisible = false
                continue
            }
            position(hosted.widget, transform, size)
            hosted.widget.isChildVisible = true
        }
    }

    private func locate(
        _ layer: PresentedLayer, _ parent: CGAffineTransform,
        _ found: inout [ObjectIdentifier: (CGAffineTransform, CGSize)]
    ) {
        guard !layer.isInvisible else { return }
        let transform = layer.values.matrix.concatenating(parent)
        let bounds = layer.values.bounds
        if let id = layer.values.hosted, bounds.width > 0, bounds.height > 0 {
            found[id] = (
                CGAffineTransform(translationX: bounds.minX, y: bounds.minY).concatenating(transform), bounds.size
            )
        }
        for sublayer in layer.sublayers { locate(sublayer, transform, &found) }
    }

    private func position(_ child: GTKWidget, _ transform: CGAffineTransform, _ size: CGSize) {
        // GTK allocates whole points. It warns about a widget that was not measured, or that gets less than its minimum
        // size.
        let rounded: (CGFloat) -> Int32 = { $0.isFinite ? Int32(min(1_000_000, max(1, $0)).rounded()) : 1 }
        let width = max(rounded(size.width), child.measure(GTK_ORIENTATION_HORIZONTAL).minimum)
        let height = max(rounded(size.height), child.measure(GTK_ORIENTATION_VERTICAL, for: width).minimum)
        var placement = transform
        if placement.isTranslation { (placement.tx, placement.ty) = (placement.tx.rounded(), placement.ty.rounded()) }
        child.allocate(width, height, placement.gsk)
    }

    func removeAll() {
        for hosted in widgets.values { hosted.remove() }
        widgets = [:]
        inOrder = []
    }
}
