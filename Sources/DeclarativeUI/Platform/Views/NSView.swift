import Foundation
import Overlays

/// A rectangle with layers and subviews. Modeled on AppKit's type, as far as views of players use it: layers, layout
/// and autoresizing.
///
/// `NSViewRepresentable` shows the view. The origin is at the top left, whatever `isFlipped` returns, because layers
/// have their origin there. Constraints, `draw(_:)` and events are not supported. Use the gestures of the declarative
/// views around the view instead of events. ``LayeredView`` describes how a view is drawn.
@MainActor @preconcurrency
open class NSView: LayeredView {
    /// The distances and dimensions of a view that change with the size of its superview.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// The bit mask, with AppKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// An empty set: the frame does not change with the superview.
        public static let none: AutoresizingMask = []
        /// The distance to the left edge, the width, and the distance to the right edge.
        public static let minXMargin = AutoresizingMask(rawValue: 1), width = AutoresizingMask(rawValue: 1 << 1),
            maxXMargin = AutoresizingMask(rawValue: 1 << 2)
        /// The distance to the top edge, the height, and the distance to the bottom edge, because y points downward.
        public static let minYMargin = AutoresizingMask(rawValue: 1 << 3), height = AutoresizingMask(rawValue: 1 << 4),
            maxYMargin = AutoresizingMask(rawValue: 1 << 5)
    }
    /// The times at which a layer is drawn again. Stored without effect.
    public enum LayerContentsRedrawPolicy: Int, Sendable {
        /// Only the app requests drawing.
        case never = 0
        /// On request, while the view is resized, before it is resized, and with a crossfade.
        case onSetNeedsDisplay, duringViewResize, beforeViewResize, crossfade
    }

    /// Creates a view with a frame in its superview, in points.
    public init(frame frameRect: NSRect) {
        super.init(later: ())
        if frameRect != .zero { frame = frameRect }
    }
    /// Creates a view with an empty frame.
    public convenience init() { self.init(frame: .zero) }
    /// Returns nil, because archives of views are not supported.
    public required init?(coder: NSCoder) { return nil }

    // MARK: layer

    /// Whether `layer` returns the view's layer. All views are drawn by layers, whatever this value is.
    open var wantsLayer = false
    /// The view's layer, or nil unless `wantsLayer` is true or the app has set a layer.
    ///
    /// A layer that the app sets replaces the earlier one and gets its geometry. Setting nil replaces the layer with an
    /// empty one.
    open var layer: CALayer? {
        get { wantsLayer || isOwnLayer ? backing : nil }
        set {
            isOwnLayer = newValue != nil
            backing = newValue ?? CALayer()
        }
    }
    private var isOwnLayer = false
    /// Creates the layer of the view. Not called if the app sets a layer before the first use.
    open func makeBackingLayer() -> CALayer { CALayer() }
    override func makeLayer() -> CALayer { makeBackingLayer() }
    /// Stored without effect: layers are drawn again after each change.
    open var layerContentsRedrawPolicy = LayerContentsRedrawPolicy.duringViewResize

    /// The opacity, clamped to 0…1.
    open var alphaValue: CGFloat {
        get { CGFloat(backing.opacity) }
        set { backing.opacity = Float(newValue) }
    }
    /// Whether layers and subviews are clipped to the view's bounds.
    open var clipsToBounds: Bool {
        get { backing.masksToBounds }
        set { backing.masksToBounds = newValue }
    }
    /// Whether the app expects the origin at the top left. Has no effect: the origin is always at the top left.
    open var isFlipped: Bool { false }
    /// Whether the view is opaque. An override has no effect: opacity is determined from what the view draws.
    open var isOpaque: Bool { false }

    // MARK: subviews

    /// The subviews, from back to front.
    open var subviews: [NSView] {
        get { views.compactMap { $0 as? NSView } }
        set {
            for view in views where !newValue.contains(where: { $0 === view }) { view.detachFromParent() }
            for (index, view) in newValue.enumerated() { insert(view, at: index) }
        }
    }
    /// The superview, or nil if there is none or it is not an `NSView`.
    open var superview: NSView? { parentView as? NSView }
    /// The position of a subview relative to another one.
    public enum OrderingMode: Int, Sendable {
        /// In front of the other view.
        case above = 1
        /// Behind the other view.
        case below = -1
        /// Removed from the superview.
        case out = 0
    }
    /// Adds a view in front of the other subviews and removes it from its old superview. Adding a view to itself or to
    /// its own descendants has no effect.
    open func addSubview(_ view: NSView) { insert(view, at: views.count) }
    /// Adds a subview in front of or behind another one, or removes it.
    /// - Parameters:
    ///   - view: The view.
    ///   - place: The position. `.out` removes the view.
    ///   - otherView: The other subview. Nil, or a view that is not a subview, means all other subviews.
    open func addSubview(_ view: NSView, positioned place: OrderingMode, relativeTo otherView: NSView?) {
        let others = views.filter { $0 !== view }
        let index = others.firstIndex { $0 === otherView }
        switch place {
        case .above: insert(view, at: index.map { $0 + 1 } ?? others.count)
        case .below: insert(view, at: index ?? 0)
        case .out: if view.parentView === self { view.detachFromParent() }
        }
    }
    /// Removes the view from its superview.
    open func removeFromSuperview() { detachFromParent() }
    /// Called after the superview has changed.
    open func viewDidMoveToSuperview() {}
    override func parentViewChanged() { viewDidMoveToSuperview() }
    /// The app's window that contains the view. Nil if there is none or if it is a GTK window that the app did not
    /// create.
    open var window: NSWindow? { outermost.host?.window }
    /// Called after ``window`` has changed, including when a superview was added to a window.
    open func viewDidMoveToWindow() {}
    override func changedWindow() { viewDidMoveToWindow() }

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
    open func layout() {}
    /// Whether `layout()` will be called before the next drawing. Setting true requests it; setting false has no
    /// effect.
    open var needsLayout: Bool {
        get { isLayoutNeeded }
        set { if newValue { setLayoutNeeded() } }
    }
    /// Lays out this view and its descendants now if they need layout.
    open func layoutSubtreeIfNeeded() { layOutNow() }
    /// A property that requests drawing when it is set to true. Always false when it is read.
    open var needsDisplay: Bool {
        get { false }
        set { if newValue { backing.setNeedsDisplay() } }
    }
    /// The controller that manages the view.
    weak var controller: NSViewController?
    override func layOut() {
        controller?.viewWillLayout()
        layout()
        controller?.viewDidLayout()
    }

    /// The value of an intrinsic dimension that a view does not have: −1.
    public static let noIntrinsicMetric: CGFloat = -1
    /// The natural size of the view's content, in points.
    open var intrinsicContentSize: NSSize { NSSize(width: NSView.noIntrinsicMetric, height: NSView.noIntrinsicMetric) }
    /// Reports that `intrinsicContentSize` has changed.
    open func invalidateIntrinsicContentSize() { preferredSizeChanged() }
    override var preferredSize: CGSize { intrinsicContentSize }
    /// Sets the size of the frame, in points.
    open func setFrameSize(_ newSize: NSSize) { frame.size = newSize }
    /// Sets the origin of the frame in the superview, in points.
    open func setFrameOrigin(_ newOrigin: NSPoint) { frame.origin = newOrigin }
}
