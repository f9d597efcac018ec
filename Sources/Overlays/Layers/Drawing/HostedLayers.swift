import Foundation
import MediaCore

// Trees in which some layers are not drawn by cairo: whoever shows a player's pictures, or a widget, between the layers
// below and above draws those one after the other.

extension PresentedLayer {
    /// It or a layer below it (a mask's content does not count) is drawn by somebody else.
    package var hasHosted: Bool { values.hosted != nil || sublayers.contains(where: \.hasHosted) }

    /// Nothing of it is seen.
    package var isInvisible: Bool { !isSeen || !values.matrix.isInvertible }

    /// Where it has pixels, at most, in its superlayer's space; null: nowhere.
    package var extent: CGRect { coverage(.identity) }

    /// What lies below its sublayers: shadow and ground; above them comes `frameAlone`.
    package var groundAlone: PresentedLayer {
        var v = values
        v.opacity = 1
        v.hosted = nil
        v.border.width = 0
        // Cut to its bounds it throws none. What is shown in it throws the shadow of its bounds.
        if v.throwsShadow, v.shadow.path == nil, values.hosted != nil || !v.backgroundColor.isSeen {
            var path = PathData()
            path.roundedRect(v.bounds, v.cornerRadius, v.cornerRadius)
            v.shadow.path = path
        }
        return PresentedLayer(values: v, mask: [], sublayers: [])
    }
    /// Its border.
    package var frameAlone: PresentedLayer? {
        guard values.border.isSeen else { return nil }
        var v = LayerValues()
        (v.position, v.bounds, v.anchorPoint, v.transform.whole) = (
            values.position, values.bounds, values.anchorPoint, values.transform.shown
        )
        (v.cornerRadius, v.border) = (values.cornerRadius, values.border)
        return PresentedLayer(values: v, mask: [], sublayers: [])
    }

    /// Draws it, without what others draw, in its superlayer's space.
    /// - Parameter area: what there is to draw on.
    package func draw(on cr: OpaquePointer, area: CGRect) { LayerPainter.draw(self, on: cr, area: area) }
}

extension CALayer {
    /// It and all below it that others draw, masks left out.
    package func collectHosted(into all: inout [CALayer], depth: Int = 0) {
        guard depth < 200 else { return }
        if values.hosted != nil { all.append(self) }
        for layer in sublayers ?? [] { layer.collectHosted(into: &all, depth: depth + 1) }
    }
}
