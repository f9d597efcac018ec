import Filters
import Foundation

/// A layer filled with a gradient, over its background and within its rounded corners. Core Animation's type.
open class CAGradientLayer: CALayer {
    /// Without colours: nothing is drawn until they are set.
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

    /// `CGColor`s; anything else among them is left out. One alone fills, none draws nothing.
    open var colors: [Any]? {
        get { gradient.colors.isEmpty ? nil : gradient.colors }
        set { set { $0.colors = (newValue ?? []).compactMap { $0 as? CGColor } } }
    }
    /// Where the colours stand, 0…1 and growing; nil spreads them evenly, and so does a list of another length.
    open var locations: [NSNumber]? {
        get { gradient.locations.map { $0.map { NSNumber(value: Double($0)) } } }
        set {
            let places = newValue?.map { CGFloat($0.doubleValue) }
            set { $0.locations = places?.allSatisfy(\.isFinite) == true ? places : nil }
        }
    }
    /// In parts of the bounds: (0, 0) is the top left, (1, 1) the bottom right. (0.5, 0) at first.
    open var startPoint: CGPoint {
        get { gradient.startPoint }
        set { if newValue.isFinite { set { $0.startPoint = newValue } } }
    }
    /// (0.5, 1) at first.
    open var endPoint: CGPoint {
        get { gradient.endPoint }
        set { if newValue.isFinite { set { $0.endPoint = newValue } } }
    }
    /// Which way the colours run; `.axial` at first.
    open var type: CAGradientLayerType {
        get { gradient.type }
        set { set { $0.type = newValue } }
    }
}
