import Composition
import Foundation
import MediaCore

/// A rectangle with layers, and views in it. AppKit's type, as far as players' views use it: layers, layout,
/// autoresizing.
///
/// Shown by `NSViewRepresentable`. Its space has the origin at the top left whatever `isFlipped` says, as layers have
/// here. Not here: constraints, `draw(_:)` and events (gestures are those of the dialect's views around it). Main
/// actor. `LayeredView` says how it is drawn.
@MainActor @preconcurrency
open class NSView: LayeredView {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let none: AutoresizingMask = []
        public static let minXMargin = AutoresizingMask(rawValue: 1), width = AutoresizingMask(rawValue: 1 << 1),
            maxXMargin = AutoresizingMask(rawValue: 1 << 2)
        public static let minYMargin = AutoresizingMask(rawValue: 1 << 3), height = AutoresizingMask(rawValue: 1 << 4),
            maxYMargin = AutoresizingMask(rawValue: 1 << 5)
    }
    public enum LayerContentsRedrawPolicy: Int, Sendable {
        case never = 0
        case onSetNeedsDisplay, duringViewResize, beforeViewResize, crossfade
    }

    public init(frame frameRect: NSRect) {
        super.init(later: ())
        if frameRect != .zero { frame = frameRect }
    }
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
    open var isFlipped: Bool { false }
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
    open var superview: NSView? { outer as? NSView }
    public enum OrderingMode: Int, Sendable {
        case above = 1
        case below = -1
        case out = 0
    }
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
    open var autoresizesSubviews: Bool {
        get { resizesViews }
        set { resizesViews = newValue }
    }
    /// Places layers and views in its bounds: called before it is drawn, when its size is another one or it was asked
    /// to.
    open func layout() {}
    open var needsLayout: Bool {
        get { isLayoutNeeded }
        set { if newValue { setLayoutNeeded() } }
    }
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

    public static let noIntrinsicMetric: CGFloat = -1
    /// The size it has where it may choose, points.
    open var intrinsicContentSize: NSSize { NSSize(width: NSView.noIntrinsicMetric, height: NSView.noIntrinsicMetric) }
    open func invalidateIntrinsicContentSize() { likesOther() }
    override var likes: CGSize { intrinsicContentSize }
    open func setFrameSize(_ newSize: NSSize) { frame.size = newSize }
    open func setFrameOrigin(_ newOrigin: NSPoint) { frame.origin = newOrigin }
}
