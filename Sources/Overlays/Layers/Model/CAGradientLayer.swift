import Filters
import Foundation

/// A layer that draws a gradient over its background and inside its rounded corners. Mirrors Core Animation's type of
/// the same name.
///
/// ```swift
/// let shade = CAGradientLayer()
/// shade.frame = geometry.bounds
/// shade.colors = [CGColor.clear, CGColor.black]
/// shade.locations = [0.7, 1]
/// layer.addSublayer(shade)
/// ```
open class CAGradientLayer: CALayer {
    /// Creates a layer without colors, which draws no gradient until `colors` is set.
    public override init() {
        super.init()
        change { $0.gradient = GradientValues() }
    }
    private func set(_ body: (inout GradientValues) -> Void) {
        change { v in
            var gradient = v.gradient ?? GradientValues()
            body(&gradient)
            v.gradient = gradient
        }
    }
    private var gradient: GradientValues { values.gradient ?? GradientValues() }

    /// The colors of the gradient, as `CGColor`s; other objects are ignored. A single color fills the layer.
    open var colors: [Any]? {
        get { gradient.colors.isEmpty ? nil : gradient.colors }
        set { set { $0.colors = (newValue ?? []).compactMap { $0 as? CGColor } } }
    }
    /// The positions of the colors, 0…1 and ascending. Each position is clamped to 0…1 and is at least the previous
    /// position. Nil, or a list of another length, spaces the colors evenly.
    open var locations: [NSNumber]? {
        get { gradient.locations.map { $0.map { NSNumber(value: Double($0)) } } }
        set {
            let newLocations = newValue?.map { CGFloat($0.doubleValue) }
            set { $0.locations = newLocations?.allSatisfy(\.isFinite) == true ? newLocations : nil }
        }
    }
    /// The start of the gradient, in fractions of the bounds: (0, 0) is the top left, (1, 1) the bottom right. The
    /// default is (0.5, 0).
    open var startPoint: CGPoint {
        get { gradient.startPoint }
        set { if newValue.isFinite { set { $0.startPoint = newValue } } }
    }
    /// The end of the gradient, in fractions of the bounds. The default is (0.5, 1).
    open var endPoint: CGPoint {
        get { gradient.endPoint }
        set { if newValue.isFinite { set { $0.endPoint = newValue } } }
    }
    /// The type of the gradient. The default is `.axial`.
    open var type: CAGradientLayerType {
        get { gradient.type }
        set { set { $0.type = newValue } }
    }
}
