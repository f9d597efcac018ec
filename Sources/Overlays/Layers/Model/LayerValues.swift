import Filters
import Foundation
import MediaCore

/// All that a layer shows at one moment, as a value: what `CALayer` holds, what animations change a copy of, and
/// what is drawn.
package struct LayerValues: Sendable {
    package var position = CGPoint.zero
    package var bounds = CGRect.zero
    package var anchorPoint = CGPoint(x: 0.5, y: 0.5)
    package var transform = CATransform3DIdentity {
        didSet { parts = nil }
    }
    /// Set while key paths below `transform` are: going through the matrix each time would lose the sign of scales.
    private(set) var parts: TransformParts?
    package var opacity: CGFloat = 1
    package var isHidden = false
    package var zPosition: CGFloat = 0
    package var masksToBounds = false
    package var backgroundColor: CGColor?
    package var cornerRadius: CGFloat = 0
    package var borderWidth: CGFloat = 0
    package var borderColor: CGColor? = .black
    package var shadowColor: CGColor? = .black
    package var shadowOpacity: CGFloat = 0
    package var shadowOffset = CGSize(width: 0, height: -3)
    package var shadowRadius: CGFloat = 3
    package var shadowPath: PathData?
    package var contents: ImageBitmap?
    package var contentsGravity = CALayerContentsGravity.resize
    /// Its content is drawn by somebody else, who knows the layer by this: a player's pictures, a widget.
    package var hosted: ObjectIdentifier?

    package var shape: ShapeValues?
    package var text: TextValues?
    package var gradient: GradientValues?

    /// Changes one part of the transform; `shownTransform` puts them together.
    mutating func withParts(_ change: (inout TransformParts) -> Void) {
        var parts = parts ?? TransformParts(transform)
        change(&parts)
        self.parts = parts
    }
    package var shownTransform: CATransform3D { parts?.transform ?? transform }
    var shownParts: TransformParts { parts ?? TransformParts(transform) }

    /// From the layer's space to its superlayer's.
    package var matrix: CGAffineTransform {
        let x = bounds.origin.x + bounds.size.width * anchorPoint.x
        let y = bounds.origin.y + bounds.size.height * anchorPoint.y
        return CGAffineTransform(translationX: -x, y: -y).concatenating(shownTransform.affine)
            .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    }
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
    /// Nil: evenly spread.
    package var locations: [CGFloat]?
    package var startPoint = CGPoint(x: 0.5, y: 0)
    package var endPoint = CGPoint(x: 0.5, y: 1)
    package var type = CAGradientLayerType.axial
}

extension GradientValues {
    /// One place for each colour, never going back.
    var places: [CGFloat] {
        guard let locations, locations.count == colors.count else {
            return colors.indices.map { colors.count < 2 ? 0 : CGFloat($0) / CGFloat(colors.count - 1) }
        }
        var least: CGFloat = 0
        return locations.map { place in
            least = max(least, min(max(place, 0), 1))
            return least
        }
    }
}
