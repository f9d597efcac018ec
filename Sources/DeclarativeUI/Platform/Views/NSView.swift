import Foundation
import MediaCore
import Overlays

/// A rectangle with layers, and views in it. AppKit's type, as far as players' views use it: layers, layout,
/// autoresizing.
///
/// Shown by `NSViewRepresentable`. Its space has the origin at the top left whatever `isFlipped` says, as layers have
/// here. Not here: constraints, `draw(_:)` and events (gestures are those of the dialect's views around it). Main
/// actor. `LayeredView` says how it is drawn.
@MainActor @preconcurrency
open class NSView: LayeredView {
    /// Which of a view's distances and sides change with its superview's size.
    public struct AutoresizingMask: OptionSet, Sendable {
        /// One bit a distance or side; AppKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// None: it stays as it is.
        public static let none: AutoresizingMask = []
        /// The distance at the left, the width, and the distance at the right.
        public static let minXMargin = AutoresizingMask(rawValue: 1), width = AutoresizingMask(rawValue: 1 << 1),
            maxXMargin = AutoresizingMask(rawValue: 1 << 2)
        /// The distance at the top, the height, and the distance at the bottom: y grows downwards here.
        public static let minYMargin = AutoresizingMask(rawValue: 1 << 3), height = AutoresizingMask(rawValue: 1 << 4),
            maxYMargin = AutoresizingMask(rawValue: 1 << 5)
    }
    /// When a layer is drawn anew; kept, of no effect.
    public enum LayerContentsRedrawPolicy: Int, Sendable {
        /// By the app only.
        case never = 0
        /// When asked to; while its size changes; before it changes; with a crossfade. All of no effect.
        case onSetNeedsDisplay, duringViewResize, beforeViewResize, crossfade
    }

    /// Makes a view at a place in the view around it, points.
    public init(frame frameRect: NSRect) {
        super.init(later: ())
        if frameRect != .zero { frame = frameRect }
    }
    /// Makes a view without a size.
    public convenience init() { self.init(frame: .zero) }
    /// Nil: there are no archives of views here.
    public required init?(coder: NSCoder) { return nil }

    // MARK: layer

    /// There is a layer for the app to have: it asks for one, or sets its own. All views are drawn by layers.
    open var wantsLayer = false
    /// Nil while the app has not asked for one. An app's own takes the place of the one before, and the view's size.
    open var layer: CALayer? {
        get { wantsLayer || isOwnLayer ? backing : nil }
        set {
            isOwnLayer = newValue != nil
            backing = newValue ?? CALayer()
        }
    }
    private var isOwnLayer = false
    /// The layer it has when the app sets none.
    open func makeBackingLayer() -> CALayer { CALayer() }
    override func makeLayer() -> CALayer { makeBackingLayer() }
    /// Kept, of no effect: layers are drawn when they have changed.
    open var layerContentsRedrawPolicy = LayerContentsRedrawPolicy.duringViewResize

    /// 0…1, clamped.
    open var alphaValue: CGFloat {
        get { CGFloat(backing.opacity) }
        set { backing.opacity = Float(newValue) }
    }
    /// Cuts off what of its layers and views lies outside its bounds.
    open var clipsToBounds: Bool {
        get { backing.masksToBounds }
        set { backing.masksToBounds = newValue }
    }
    /// Always false by default, and of no effect: the origin is at the top left.
    open var isFlipped: Bool { false }
    /// Always false by default, and of no effect: what is opaque is seen from what is drawn.
    open var isOpaque: Bool { false }

    // MARK: views

    /// From the bottom to the top.
    open var subviews: [NSView] {
        get { views.compactMap { $0 as? NSView } }
        set {
            for view in views where !newValue.contains(where: { $0 === view }) { view.leave() }
            for (index, view) in newValue.enumerated() { insert(view, at: index) }
        }
    }
    /// The view around it; nil while there is none, or none of AppKit's kind.
    open var superview: NSView? { outer as? NSView }
    /// Where among its siblings a view goes.
    public enum OrderingMode: Int, Sendable {
        /// In front of the other one.
        case above = 1
        /// Behind the other one.
        case below = -1
        /// Out of the view.
        case out = 0
    }
    /// Puts a view in front of the others; it leaves where it was. One that this view stands in is refused.
    open func addSubview(_ view: NSView) { insert(view, at: views.count) }
    /// - Parameter otherView: nil stands for all of them. `.out` takes it away.
    open func addSubview(_ view: NSView, positioned place: OrderingMode, relativeTo otherView: NSView?) {
        let others = views.filter { $0 !== view }
        let index = others.firstIndex { $0 === otherView }
        switch place {
        case .above: insert(view, at: index.map { $0 + 1 } ?? others.count)
        case .below: insert(view, at: index ?? 0)
        case .out: if view.outer === self { view.leave() }
        }
    }
    /// Leaves the view around it.
    open func removeFromSuperview() { leave() }
    /// It has another superview, or none.
    open func viewDidMoveToSuperview() {}
    override func moved() { viewDidMoveToSuperview() }
    /// The window of the app that it is shown in; nil while it is in none, or in one of GTK's that is not the app's.
    open var window: NSWindow? { outermost.host?.window }
    /// ``window`` is another one, or none. Called for views that came into the window with the view around them, too.
    open func viewDidMoveToWindow() {}
    override func changedWindow() { viewDidMoveToWindow() }

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
    open func layout() {}
    /// Whether `layout()` will be called before it is drawn next; true asks for it, false does nothing.
    open var needsLayout: Bool {
        get { isLayoutNeeded }
        set { if newValue { setLayoutNeeded() } }
    }
    /// Calls `layout()` now, where it is needed, here and in the views below.
    open func layoutSubtreeIfNeeded() { layOutNow() }
    /// True has it drawn again.
    open var needsDisplay: Bool {
        get { false }
        set { if newValue { backing.setNeedsDisplay() } }
    }
    /// The controller whose view it is.
    weak var controller: NSViewController?
    override func layOut() {
        controller?.viewWillLayout()
        layout()
        controller?.viewDidLayout()
    }

    /// −1: the view has no such size of its own.
    public static let noIntrinsicMetric: CGFloat = -1
    /// The size it has where it may choose, points.
    open var intrinsicContentSize: NSSize { NSSize(width: NSView.noIntrinsicMetric, height: NSView.noIntrinsicMetric) }
    /// Tells that `intrinsicContentSize` is another one.
    open func invalidateIntrinsicContentSize() { likesOther() }
    override var likes: CGSize { intrinsicContentSize }
    /// Sets the size in the view around it, points.
    open func setFrameSize(_ newSize: NSSize) { frame.size = newSize }
    /// Sets the place in the view around it, points.
    open func setFrameOrigin(_ newOrigin: NSPoint) { frame.origin = newOrigin }
}
