import Filters
import Foundation
import MediaCore

/// A rectangle with content over the picture, and layers within it. Core Animation's type.
///
/// Points, the origin at the top left, y downwards. Not isolated to an actor, and not `Sendable`: a layer belongs to
/// who made it, which for the layers of a video is the main actor. A change of a layer that is shown appears with
/// the next turn of the main loop, at once: there are no implicit animations (`CATransaction`). A number that is not
/// finite changes nothing.
open class CALayer {
    package private(set) var values = LayerValues()
    private(set) var attached: [AttachedAnimation] = []
    /// Grows with every change in this layer or below it.
    private(set) var treeRevision: UInt64 = 0
    /// Told of every such change.
    var observers: [ObjectIdentifier: () -> Void] = [:]

    /// Empty, with bounds of no size at the origin, its anchor in the middle.
    public init() {}

    /// All changes end here: what shows the tree is told.
    final func change(_ body: (inout LayerValues) -> Void) {
        body(&values)
        markChanged()
    }
    final func changeAnimations(_ body: (inout [AttachedAnimation]) -> Void) {
        body(&attached)
        markChanged()
    }
    /// An animation that is over has no effect any more: nothing is to be drawn for its removal.
    final func forget(_ token: UInt64) { attached.removeAll { $0.token == token } }

    /// Marks it as changed; changes of its properties do so by themselves.
    open func setNeedsDisplay() { markChanged() }
    private func markChanged() {
        var layer: CALayer? = self
        while let each = layer {
            each.treeRevision &+= 1
            for observer in each.observers.values { observer() }
            layer = each.owner
        }
    }

    // MARK: Geometry

    /// Where it is in its superlayer: around its transformed bounds. Setting it sets `bounds` and `position`.
    open var frame: CGRect {
        get {
            let m = values.matrix
            return m.isFinite ? values.bounds.applying(m) : .zero
        }
        set {
            guard newValue.isFinite, !newValue.isNull else { return }
            let rect = newValue.standardized
            change { v in
                let t = v.transform.shown.affine
                let linear = CGAffineTransform(a: t.a, b: t.b, c: t.c, d: t.d, tx: 0, ty: 0)
                v.bounds.size =
                    linear.isIdentity || !linear.isInvertible
                    ? rect.size
                    : CGRect(origin: .zero, size: rect.size).applying(linear.inverted()).size
                let now = v.bounds.applying(v.matrix)
                v.position.x += rect.minX - now.minX
                v.position.y += rect.minY - now.minY
            }
        }
    }
    /// Its own space: the size, and which point of it lies at the top left.
    open var bounds: CGRect {
        get { values.bounds }
        set { if newValue.isFinite, !newValue.isNull { change { $0.bounds = newValue.standardized } } }
    }
    /// Where `anchorPoint` is in the superlayer.
    open var position: CGPoint {
        get { values.position }
        set { if newValue.isFinite { change { $0.position = newValue } } }
    }
    /// The point of the bounds that `position` places and around which it is transformed; 0…1 in both directions.
    open var anchorPoint: CGPoint {
        get { values.anchorPoint }
        set { if newValue.isFinite { change { $0.anchorPoint = newValue } } }
    }
    /// Around the anchor point. Its affine part is drawn.
    open var transform: CATransform3D {
        get { values.transform.whole }
        set { if newValue.isFinite { change { $0.transform.whole = newValue } } }
    }
    /// The part of `transform` in the plane, which is drawn.
    public final func affineTransform() -> CGAffineTransform { values.transform.whole.affine }
    /// Sets `transform`; with a number that is not finite it stays as it was.
    public final func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3D(m) }
    /// Sublayers with a higher one lie on top; equal ones lie in their order.
    open var zPosition: CGFloat {
        get { values.zPosition }
        set { if newValue.isFinite { change { $0.zPosition = newValue } } }
    }

    // MARK: Look

    /// 0…1, clamped; of the layer and its sublayers together.
    open var opacity: Float {
        get { Float(values.opacity) }
        set { if !newValue.isNaN { change { $0.opacity = CGFloat(min(max(newValue, 0), 1)) } } }
    }
    /// Neither it nor its sublayers are drawn, nor hit; false at first.
    open var isHidden: Bool {
        get { values.isHidden }
        set { change { $0.isHidden = newValue } }
    }
    /// Fills the bounds below all else of the layer; nil, as at first, fills nothing.
    open var backgroundColor: CGColor? {
        get { values.backgroundColor }
        set { change { $0.backgroundColor = newValue } }
    }
    /// Of background and border, and of what is cut off when `masksToBounds`; points.
    open var cornerRadius: CGFloat {
        get { values.cornerRadius }
        set { if newValue.isFinite { change { $0.cornerRadius = max(0, newValue) } } }
    }
    /// Drawn inside the bounds, above all else of the layer; points.
    open var borderWidth: CGFloat {
        get { values.border.width }
        set { if newValue.isFinite { change { $0.border.width = max(0, newValue) } } }
    }
    /// Black at first; nil draws no border.
    open var borderColor: CGColor? {
        get { values.border.color }
        set { change { $0.border.color = newValue } }
    }
    /// Cuts off what lies outside the bounds, the shadow too.
    open var masksToBounds: Bool {
        get { values.masksToBounds }
        set { change { $0.masksToBounds = newValue } }
    }
    /// A picture: a `CIImage` that holds pixels (`CIImage` recipes are not carried out here). Anything else shows
    /// nothing.
    open var contents: Any? {
        get { values.contents.image.map(CIImage.init) }
        set { change { $0.contents.image = (newValue as? CIImage)?.bitmap } }
    }
    /// How `contents` lies in the bounds; `.resize` at first.
    open var contentsGravity: CALayerContentsGravity {
        get { values.contents.gravity }
        set { change { $0.contents.gravity = newValue } }
    }
    /// Kept, without effect: layers are always drawn at the resolution of the display.
    open var contentsScale: CGFloat = 1

    /// Black at first; nil draws no shadow.
    open var shadowColor: CGColor? {
        get { values.shadow.color }
        set { change { $0.shadow.color = newValue } }
    }
    /// 0…1, clamped. 0: no shadow.
    open var shadowOpacity: Float {
        get { Float(values.shadow.opacity) }
        set { if !newValue.isNaN { change { $0.shadow.opacity = CGFloat(min(max(newValue, 0), 1)) } } }
    }
    /// Where the shadow lies from what throws it, in the layer's space; points. (0, −3) at first, which is upwards.
    open var shadowOffset: CGSize {
        get { values.shadow.offset }
        set { if newValue.isFinite { change { $0.shadow.offset = newValue } } }
    }
    /// The standard deviation of the blur; points.
    open var shadowRadius: CGFloat {
        get { values.shadow.radius }
        set { if newValue.isFinite { change { $0.shadow.radius = max(0, newValue) } } }
    }
    /// What throws the shadow instead of the layer itself.
    open var shadowPath: CGPath? {
        get { values.shadow.path.map { CGPath(data: $0) } }
        set { change { $0.shadow.path = newValue?.data } }
    }

    // MARK: Time

    /// Its own time is `(superlayer's − beginTime) · speed + timeOffset`; seconds. Animations run in it.
    open var beginTime: Double = 0 {
        didSet { if beginTime.isFinite { markChanged() } else { beginTime = oldValue } }
    }
    /// 0 stands still at `timeOffset`.
    open var speed: Float = 1 {
        didSet { if speed.isFinite { markChanged() } else { speed = oldValue } }
    }
    /// Added to its own time, seconds; see `beginTime`.
    open var timeOffset: Double = 0 {
        didSet { if timeOffset.isFinite { markChanged() } else { timeOffset = oldValue } }
    }
    /// A time of another layer's (nil: `CACurrentMediaTime()`'s) in this one's.
    public final func convertTime(_ t: Double, from layer: CALayer?) -> Double {
        timeline.local(layer.map { $0.timeline.parent(t) } ?? t)
    }
    /// A time of this layer's in another one's (nil: `CACurrentMediaTime()`'s).
    public final func convertTime(_ t: Double, to layer: CALayer?) -> Double {
        let time = timeline.parent(t)
        return layer.map { $0.timeline.local(time) } ?? time
    }
    private var timeline: LayerTimeline {
        let own = LayerTimeline(begin: beginTime, speed: Double(speed), offset: timeOffset)
        return owner.map { $0.timeline.then(own) } ?? own
    }

    // MARK: Tree

    /// What it is called; of no effect.
    open var name: String?
    /// The layer it is within; nil for the outermost and for a mask. Not held.
    public internal(set) weak final var superlayer: CALayer?
    /// The layer that it masks.
    private weak var masked: CALayer?
    private var owner: CALayer? { superlayer ?? masked }
    /// From the bottom to the top.
    open var sublayers: [CALayer]? {
        get { children.isEmpty ? nil : children }
        set {
            for child in children { child.superlayer = nil }
            children = []
            for child in newValue ?? [] { insert(child, at: children.count) }
            markChanged()
        }
    }
    private var children: [CALayer] = []
    /// Only where it is opaque the layer is seen. In the layer's space; it has no superlayer.
    open var mask: CALayer? {
        get { maskLayer }
        set {
            guard newValue !== self, newValue.map({ !self.isWithin($0) }) ?? true else { return }
            maskLayer?.masked = nil
            newValue?.removeFromSuperlayer()
            maskLayer = newValue
            newValue?.masked = self
            markChanged()
        }
    }
    private var maskLayer: CALayer?

    /// Puts it on top of the others, and takes it away from where it was. A layer that this one is within is not taken.
    open func addSublayer(_ layer: CALayer) { insert(layer, at: children.count) }
    /// - Parameter index: clamped to what there is.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) { insert(layer, at: Int(index)) }
    /// Right below a sublayer; below all when that is nil or none of them.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insert(layer, at: children.filter { $0 !== layer }.firstIndex { $0 === sibling } ?? 0)
    }
    /// Right above a sublayer; on top of all when that is nil or none of them.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        let others = children.filter { $0 !== layer }
        insert(layer, at: others.firstIndex { $0 === sibling }.map { $0 + 1 } ?? others.count)
    }
    /// Puts `new` in the place of `old`; nothing happens when `old` is none of its sublayers.
    open func replaceSublayer(_ old: CALayer, with new: CALayer) {
        guard let index = children.firstIndex(where: { $0 === old }), old !== new else { return }
        old.removeFromSuperlayer()
        insert(new, at: index)
    }
    /// Takes it out of its superlayer; nothing happens without one. A mask stays one.
    open func removeFromSuperlayer() {
        guard let parent = superlayer else { return }
        parent.children.removeAll { $0 === self }
        superlayer = nil
        parent.markChanged()
    }
    private func insert(_ layer: CALayer, at index: Int) {
        // A layer within itself would never end.
        guard layer !== self, !isWithin(layer) else { return }
        layer.removeFromSuperlayer()
        children.insert(layer, at: min(max(0, index), children.count))
        layer.superlayer = self
        markChanged()
    }
    private func isWithin(_ other: CALayer) -> Bool {
        var layer: CALayer? = self
        while let each = layer {
            if each === other { return true }
            layer = each.owner
        }
        return false
    }

    // MARK: Places

    /// From its space to that of the outermost layer.
    private var matrixToRoot: CGAffineTransform {
        let own = values.matrix
        return owner.map { own.concatenating($0.matrixToRoot) } ?? own
    }
    /// - Parameter layer: nil stands for what holds the outermost layer.
    open func convert(_ point: CGPoint, to layer: CALayer?) -> CGPoint {
        let outer = point.applying(matrixToRoot)
        return layer.map { outer.applying($0.matrixToRoot.inverted()) } ?? outer
    }
    /// The other way round: from another layer's space (nil: what holds the outermost) to this one's.
    open func convert(_ point: CGPoint, from layer: CALayer?) -> CGPoint {
        let outer = layer.map { point.applying($0.matrixToRoot) } ?? point
        return outer.applying(matrixToRoot.inverted())
    }
    /// The smallest rectangle around the converted one, in another layer's space (nil: what holds the outermost).
    open func convert(_ rect: CGRect, to layer: CALayer?) -> CGRect {
        let outer = rect.applying(matrixToRoot)
        return layer.map { outer.applying($0.matrixToRoot.inverted()) } ?? outer
    }
    /// The smallest rectangle around the converted one, from another layer's space (nil: what holds the outermost).
    open func convert(_ rect: CGRect, from layer: CALayer?) -> CGRect {
        (layer.map { rect.applying($0.matrixToRoot) } ?? rect).applying(matrixToRoot.inverted())
    }
    /// Whether its bounds hold a point of its own space.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }
    /// The topmost layer, itself included, whose bounds hold a point of its superlayer's space.
    open func hitTest(_ p: CGPoint) -> CALayer? {
        guard !isHidden, values.matrix.isInvertible else { return nil }
        let own = p.applying(values.matrix.inverted())
        if masksToBounds, !contains(own) { return nil }
        for child in children.enumerated().sorted(by: {
            ($0.element.zPosition, $0.offset) > ($1.element.zPosition, $1.offset)
        }) {
            if let hit = child.element.hitTest(own) { return hit }
        }
        return contains(own) ? self : nil
    }
}
