import Foundation
import GTK
import MediaCore
import Overlays
@_spi(Graph) import ViewGraph

/// The common base of `UIView` and `NSView`: a layer, subviews, and a layout.
///
/// A view's layer is a sublayer of its superview's layer, as on Apple's platforms. The outermost view draws the whole
/// tree into one GTK widget. The videos of `AVPlayerLayer` are drawn between the layers below and above them.
///
/// Coordinates are in points, with the origin at the top left and y downward, in `NSView` too. Views receive no events.
/// Use the gesture recognizers of `UIView`, or gestures of the declarative views around the view.
@MainActor @preconcurrency
open class LayeredView: GtkView {
    /// Creates a view whose widget is created on first use, for `UIView` and `NSView`.
    public override init(later: Void) { super.init(later: ()) }

    // MARK: layer

    private var ownLayer: CALayer?
    /// The view's layer, created on first use.
    final var backing: CALayer {
        get {
            if let ownLayer { return ownLayer }
            let newLayer = makeLayer()
            ownLayer = newLayer
            animateChanges(of: newLayer)
            return newLayer
        }
        set {
            guard newValue !== ownLayer else { return }
            let old = ownLayer
            ownLayer = newValue
            old?.valuesDidChange = nil
            animateChanges(of: newValue)
            guard let old else { return }
            // The new layer gets the geometry of the old one and the layers of the subviews.
            (newValue.bounds, newValue.position) = (old.bounds, old.position)
            for view in views { newValue.addSublayer(view.backing) }
            if let content { newValue.addSublayer(content.layer) }
            old.superlayer?.replaceSublayer(old, with: newValue)
            host?.showTree()
            setLayoutNeeded()
        }
    }
    func makeLayer() -> CALayer { CALayer() }

    /// The rectangle in the superview. In a window, the outermost view gets its size from the window.
    open var frame: CGRect {
        get { backing.frame }
        set { changeSize { backing.frame = newValue } }
    }
    /// The rectangle in the view's own coordinates.
    open var bounds: CGRect {
        get { backing.bounds }
        set { changeSize { backing.bounds = newValue } }
    }
    /// Whether the view and its subviews are hidden. A hidden view keeps its frame.
    open var isHidden: Bool {
        get { backing.isHidden }
        set { backing.isHidden = newValue }
    }

    private func changeSize(_ change: () -> Void) {
        let old = bounds.size
        change()
        let new = backing.bounds.size
        guard new != old else { return }
        for view in views where resizesViews { view.resize(old, new) }
        content?.layer.frame = backing.bounds
        setLayoutNeeded()
    }

    // MARK: subviews

    /// The subviews, from back to front.
    private(set) final var views: [LayeredView] = []
    private(set) weak final var parentView: LayeredView?
    /// The bits of `autoresizingMask`, which are the same in UIKit and AppKit.
    final var resizing: UInt = 0
    final var resizesViews = true

    final func insert(_ view: LayeredView, at index: Int) {
        var above: LayeredView? = self
        while let ancestor = above {
            // A view can't be inside itself.
            if ancestor === view { return }
            above = ancestor.parentView
        }
        let (parent, window) = (view.parentView, view.shownWindow)
        view.unlink()
        let index = min(max(0, index), views.count)
        // The layers have the same order as the views. Layers that the app has added stay behind them.
        if index < views.count {
            backing.insertSublayer(view.backing, below: views[index].backing)
        } else {
            backing.addSublayer(view.backing)
        }
        views.insert(view, at: index)
        view.parentView = self
        view.setLayoutNeeded()
        setLayoutNeeded()
        view.didMove(from: parent, window)
    }
    final func detachFromParent() {
        guard let parent = parentView else { return }
        let window = shownWindow
        unlink()
        didMove(from: parent, window)
    }
    private func unlink() {
        guard let parentView else { return }
        parentView.views.removeAll { $0 === self }
        backing.removeFromSuperlayer()
        self.parentView = nil
        parentView.setLayoutNeeded()
    }
    private func didMove(from parent: LayeredView?, _ window: GTKWindow?) {
        if parent !== parentView { parentViewChanged() }
        if window != shownWindow { windowChanged() }
    }
    /// The window that contains the view, or nil.
    final var shownWindow: GTKWindow? { outermost.host?.widget.window }
    /// Called after the superview has changed.
    func parentViewChanged() {}

    /// Resizes the view after its superview has changed size, by the bits in `resizing`.
    ///
    /// The flexible parts share the difference in proportion to their lengths.
    private func resize(_ old: CGSize, _ new: CGSize) {
        guard resizing != 0 else { return }
        func resized(_ start: CGFloat, _ length: CGFloat, _ old: CGFloat, _ new: CGFloat, _ flags: UInt) -> (
            CGFloat, CGFloat
        ) {
            let parts = [start, length, old - start - length]
            let flexibleParts = [flags & 1 != 0, flags & 2 != 0, flags & 4 != 0]
            let count = CGFloat(flexibleParts.filter { $0 }.count)
            guard count > 0 else { return (start, length) }
            let flexibleLength = zip(parts, flexibleParts).reduce(0) { $0 + ($1.1 ? $1.0 : 0) }
            let shares = zip(parts, flexibleParts).map { part, isFlexible in
                !isFlexible
                    ? part
                    : flexibleLength > 0 ? part + (new - old) * part / flexibleLength : part + (new - old) / count
            }
            return (shares[0], max(0, shares[1]))
        }
        var rect = frame
        (rect.origin.x, rect.size.width) = resized(rect.minX, rect.width, old.width, new.width, resizing)
        (rect.origin.y, rect.size.height) = resized(rect.minY, rect.height, old.height, new.height, resizing >> 3)
        frame = rect
    }

    // MARK: layout

    private var needsLayoutNow = true
    final var isLayoutNeeded: Bool { needsLayoutNow }
    final func setLayoutNeeded() {
        needsLayoutNow = true
        outermost.host?.treeChanged()
    }
    final var outermost: LayeredView {
        var view = self
        while let outer = view.parentView { view = outer }
        return view
    }
    /// Lays out this view and its subviews where needed.
    final func layOutNow() {
        // A view that requests layout in every layout must not block the main loop.
        var rounds = 0
        while needsLayoutNow, rounds < 4 {
            needsLayoutNow = false
            layOut()
            rounds += 1
        }
        for view in views { view.layOutNow() }
    }
    /// Runs the layout of the app. Overridden by `UIView` and `NSView`.
    func layOut() {}
    /// The preferred size in points. A negative number means no preference.
    var preferredSize: CGSize { CGSize(width: -1, height: -1) }
    final func preferredSizeChanged() { outermost.host?.sizeChanged() }

    // MARK: in a window

    private(set) final var host: LayeredViewHost?
    override func makeWidget() -> GTKWidget {
        guard let newHost = LayeredViewHost(self) else { return super.makeWidget() }
        host = newHost
        return newHost.widget
    }
    override var isLayered: Bool { true }
    /// Notifies this view and all subviews that their window has changed.
    final func windowChanged() {
        changedWindow()
        for view in views { view.windowChanged() }
    }
    func changedWindow() {}
    /// The element of the declarative views that shows this view.
    weak final var enclosing: Element?
    override func enclose(_ element: Element?) { enclosing = element }
    override func setCovered(_ covered: Bool) { host?.isCovered = covered }
    /// Applies the size that GTK has allocated.
    final func takeSize(_ size: CGSize) {
        if backing.affineTransform().isTranslation {
            if bounds.size != size || frame.origin != .zero { frame = CGRect(origin: .zero, size: size) }
        } else {
            // The size of a rotated or scaled layer's frame is not the size of its bounds.
            if bounds.size != size { bounds.size = size }
            backing.position = CGPoint(x: size.width * backing.anchorPoint.x, y: size.height * backing.anchorPoint.y)
        }
        layOutNow()
    }

    // MARK: declarative views

    @MainActor final class Content {
        let layer: HostedLayer
        let host: ViewHost
        init(_ layer: HostedLayer, _ host: ViewHost) {
            self.layer = layer
            self.host = host
        }
        isolated deinit { host.close() }
    }
    private(set) final var content: Content?
    private final var shownView: AnyView?
    /// Whether the declarative view receives pointer events that none of its controls and gestures handles. If false,
    /// gestures around this view receive them.
    package final var contentTakesPointer = true {
        didSet { content?.host.surface.takesPointer = contentTakesPointer }
    }
    /// Shows a declarative view in the whole area of this view, above its own layers. Nil removes the view.
    package final func show(_ view: AnyView?) {
        shownView = view
        mountContent()
    }
    /// Mounts the declarative view again, with the current result of ``wrappedContent(_:)``.
    final func mountContent() {
        content?.layer.removeFromSuperlayer()
        content = nil
        guard let view = wrappedContent(shownView) else { return }
        let layer = HostedLayer()
        let newHost = ViewHost()
        newHost.surface.takesPointer = contentTakesPointer
        layer.owner = self
        layer.frame = bounds
        animateChanges(of: layer)
        // The layer is directly above the view's own layers, so subviews stay in front.
        if let lowest = views.first {
            backing.insertSublayer(layer, below: lowest.backing)
        } else {
            backing.addSublayer(layer)
        }
        content = Content(layer, newHost)
        newHost.mount(view, environment: Appearance.environment())
    }
    /// Returns the view that is mounted in place of `view`, or nil to mount nothing.
    func wrappedContent(_ view: AnyView?) -> AnyView? { view }
}
