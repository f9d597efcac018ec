import Filters
import Foundation

/// A layer that draws a shape. Core Animation's type.
///
/// The path is in the layer's own space and is not cut at its bounds. Filled first, then stroked.
open class CAShapeLayer: CALayer {
    /// Without a path: only what all layers have is drawn until one is set.
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

    /// Copied: a mutable path that changes afterwards changes nothing here.
    open var path: CGPath? {
        get { shape.path.map { CGPath(data: $0) } }
        set { set { $0.path = newValue?.data } }
    }
    /// Black at first; nil fills nothing.
    open var fillColor: CGColor? {
        get { shape.fillColor }
        set { set { $0.fillColor = newValue } }
    }
    /// What counts as within where the path crosses itself; `.nonZero` at first.
    open var fillRule: CAShapeLayerFillRule {
        get { shape.fillRule }
        set { set { $0.fillRule = newValue } }
    }
    /// Nil, as at first, strokes nothing.
    open var strokeColor: CGColor? {
        get { shape.strokeColor }
        set { set { $0.strokeColor = newValue } }
    }
    /// The part of the path's length at which stroking begins; 0…1, clamped.
    open var strokeStart: CGFloat {
        get { shape.strokeStart }
        set { if newValue.isFinite { set { $0.strokeStart = min(max(newValue, 0), 1) } } }
    }
    /// The part of the path's length at which it ends; 0…1, clamped. Not after the start: nothing is stroked.
    open var strokeEnd: CGFloat {
        get { shape.strokeEnd }
        set { if newValue.isFinite { set { $0.strokeEnd = min(max(newValue, 0), 1) } } }
    }
    /// Points, half of it on each side.
    open var lineWidth: CGFloat {
        get { shape.lineWidth }
        set { if newValue.isFinite { set { $0.lineWidth = max(0, newValue) } } }
    }
    /// How long the tip of a mitred corner may be, in line widths; a longer one is cut off. 10 at first, below 1 drawn
    /// as 1.
    open var miterLimit: CGFloat {
        get { shape.miterLimit }
        set { if newValue.isFinite { set { $0.miterLimit = newValue } } }
    }
    /// How open ends of lines and dashes look; `.butt` at first.
    open var lineCap: CAShapeLayerLineCap {
        get { shape.lineCap }
        set { set { $0.lineCap = newValue } }
    }
    /// How corners look; `.miter` at first.
    open var lineJoin: CAShapeLayerLineJoin {
        get { shape.lineJoin }
        set { set { $0.lineJoin = newValue } }
    }
    /// Lengths drawn and left out in turn, points. With a negative length, or only zeros, the line is whole; nor are
    /// there dashes when they would be more than 100 000.
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
    /// How far into the pattern the line begins, points; 0 at first.
    open var lineDashPhase: CGFloat {
        get { shape.lineDashPhase }
        set { if newValue.isFinite { set { $0.lineDashPhase = newValue } } }
    }
}
