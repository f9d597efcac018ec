import Foundation
import MediaCore
import Overlays

/// A rectangle with layers and subviews. Modeled on UIKit's type, as far as views of players use it: layers, layout and
/// autoresizing.
///
/// `UIViewRepresentable` shows the view. `draw(_:)` and single touches are not supported. Use gesture recognizers
/// instead of touches. ``LayeredView`` describes how a view is drawn.
@MainActor @preconcurrency
open class UIView: LayeredView {
    /// The distances and dimensions of a view that change with the size of its superview.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The distance to the left edge, and the width.
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1),
            flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        /// The distances to the right edge and to the top edge.
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2),
            flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        /// The height, and the distance to the bottom edge.
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4),
            flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    /// Creates a view with a frame in its superview, in points.
    public init(frame: CGRect) {
        super.init(later: ())
        if frame != .zero { self.frame = frame }
    }
    /// Creates a view with an empty frame.
    public convenience init() { self.init(frame: .zero) }
    /// Returns nil, because archives of views are not supported.
    public required init?(coder: NSCoder) { return nil }

    // MARK: layer

    /// The class of the view's own layer: `CALayer`, `AVPlayerLayer`, `CAShapeLayer`, `CAGradientLayer` or
    /// `CATextLayer`.
    ///
    /// For a subclass, the view creates a layer of the nearest of these classes and logs an error. Swift on Linux can't
    /// create an object from a class value. Add a layer of the subclass as a sublayer instead.
    open class var layerClass: AnyClass { CALayer.self }
    /// The view's own layer, an object of `layerClass`.
    open var layer: CALayer { backing }
    override func makeLayer() -> CALayer {
        let type: AnyClass = Swift.type(of: self).layerClass
        let newLayer: CALayer =
            switch type {
            case is AVPlayerLayer.Type: AVPlayerLayer()
            case is CAShapeLayer.Type: CAShapeLayer()
            case is CAGradientLayer.Type: CAGradientLayer()
            case is CATextLayer.Type: CATextLayer()
            default: CALayer()
            }
        if ObjectIdentifier(Swift.type(of: newLayer)) != ObjectIdentifier(type) {
            ViewGraph.logger.error(
                "\(Swift.type(of: self)): layerClass \(type) is not supported; a \(Swift.type(of: newLayer)) is used instead."
            )
        }
        return newLayer
    }

    /// The color behind the sublayers, or nil for a clear background.
    ///
    /// A color that depends on the appearance is resolved when it is set.
    open var backgroundColor: UIColor? {
        didSet { backing.backgroundColor = backgroundColor?.cgColor }
    }
    private var ownTintColor: UIColor?
    private var shownTintColor: UIColor?
    /// The color of controls and symbols in the view and its subviews.
    ///
    /// Without a color of its own, or after it is set to nil, the view has the color of its superview. Without a
    /// superview, the color is the accent color.
    open var tintColor: UIColor! {
        get { chosenTintColor ?? .tintColor }
        set {
            ownTintColor = newValue
            tintMayHaveChanged()
        }
    }
    /// The tint color that the app has set for the view or a superview, or nil if there is none.
    package final var chosenTintColor: UIColor? { ownTintColor ?? superview?.chosenTintColor }
    /// Called after `tintColor` has changed, also when the color of a superview has changed.
    open func tintColorDidChange() {}
    private func tintMayHaveChanged() {
        guard chosenTintColor != shownTintColor else { return }
        shownTintColor = chosenTintColor
        if content != nil { mountContent() }
        tintColorDidChange()
        for view in subviews { view.tintMayHaveChanged() }
    }

    /// The position and scale of a view's content. Modeled on UIKit's type.
    public enum ContentMode: Int, Sendable {
        /// Stretched to the bounds, regardless of the aspect ratio.
        case scaleToFill
        /// The largest size that fits into the bounds, or the smallest size that fills them.
        case scaleAspectFit, scaleAspectFill
        /// Stretched to the bounds, as with `scaleToFill`.
        case redraw
        /// In the center. A `UIImageView` shows the image in its own size; a layer's contents have one pixel per point.
        case center
        /// At an edge in a `UIImageView`. Layers draw their contents in the center.
        case top, bottom, left, right
        /// In a corner of a `UIImageView`. Layers draw their contents in the center.
        case topLeft, topRight, bottomLeft, bottomRight

        fileprivate var gravity: CALayerContentsGravity {
            switch self {
            case .scaleToFill, .redraw: .resize
            case .scaleAspectFit: .resizeAspect
            case .scaleAspectFill: .resizeAspectFill
            case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight: .center
            }
        }
    }
    /// The position and scale of the layer's `contents`. Also sets the layer's `contentsGravity`.
    open var contentMode = ContentMode.scaleToFill {
        didSet { backing.contentsGravity = contentMode.gravity }
    }
    /// The opacity, clamped to 0…1.
    open var alpha: CGFloat {
        get { CGFloat(backing.opacity) }
        set { backing.opacity = Float(newValue) }
    }
    /// Stored without effect: opacity is determined from what the view draws.
    open var isOpaque = true
    /// Whether layers and subviews are clipped to the view's bounds.
    open var clipsToBounds: Bool {
        get { backing.masksToBounds }
        set { backing.masksToBounds = newValue }
    }
    /// The center in the superview's coordinates.
    open var center: CGPoint {
        get { backing.position }
        set { backing.position = newValue }
    }
    /// The transform around the center.
    open var transform: CGAffineTransform {
        get { backing.affineTransform() }
        set { backing.setAffineTransform(newValue) }
    }
    /// A number for the app's own use.
    open var tag = 0
    /// Whether the view and its subviews receive pointer input. If false, views behind receive it.
    ///
    /// Controls in subviews can still be used with the keyboard.
    open var isUserInteractionEnabled: Bool {
        get { touches.isEnabled }
        set { touches.isEnabled = newValue }
    }
    final let touches = ViewTouches()
    override func wrappedContent(_ view: AnyView?) -> AnyView? {
        guard view != nil || !touches.recognizers.isEmpty else { return nil }
        let view = chosenTintColor.map { tint in view.map { AnyView($0.tint(Color(tint))) } } ?? view
        return AnyView(TouchedContent(content: view, touches: touches))
    }
    /// Whether `autoresizingMask` determines how the view follows its superview. If false, active constraints lay out
    /// the view.
    open var translatesAutoresizingMaskIntoConstraints = true
    /// The active constraints that refer to this view.
    final var activeConstraints: [NSLayoutConstraint] = []

    // MARK: subviews

    /// The subviews, from back to front.
    open var subviews: [UIView] { views.compactMap { $0 as? UIView } }
    /// The superview, or nil if there is none or it is not a `UIView`.
    open var superview: UIView? { parentView as? UIView }
    /// Adds a view in front of the other subviews and removes it from its old superview. Adding a view to itself or to
    /// its own descendants has no effect.
    open func addSubview(_ view: UIView) { insert(view, at: views.count) }
    /// Inserts a subview at an index, from back to front.
    /// - Parameters:
    ///   - view: The view.
    ///   - index: The index in `subviews`, clamped to the valid range.
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }
    /// Inserts a subview directly behind another one, or behind all others if `siblingSubview` is not a subview.
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: views.filter { $0 !== view }.firstIndex { $0 === siblingSubview } ?? 0)
    }
    /// Inserts a subview directly in front of another one, or in front of all others if `siblingSubview` is not a
    /// subview.
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        let others = views.filter { $0 !== view }
        insert(view, at: others.firstIndex { $0 === siblingSubview }.map { $0 + 1 } ?? others.count)
    }
    /// Moves a subview in front of the others. Has no effect for other views.
    open func bringSubviewToFront(_ view: UIView) { if view.parentView === self { insert(view, at: views.count) } }
    /// Moves a subview behind the others. Has no effect for other views.
    open func sendSubviewToBack(_ view: UIView) { if view.parentView === self { insert(view, at: 0) } }
    /// Removes the view from its superview.
    open func removeFromSuperview() { detachFromParent() }
    /// Returns whether this view is `view` or one of its descendants.
    open func isDescendant(of view: UIView) -> Bool {
        var ancestor: LayeredView? = self
        while let current = ancestor {
            if current === view { return true }
            ancestor = current.parentView
        }
        return false
    }
    /// Called after the superview has changed.
    open func didMoveToSuperview() {}
    override func parentViewChanged() {
        tintMayHaveChanged()
        didMoveToSuperview()
    }
    /// Called after the window has changed.
    open func didMoveToWindow() {}
    override func changedWindow() { didMoveToWindow() }

    /// The insets of the safe area, which are zero, because GTK reports no display areas that must stay free.
    open var safeAreaInsets: UIEdgeInsets { .zero }
    /// The window that contains the view, or nil.
    open var window: UIWindow? {
        (self as? UIWindow)
            ?? outermost.host?.window.flatMap { facade in
                UIApplication.shared.windows.first { $0.isShown(by: facade) }
            }
    }

    // MARK: hit testing

    /// Returns the view that receives pointer input at a point: this view, one of its descendants, or nil.
    ///
    /// The default implementation searches the subviews from front to back, and returns this view if none of them
    /// returns a view. It returns nil if the view is hidden, almost transparent (an `alpha` below 0.01) or not enabled
    /// for interaction, or if ``point(inside:with:)`` returns false.
    ///
    /// GTK delivers input by the result, so an override can let input through, or direct it to another view of the
    /// tree. If the result has no control and no recognizer, its nearest superview with one receives the input. If
    /// there is none, declarative views around the outermost view receive it. For `UIHostingController`, the
    /// declarative view receives only input inside its bounds.
    ///
    /// Called on the main actor for each movement of the pointer and for each press, with views that are in a window.
    /// Overrides must therefore be fast and must not change views.
    /// - Parameters:
    ///   - point: The point in this view's coordinates.
    ///   - event: The input, or nil for a call by the app.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        // Layers store opacities as `Float`, in which 0.01 is less than the `CGFloat` 0.01.
        guard !isHidden, Float(alpha) >= 0.01, isUserInteractionEnabled, self.point(inside: point, with: event) else {
            return nil
        }
        for view in subviews.reversed() {
            if let hit = view.hitTest(view.convert(point, from: self), with: event) { return hit }
        }
        return self
    }
    /// Returns whether a point is in the view. The default implementation returns whether `bounds` contains the point.
    ///
    /// An override can enlarge or reduce the area that receives input. Buttons and sliders, and views with gesture
    /// recognizers, can also be pressed in an enlarged area outside of their bounds. The button then does not open its
    /// menu. A superview must contain the point too.
    /// - Parameters:
    ///   - point: The point in this view's coordinates.
    ///   - event: The input, or nil for a call by the app.
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    /// Converts a point of this view to the coordinates of another view.
    ///
    /// - Parameter view: The other view. Nil means the window's content, or the space around the outermost view if this
    ///   view is not in a window.
    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint { converted(point, to: view) }
    /// Converts a point of another view to the coordinates of this view.
    ///
    /// - Parameter view: The other view, or nil for the window's content, as for `convert(_:to:)`.
    open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint { converted(point, from: view) }
    /// Converts a rectangle of this view to the coordinates of another view. Returns the smallest rectangle around the
    /// result.
    ///
    /// - Parameter view: The other view, or nil for the window's content, as for points.
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        UIView.box(around: rect) { converted($0, to: view) }
    }
    /// Converts a rectangle of another view to the coordinates of this view. Returns the smallest rectangle around the
    /// result.
    ///
    /// - Parameter view: The other view, or nil for the window's content, as for points.
    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        UIView.box(around: rect) { converted($0, from: view) }
    }

    // MARK: layout

    /// The parts of the frame that change with the size of the superview.
    open var autoresizingMask: AutoresizingMask {
        get { AutoresizingMask(rawValue: resizing) }
        set { resizing = newValue.rawValue }
    }
    /// Whether subviews follow the size of this view by their `autoresizingMask`. True unless set.
    open var autoresizesSubviews: Bool {
        get { resizesViews }
        set { resizesViews = newValue }
    }
    /// Lays out layers and subviews. Called before drawing if the size has changed or layout was requested.
    open func layoutSubviews() {}
    /// Requests a call of `layoutSubviews()` before the next drawing.
    open func setNeedsLayout() { setLayoutNeeded() }
    /// Lays out this view and its descendants now if they need layout.
    open func layoutIfNeeded() { layOutNow() }
    /// Requests that the view's layer is drawn again.
    open func setNeedsDisplay() { backing.setNeedsDisplay() }
    /// The controller that manages the view.
    weak var controller: UIViewController?
    override func layOut() {
        controller?.viewWillLayoutSubviews()
        layOutByConstraints()
        layoutSubviews()
        controller?.viewDidLayoutSubviews()
    }

    /// The value of an intrinsic dimension that a view does not have: −1.
    public static let noIntrinsicMetric: CGFloat = -1
    /// The natural size of the view's content, in points.
    open var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric) }
    /// Reports that `intrinsicContentSize` has changed.
    open func invalidateIntrinsicContentSize() { preferredSizeChanged() }
    override var preferredSize: CGSize { intrinsicContentSize }
    /// Returns the size that fits best into `size`, in points. The default is the current size.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }
    /// Sets the view's size to the result of `sizeThatFits(_:)` for the current size.
    open func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }
}
