import Foundation
import MediaCore

// A hosted layer shows a player's frames or an app's widget. Cairo does not draw it: the code that displays the layers
// draws it, after the layers below it and before the layers above it.

extension PresentedLayer {
    /// Whether the layer or a sublayer is hosted or blended. Layers in masks do not count.
    package var hasHosted: Bool {
        values.hosted != nil || values.blended != nil || sublayers.contains(where: \.hasHosted)
    }

    /// Whether nothing of the layer is visible.
    package var isInvisible: Bool { !isSeen || !values.matrix.isDrawable }

    /// A rectangle that contains everything the layer draws, in its superlayer's space; null if it draws nothing.
    package var extent: CGRect { coverage(.identity) }

    /// The part of the layer below its sublayers: shadow, background and content. `borderPart` is the part above.
    package var backgroundPart: PresentedLayer {
        var v = values
        v.opacity = 1
        v.hosted = nil
        v.border.width = 0
        // A layer that masks to its bounds casts no shadow. Hosted content, or content without a background, casts the
        // shadow of the bounds.
        if v.castsShadow, v.shadow.path == nil, values.hosted != nil || !v.backgroundColor.isSeen {
            var path = PathData()
            path.roundedRect(v.bounds, v.cornerRadius, v.cornerRadius)
            v.shadow.path = path
        }
        return PresentedLayer(values: v, mask: [], sublayers: [])
    }
    /// The layer's border, or nil if it has none.
    package var borderPart: PresentedLayer? {
        guard values.border.isSeen else { return nil }
        var v = LayerValues()
        (v.position, v.bounds, v.anchorPoint, v.transform.whole) = (
            values.position, values.bounds, values.anchorPoint, values.transform.shown
        )
        (v.cornerRadius, v.border) = (values.cornerRadius, values.border)
        return PresentedLayer(values: v, mask: [], sublayers: [])
    }

    /// Draws the layer in its superlayer's space, without hosted layers.
    ///
    /// - Parameter area: The area to draw on.
    package func draw(on cr: OpaquePointer, area: CGRect) { LayerPainter.draw(self, on: cr, area: area) }
}

extension CALayer {
    /// Appends the hosted layers of this tree to `all`: this layer and its sublayers, but not masks.
    package func collectHosted(into all: inout [CALayer], depth: Int = 0) {
        guard depth < 200 else { return }
        if values.hosted != nil { all.append(self) }
        for layer in sublayers ?? [] { layer.collectHosted(into: &all, depth: depth + 1) }
    }
}
