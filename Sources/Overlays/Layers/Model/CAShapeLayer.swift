import Filters
import Foundation

/// A layer that draws a shape. Mirrors Core Animation's type of the same name.
///
/// The path is in the layer's own space and may exceed its bounds. It is filled first, then stroked.
///
/// ```swift
/// let ring = CAShapeLayer()
/// ring.path = CGPath(ellipseIn: CGRect(x: 0, y: 0, width: 60, height: 60))
/// ring.fillColor = nil
/// ring.strokeColor = .white
/// ring.lineWidth = 4
/// ring.strokeEnd = 0.75  // three quarters of the circle
/// ```
open class CAShapeLayer: CALayer {
    /// Creates a layer without a path, which draws no shape until `path` is set.
    public override init() {
        super.init()
        change { $0.shape = ShapeValues() }
    }
    private func set(_ body: (inout ShapeValues) -> Void) {
        change { v in
            var shape = v.shape ?? ShapeValues()
            body(&shape)
            v.shape = shape
        }
    }
    private var shape: ShapeValues { values.shape ?? ShapeValues() }

    /// The outline. The layer stores a copy, so that later changes of a mutable path have no effect.
    open var path: CGPath? {
        get { shape.path.map { CGPath(data: $0) } }
        set { set { $0.path = newValue?.data } }
    }
    /// The color inside the outline. The default is black; nil fills nothing.
    open var fillColor: CGColor? {
        get { shape.fillColor }
        set { set { $0.fillColor = newValue } }
    }
    /// The rule that determines which points are inside the path. The default is `.nonZero`.
    open var fillRule: CAShapeLayerFillRule {
        get { shape.fillRule }
        set { set { $0.fillRule = newValue } }
    }
    /// The color of the line. Nil, the default, draws no line.
    open var strokeColor: CGColor? {
        get { shape.strokeColor }
        set { set { $0.strokeColor = newValue } }
    }
    /// The start of the line as a fraction of the path's length, 0…1, clamped.
    open var strokeStart: CGFloat {
        get { shape.strokeStart }
        set { if newValue.isFinite { set { $0.strokeStart = min(max(newValue, 0), 1) } } }
    }
    /// The end of the line as a fraction of the path's length, 0…1, clamped. If it is not after `strokeStart`, no line
    /// is drawn.
    open var strokeEnd: CGFloat {
        get { shape.strokeEnd }
        set { if newValue.isFinite { set { $0.strokeEnd = min(max(newValue, 0), 1) } } }
    }
    /// The width of the line, in points. Half of it is on each side of the path. The default is 1. Negative values
    /// become 0.
    open var lineWidth: CGFloat {
        get { shape.lineWidth }
        set { if newValue.isFinite { set { $0.lineWidth = max(0, newValue) } } }
    }
    /// The maximum length of a mitered corner, in line widths. Longer corners are cut off. The default is 10; values
    /// below 1 are drawn as 1.
    open var miterLimit: CGFloat {
        get { shape.miterLimit }
        set { if newValue.isFinite { set { $0.miterLimit = newValue } } }
    }
    /// The shape of open ends of lines and dashes. The default is `.butt`.
    open var lineCap: CAShapeLayerLineCap {
        get { shape.lineCap }
        set { set { $0.lineCap = newValue } }
    }
    /// The shape of corners. The default is `.miter`.
    open var lineJoin: CAShapeLayerLineJoin {
        get { shape.lineJoin }
        set { set { $0.lineJoin = newValue } }
    }
    /// The alternating lengths of dashes and gaps, in points. Nil draws a solid line.
    ///
    /// A pattern with a negative length, or with only zeros, is ignored. A path that would need 100,000 dashes or more
    /// is drawn as a solid line.
    open var lineDashPattern: [NSNumber]? {
        get { shape.lineDashPattern.isEmpty ? nil : shape.lineDashPattern.map { NSNumber(value: Double($0)) } }
        set {
            let lengths = (newValue ?? []).map { CGFloat($0.doubleValue) }
            set {
                $0.lineDashPattern =
                    lengths.allSatisfy { $0.isFinite && $0 >= 0 } && lengths.contains { $0 > 0 } ? lengths : []
            }
        }
    }
    /// The position in the dash pattern at which the line starts, in points. The default is 0.
    open var lineDashPhase: CGFloat {
        get { shape.lineDashPhase }
        set { if newValue.isFinite { set { $0.lineDashPhase = newValue } } }
    }
}
