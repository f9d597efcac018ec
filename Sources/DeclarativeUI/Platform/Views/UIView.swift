import Composition
import Foundation
import MediaCore

/// A rectangle with layers, and views in it. UIKit's type, as far as players' views use it: layers, layout,
/// autoresizing.
///
/// Shown by `UIViewRepresentable`. Not here: constraints, `draw(_:)`, touches and gesture recognisers (gestures are
/// those of the dialect's views around it), and animations by `UIView.animate` (layers animate). Main actor.
/// `LayeredView` says how it is drawn.
@MainActor @preconcurrency
open class UIView: LayeredView {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1),
            flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2),
            flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4),
            flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    public init(frame: CGRect) {
        super.init(later: ())
        if frame != .zero { self.frame = frame }
    }
    public convenience init() { self.init(frame: .zero) }
    /// Nil: there are no archives of views here.
    public required init?(coder: NSCoder) { return nil }

    // MARK: layer

    /// The class of its own layer: `CALayer`, `AVPlayerLayer`, `CAShapeLayer`, `CAGradientLayer` or `CATextLayer`. Of a
    /// class of an app's own the nearest of these is made, with a line in the log: Swift makes nothing of a class that
    /// it is only handed. Such a layer can be a sublayer.
    open class var layerClass: AnyClass { CALayer.self }
    open var layer: CALayer { backing }
    override func makeLayer() -> CALayer {
        let type: AnyClass = Swift.type(of: self).layerClass
        let fresh: CALayer =
            switch type {
            case is AVPlayerLayer.Type: AVPlayerLayer()
            case is CAShapeLayer.Type: CAShapeLayer()
            case is CAGradientLayer.Type: CAGradientLayer()
            case is CATextLayer.Type: CATextLayer()
            default: CALayer()
            }
        if ObjectIdentifier(Swift.type(of: fresh)) != ObjectIdentifier(type) {
            ViewGraph.logger.error(
                "\(Swift.type(of: self)): a layer of class \(type) cannot be made; it is a \(Swift.type(of: fresh))")
        }
        return fresh
    }

    /// Behind its sublayers; nil: clear. Of a colour with a role the one for the appearance when it is set.
    open var backgroundColor: UIColor? {
        didSet { backing.backgroundColor = backgroundColor?.cgColor }
    }
    /// 0…1, clamped.
    open var alpha: CGFloat {
        get { CGFloat(backing.opacity) }
        set { backing.opacity = Float(newValue) }
    }
    /// Kept, of no effect: what is opaque is seen from what is drawn.
    open var isOpaque = true
    /// Cuts off what of its layers and views lies outside its bounds.
    open var clipsToBounds: Bool {
        get { backing.masksToBounds }
        set { backing.masksToBounds = newValue }
    }
    /// Where the middle lies in the view around it.
    open var center: CGPoint {
        get { backing.position }
        set { backing.position = newValue }
    }
    /// Around its middle.
    open var transform: CGAffineTransform {
        get { backing.affineTransform() }
        set { backing.setAffineTransform(newValue) }
    }
    /// Of no effect.
    open var tag = 0
    /// Kept, of no effect: it takes no events.
    open var isUserInteractionEnabled = true
    /// Kept, of no effect: there are no constraints here.
    open var translatesAutoresizingMaskIntoConstraints = true

    // MARK: views

    open var subviews: [UIView] { views.compactMap { $0 as? UIView } }
    open var superview: UIView? { outer as? UIView }
    open func addSubview(_ view: UIView) { insert(view, at: views.count) }
    /// - Parameter index: clamped to what there is.
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: views.filter { $0 !== view }.firstIndex { $0 === siblingSubview } ?? 0)
    }
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        let others = views.filter { $0 !== view }
        insert(view, at: others.firstIndex { $0 === siblingSubview }.map { $0 + 1 } ?? others.count)
    }
    open func bringSubviewToFront(_ view: UIView) { if view.outer === self { insert(view, at: views.count) } }
    open func sendSubviewToBack(_ view: UIView) { if view.outer === self { insert(view, at: 0) } }
    open func removeFromSuperview() { leave() }
    open func isDescendant(of view: UIView) -> Bool {
        var each: LayeredView? = self
        while let current = each {
            if current === view { return true }
            each = current.outer
        }
        return false
    }
    /// It has another superview, or none.
    open func didMoveToSuperview() {}
    override func moved() { didMoveToSuperview() }

    // MARK: layout

    /// How it follows its superview's size.
    open var autoresizingMask: AutoresizingMask {
        get { AutoresizingMask(rawValue: resizing) }
        set { resizing = newValue.rawValue }
    }
    open var autoresizesSubviews: Bool {
        get { resizesViews }
        set { resizesViews = newValue }
    }
    /// Places layers and views in its bounds: called before it is drawn, when its size is another one or it was asked
    /// to.
    open func layoutSubviews() {}
    open func setNeedsLayout() { setLayoutNeeded() }
    open func layoutIfNeeded() { layOutNow() }
    open func setNeedsDisplay() { backing.setNeedsDisplay() }
    /// The controller whose view it is.
    weak var controller: UIViewController?
    override func layOut() {
        controller?.viewWillLayoutSubviews()
        layoutSubviews()
        controller?.viewDidLayoutSubviews()
    }

    public static let noIntrinsicMetric: CGFloat = -1
    /// The size it has where it may choose, points.
    open var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric) }
    open func invalidateIntrinsicContentSize() { likesOther() }
    override var likes: CGSize { intrinsicContentSize }
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }
}
