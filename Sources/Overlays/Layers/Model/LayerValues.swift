import Filters
import Foundation
import MediaCore

/// The properties of a layer as a value. `CALayer` stores it, animations change copies of it, and painters draw it.
package struct LayerValues: Sendable {
    package var position = CGPoint.zero
    package var bounds = CGRect.zero
    package var anchorPoint = CGPoint(x: 0.5, y: 0.5)
    package var transform = LayerTransform()
    package var opacity: CGFloat = 1
    package var isHidden = false
    package var zPosition: CGFloat = 0
    package var masksToBounds = false
    package var backgroundColor: CGColor?
    package var cornerRadius: CGFloat = 0
    package var border = LayerBorder()
    package var shadow = LayerShadow()
    package var contents = LayerContents()
    /// The identity of the layer if other code draws its content, such as a player's frames or a widget.
    package var hosted: ObjectIdentifier?
    /// The identity of the layer while it is blended with an earlier drawing, or nil.
    package var blended: ObjectIdentifier?

    /// The content of a shape, text or gradient layer; nil for other classes.
    package var drawing: LayerDrawing?

    // Optional chaining writes nil back to the properties of other layer classes. Such a write must not remove the
    // content.
    package var shape: ShapeValues? {
        get { if case .shape(let shape)? = drawing { shape } else { nil } }
        set { if newValue != nil || shape != nil { drawing = newValue.map { .shape($0) } } }
    }
    package var text: TextValues? {
        get { if case .text(let text)? = drawing { text } else { nil } }
        set { if newValue != nil || text != nil { drawing = newValue.map { .text($0) } } }
    }
    package var gradient: GradientValues? {
        get { if case .gradient(let gradient)? = drawing { gradient } else { nil } }
        set { if newValue != nil || gradient != nil { drawing = newValue.map { .gradient($0) } } }
    }

    /// The transform from the layer's space to its superlayer's.
    package var matrix: CGAffineTransform {
        let x = bounds.origin.x + bounds.size.width * anchorPoint.x
        let y = bounds.origin.y + bounds.size.height * anchorPoint.y
        return CGAffineTransform(translationX: -x, y: -y).concatenating(transform.shown.affine)
            .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    }
}

/// A layer's transform, as a matrix or as components.
package struct LayerTransform: Sendable {
    package var whole = CATransform3DIdentity {
        didSet { parts = nil }
    }
    /// The components, if a key path such as `transform.scale.x` was set. Converting them to a matrix each time would
    /// lose the sign of scales.
    private var parts: TransformParts?

    /// Changes a component of the transform. `shown` combines the components.
    mutating func withParts(_ change: (inout TransformParts) -> Void) {
        var parts = shownParts
        change(&parts)
        self.parts = parts
    }
    package var shown: CATransform3D { parts?.transform ?? whole }
    var shownParts: TransformParts { parts ?? TransformParts(whole) }
}

package struct LayerBorder: Sendable {
    package var width: CGFloat = 0
    package var color: CGColor? = .black

    var isSeen: Bool { width > 0 && color.isSeen }
}

package struct LayerShadow: Sendable {
    package var color: CGColor? = .black
    package var opacity: CGFloat = 0
    package var offset = CGSize(width: 0, height: -3)
    package var radius: CGFloat = 3
    package var path: PathData?
}

/// A layer's image, with its position and scale in the bounds.
package struct LayerContents: Sendable {
    package var image: ImageBitmap?
    package var gravity = CALayerContentsGravity.resize
}

/// The content of a `CAShapeLayer`, `CATextLayer` or `CAGradientLayer`.
package enum LayerDrawing: Sendable {
    case shape(ShapeValues)
    case text(TextValues)
    case gradient(GradientValues)
}

package struct ShapeValues: Sendable {
    package var path: PathData?
    package var fillColor: CGColor? = .black
    package var fillRule = CAShapeLayerFillRule.nonZero
    package var strokeColor: CGColor?
    package var strokeStart: CGFloat = 0
    package var strokeEnd: CGFloat = 1
    package var lineWidth: CGFloat = 1
    package var miterLimit: CGFloat = 10
    package var lineCap = CAShapeLayerLineCap.butt
    package var lineJoin = CAShapeLayerLineJoin.miter
    package var lineDashPattern: [CGFloat] = []
    package var lineDashPhase: CGFloat = 0
}

package struct TextValues: Sendable {
    package var string = ""
    package var fontName = "Helvetica"
    package var fontSize: CGFloat = 36
    package var foregroundColor: CGColor? = .white
    package var alignment = CATextLayerAlignmentMode.natural
    package var truncation = CATextLayerTruncationMode.none
    package var isWrapped = false
}

package struct GradientValues: Sendable {
    package var colors: [CGColor] = []
    /// The positions of the colors, 0…1. Nil spaces the colors evenly.
    package var locations: [CGFloat]?
    package var startPoint = CGPoint(x: 0.5, y: 0)
    package var endPoint = CGPoint(x: 0.5, y: 1)
    package var type = CAGradientLayerType.axial
}

extension GradientValues {
    /// The position of each color, 0…1, never decreasing.
    var places: [CGFloat] {
        guard let locations, locations.count == colors.count else {
            return colors.indices.map { colors.count < 2 ? 0 : CGFloat($0) / CGFloat(colors.count - 1) }
        }
        var least: CGFloat = 0
        return locations.map { location in
            least = max(least, min(max(location, 0), 1))
            return least
        }
    }
}
