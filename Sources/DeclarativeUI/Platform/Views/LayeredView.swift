import Foundation
import GTK
import MediaCore
import Overlays
@_spi(Graph) import ViewGraph

/// What `UIView` and `NSView` have in common: a layer, views within it, and a layout of its own.
///
/// A view's layer is a sublayer of the layer of the view that it stands in, as on Apple's platforms; the outermost view
/// draws the whole tree into one GTK widget, with the videos of `AVPlayerLayer`s between what lies below and above
/// them. Points, the origin at the top left, y downwards: on the Mac's views too. Views take no events of their own:
/// gestures are those of the views around it. Main actor.
@MainActor @preconcurrency
open class LayeredView: GtkView {
    /// For `UIView` and `NSView`.
    public override init(later: Void) { super.init(later: ()) }

    // MARK: layer

    private var ownLayer: CALayer?
    /// Made when it is first asked for.
    final var backing: CALayer {
        get {
            if let ownLayer { return ownLayer }
            let fresh = makeLayer()
            ownLayer = fresh
            return fresh
        }
        set {
            guard newValue !== ownLayer else { return }
            let old = ownLayer
            ownLayer = newValue
            guard let old else { return }
            // It takes the old one's place; the layers of the views in it move along.
            (newValue.bounds, newValue.position) = (old.bounds, old.position)
            for view in views { newValue.addSublayer(view.backing) }
            if let content { newValue.addSublayer(content.layer) }
            old.superlayer?.replaceSublayer(old, with: newValue)
            host?.showTree()
            setLayoutNeeded()
        }
    }
    func makeLayer() -> CALayer { CALayer() }

    /// Where it lies in the view around it. In a window the outermost view has the size that it is given.
    open var frame: CGRect {
        get { backing.frame }
        set { sized { backing.frame = newValue } }
    }
    /// Its own space.
    open var bounds: CGRect {
        get { backing.bounds }
        set { sized { backing.bounds = newValue } }
    }
    /// It, with all views in it, is not drawn; its place stays.
    open var isHidden: Bool {
        get { backing.isHidden }
        set { backing.isHidden = newValue }
    }

    private func sized(_ change: () -> Void) {
        let old = bounds.size
        change()
        let new = backing.bounds.size
        guard new != old else { return }
        for view in views where resizesViews { view.follow(old, new) }
        content?.layer.frame = backing.bounds
        setLayoutNeeded()
    }

    // MARK: views within

    /// From the bottom to the top.
    private(set) final var views: [LayeredView] = []
    private(set) weak final var outer: LayeredView?
    /// For `autoresizingMask`: UIKit's bits, which are AppKit's.
    final var resizing: UInt = 0
    final var resizesViews = true

    final func insert(_ view: LayeredView, at index: Int) {
        var above: LayeredView? = self
        while let each = above {
            // A view within itself would never end.
            if each === view { return }
            above = each.outer
        }
        view.leave()
        let index = min(max(0, index), views.count)
        // Among the other views' layers where it is among the views: an app's own layers stay below them.
        if index < views.count {
            backing.insertSublayer(view.backing, below: views[index].backing)
        } else {
            backing.addSublayer(view.backing)
        }
        views.insert(view, at: index)
        view.outer = self
        view.moved()
        view.setLayoutNeeded()
        setLayoutNeeded()
    }
    final func leave() {
        guard let outer else { return }
        outer.views.removeAll { $0 === self }
        backing.removeFromSuperlayer()
        self.outer = nil
        outer.setLayoutNeeded()
        moved()
    }
    /// It has another view around it, or none.
    func moved() {}

    /// The view around it has another size: what may bend takes a share of the difference, by what it has.
    private func follow(_ old: CGSize, _ new: CGSize) {
        guard resizing != 0 else { return }
        func spread(_ start: CGFloat, _ length: CGFloat, _ old: CGFloat, _ new: CGFloat, _ flags: UInt) -> (
            CGFloat, CGFloat
        ) {
            let parts = [start, length, old - start - length]
            let bends = [flags & 1 != 0, flags & 2 != 0, flags & 4 != 0]
            let count = CGFloat(bends.filter { $0 }.count)
            guard count > 0 else { return (start, length) }
            let whole = zip(parts, bends).reduce(0) { $0 + ($1.1 ? $1.0 : 0) }
            let shares = zip(parts, bends).map { part, bends in
                !bends ? part : whole > 0 ? part + (new - old) * part / whole : part + (new - old) / count
            }
            return (shares[0], max(0, shares[1]))
        }
        var rect = frame
        (rect.origin.x, rect.size.width) = spread(rect.minX, rect.width, old.width, new.width, resizing)
        (rect.origin.y, rect.size.height) = spread(rect.minY, rect.height, old.height, new.height, resizing >> 3)
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
        while let outer = view.outer { view = outer }
        return view
    }
    /// Lays out what needs it, here and below.
    final func layOutNow() {
        // One that asks for it each time must not keep everybody.
        var rounds = 0
        while needsLayoutNow, rounds < 4 {
            needsLayoutNow = false
            layOut()
            rounds += 1
        }
        for view in views { view.layOutNow() }
    }
    /// The app's own.
    func layOut() {}
    /// Points; less than 0: none.
    var likes: CGSize { CGSize(width: -1, height: -1) }
    final func likesOther() { outermost.host?.sizeChanged() }

    // MARK: in a window

    private(set) final var host: LayeredViewHost?
    override func makeWidget() -> GTKWidget {
        guard let fresh = LayeredViewHost(self) else { return super.makeWidget() }
        host = fresh
        return fresh.widget
    }
    override var isLayered: Bool { true }
    /// It, with all views in it, is in another window, or in none.
    final func windowChanged() {
        changedWindow()
        for view in views { view.windowChanged() }
    }
    func changedWindow() {}
    /// The element of the dialect's that shows it.
    weak final var enclosing: Element?
    override func enclose(_ element: Element?) { enclosing = element }
    override func setCovered(_ covered: Bool) { host?.isCovered = covered }
    /// GTK has given it a size.
    final func takeSize(_ size: CGSize) {
        if backing.affineTransform().isTranslation {
            if bounds.size != size || frame.origin != .zero { frame = CGRect(origin: .zero, size: size) }
        } else {
            // The frame of what is turned says nothing about its size.
            if bounds.size != size { bounds.size = size }
            backing.position = CGPoint(x: size.width * backing.anchorPoint.x, y: size.height * backing.anchorPoint.y)
        }
        layOutNow()
    }

    // MARK: views of this dialect in it

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
    /// Shows a view in all of it, above its layers; nil shows none any more.
    package final func show(_ view: AnyView?) {
        shownView = view
        mountContent()
    }
    /// Shows the view again, with all that it takes from this one.
    final func mountContent() {
        content?.layer.removeFromSuperlayer()
        content = nil
        guard let view = enclosed(shownView) else { return }
        let layer = HostedLayer()
        let fresh = ViewHost()
        layer.owner = self
        layer.frame = bounds
        // Right above its own layers: the views in it stay in front.
        if let first = views.first {
            backing.insertSublayer(layer, below: first.backing)
        } else {
            backing.addSublayer(layer)
        }
        content = Content(layer, fresh)
        fresh.mount(view, environment: Appearance.environment())
    }
    /// What is shown in place of the view that it was given; nil: nothing.
    func enclosed(_ view: AnyView?) -> AnyView? { view }
}
