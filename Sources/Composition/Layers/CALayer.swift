import Foundation

/// A rectangle with content over the picture. Core Animation's type, as far as a vector builder needs it.
///
/// Not isolated to an actor: a layer belongs to who made it.
open class CALayer {
    /// Where it is in the layer (or video) it lies over, points, the origin at the top left.
    open var frame: CGRect = .zero
    /// Its own space: `frame`'s size at the origin.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    public init() {}
}

/// A layer that draws a shape. Core Animation's type.
open class CAShapeLayer: CALayer {
    public override init() { super.init() }
}
