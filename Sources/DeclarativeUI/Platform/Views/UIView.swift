import Foundation
import MediaCore
import Overlays

/// A rectangle with layers, and views in it. UIKit's type, as far as players' views use it: layers, layout,
/// autoresizing.
///
/// Shown by `UIViewRepresentable`. Not here: `draw(_:)`, touches one by one (gesture recognisers recognise), and
/// animations by `UIView.animate` (layers animate). Main actor.
/// `LayeredView` says how it is drawn.
@MainActor @preconcurrency
open class UIView: LayeredView {
    /// Which of a view's distances and sides change with its superview's size.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// One bit a distance or side; UIKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The distance at the left, and the width.
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1),
            flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        /// The distances at the right and at the top.
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2),
            flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        /// The height, and the distance at the bottom.
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4),
            flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    /// Makes a view at a place in the view around it, points.
    public init(frame: CGRect) {
        super.init(later: ())
        if frame != .zero { self.frame = frame }
    }
    /// Makes a view without a size.
    public convenience init() { self.init(frame: .zero) }
    /// Nil: there are no archives of views here.
    public required init?(coder: NSCoder) { return nil }

    // MARK: layer

    /// The class of its own layer: `CALayer`, `AVPlayerLayer`, `CAShapeLayer`, `CAGradientLayer` or `CATextLayer`. Of a
    /// class of an app's own the nearest of these is made, with a line in the log: Swift makes nothing of a class that
    /// it is only handed. Such a layer can be a sublayer.
    open class var layerClass: AnyClass { CALayer.self }
    /// Its own layer, of the class `layerClass` says.
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
                "\(Swift.type(of: self)): layerClass \(type) is not supported; a \(Swift.type(of: fresh)) is used instead."
            )
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
    /// Whether its gesture recognisers, and what it shows itself, take input. The views in it go by their own.
    open var isUserInteractionEnabled: Bool {
        get { touches.isEnabled }
        set { touches.isEnabled = newValue }
    }
    final let touches = ViewTouches()
    override func enclosed(_ view: AnyView?) -> AnyView? {
        guard view != nil || !touches.recognizers.isEmpty else { return nil }
        return AnyView(TouchedContent(content: view, touches: touches))
    }
    /// Whether it has its own place and follows its superview's size by `autoresizingMask`; else the active constraints
    /// place it.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// The active constraints that it is in.
    final var rules: [NSLayoutConstraint] = []

    // MARK: views

    /// The views in it, from the bottom to the top.
    open var subviews: [UIView] { views.compactMap { $0 as? UIView } }
    /// The view around it; nil while there is none, or none of UIKit's kind.
    open var superview: UIView? { outer as? UIView }
    /// Puts a view in front of the others; it leaves where it was. One that this view stands in is refused.
    open func addSubview(_ view: UIView) { insert(view, at: views.count) }
    /// - Parameter index: clamped to what there is.
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }
    /// Puts a view right behind another one; behind all where that is not in this view.
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: views.filter { $0 !== view }.firstIndex { $0 === siblingSubview } ?? 0)
    }
    /// Puts a view right in front of another one; in front of all where that is not in this view.
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        let others = views.filter { $0 !== view }
        insert(view, at: others.firstIndex { $0 === siblingSubview }.map { $0 + 1 } ?? others.count)
    }
    /// Puts one of its views in front of the others; others do nothing.
    open func bringSubviewToFront(_ view: UIView) { if view.outer === self { insert(view, at: views.count) } }
    /// Puts one of its views behind the others; others do nothing.
    open func sendSubviewToBack(_ view: UIView) { if view.outer === self { insert(view, at: 0) } }
    /// Leaves the view around it.
    open func removeFromSuperview() { leave() }
    /// Whether it is that view, or stands in it at any depth.
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

    /// Distances to keep clear of; zero, as no display that GTK serves has such areas.
    open var safeAreaInsets: UIEdgeInsets { .zero }
    /// The window that it is in; nil: none.
    open var window: UIWindow? {
        (self as? UIWindow)
            ?? outermost.host?.window.flatMap { facade in
                UIApplication.shared.windows.first { $0.isShown(by: facade) }
            }
    }

    // MARK: layout

    /// How it follows its superview's size.
    open var autoresizingMask: AutoresizingMask {
        get { AutoresizingMask(rawValue: resizing) }
        set { resizing = newValue.rawValue }
    }
    /// Whether its subviews follow its size as their `autoresizingMask` says; true if not said.
    open var autoresizesSubviews: Bool {
        get { resizesViews }
        set { resizesViews = newValue }
    }
    /// Places layers and views in its bounds: called before it is drawn, when its size is another one or it was asked
    /// to.
    open func layoutSubviews() {}
    /// Has `layoutSubviews()` called before it is drawn next.
    open func setNeedsLayout() { setLayoutNeeded() }
    /// Calls `layoutSubviews()` now, where it is needed, here and in the views below.
    open func layoutIfNeeded() { layOutNow() }
    /// Has its layer drawn anew.
    open func setNeedsDisplay() { backing.setNeedsDisplay() }
    /// The controller whose view it is.
    weak var controller: UIViewController?
    override func layOut() {
        controller?.viewWillLayoutSubviews()
        placeByRules()
        layoutSubviews()
        controller?.viewDidLayoutSubviews()
    }

    /// −1: the view has no such size of its own.
    public static let noIntrinsicMetric: CGFloat = -1
    /// The size it has where it may choose, points.
    open var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric) }
    /// Tells that `intrinsicContentSize` is another one.
    open func invalidateIntrinsicContentSize() { likesOther() }
    override var likes: CGSize { intrinsicContentSize }
    /// The size it would like in a room of `size`, points; its own size if not overridden.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }
    /// Takes the size that `sizeThatFits(_:)` gives for its own.
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }
}
