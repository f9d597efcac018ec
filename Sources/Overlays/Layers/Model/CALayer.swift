import Filters
import Foundation
import MediaCore

/// A rectangle with content over the frame, and its sublayers. Mirrors Core Animation's type of the same name.
///
/// Coordinates are in points from the top left, with y downward. Layers are neither isolated to an actor nor
/// `Sendable`: a layer belongs to the code that created it. The layers of a video belong to the main actor.
///
/// Changes appear after the next pass of the main loop, without implicit animations (`CATransaction`). Values that are
/// not finite are ignored.
///
/// ```swift
/// let badge = CALayer()
/// badge.frame = CGRect(x: 20, y: 20, width: 80, height: 32)
/// badge.cornerRadius = 8
/// badge.backgroundColor = CGColor(red: 0.8, green: 0, blue: 0, alpha: 1)
/// layer.addSublayer(badge)
/// ```
open class CALayer {
    package private(set) var values = LayerValues()
    private(set) var attached: [AttachedAnimation] = []
    /// A counter that increases with every change in this layer or its sublayers.
    private(set) var treeRevision: UInt64 = 0
    /// Closures that are called at every change in this layer or its sublayers.
    var observers: [ObjectIdentifier: () -> Void] = [:]

    /// A closure that is called after a change of the values, with the old values. Views use it to animate changes.
    package final var valuesDidChange: ((_ old: LayerValues) -> Void)?

    /// Creates an empty layer of zero size at the origin, with its anchor point in the center.
    public init() {}

    /// Changes the values and notifies the observers of the tree. All setters of properties call this method.
    final func change(_ body: (inout LayerValues) -> Void) {
        guard let valuesDidChange else {
            body(&values)
            return markChanged()
        }
        let old = values
        body(&values)
        markChanged()
        valuesDidChange(old)
    }
    /// Sets whether the code that displays the layer blends it with an earlier drawing.
    package final func setBlended(_ isBlended: Bool) {
        change { $0.blended = isBlended ? ObjectIdentifier(self) : nil }
    }
    final func changeAnimations(_ body: (inout [AttachedAnimation]) -> Void) {
        body(&attached)
        markChanged()
    }
    /// Removes an animation that has ended. Such an animation no longer has an effect, so nothing has to be redrawn.
    final func forget(_ token: UInt64) { attached.removeAll { $0.token == token } }

    /// Marks the layer as changed. Changes of properties do this automatically.
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

    /// The smallest rectangle around the transformed bounds, in the superlayer's space. Setting it sets `bounds` and
    /// `position`.
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
                let size = linear.inverse.map { CGRect(origin: .zero, size: rect.size).applying($0).size }
                v.bounds.size = size.flatMap { $0.isFinite ? $0 : nil } ?? rect.size
                let now = v.bounds.applying(v.matrix)
                v.position.x += rect.minX - now.minX
                v.position.y += rect.minY - now.minY
            }
        }
    }
    /// The size of the layer. The origin is the point of the layer's own space that is at its top left.
    open var bounds: CGRect {
        get { values.bounds }
        set { if newValue.isFinite, !newValue.isNull { change { $0.bounds = newValue.standardized } } }
    }
    /// The position of `anchorPoint` in the superlayer.
    open var position: CGPoint {
        get { values.position }
        set { if newValue.isFinite { change { $0.position = newValue } } }
    }
    /// The point of the bounds that `position` refers to and that transforms leave fixed, in fractions of the bounds:
    /// (0, 0) is the top left, (1, 1) the bottom right. The point may be outside the bounds. The default is (0.5, 0.5).
    open var anchorPoint: CGPoint {
        get { values.anchorPoint }
        set { if newValue.isFinite { change { $0.anchorPoint = newValue } } }
    }
    /// The transform about the anchor point. Only its affine part is drawn.
    open var transform: CATransform3D {
        get { values.transform.whole }
        set { if newValue.isFinite { change { $0.transform.whole = newValue } } }
    }
    /// Returns the affine part of `transform`, which is drawn.
    public final func affineTransform() -> CGAffineTransform { values.transform.whole.affine }
    /// Sets `transform` to an affine transform. Ignored if a number is not finite.
    public final func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3D(m) }
    /// The order among the sublayers of a layer. Sublayers with higher values are on top; sublayers with equal values
    /// keep their order.
    open var zPosition: CGFloat {
        get { values.zPosition }
        set { if newValue.isFinite { change { $0.zPosition = newValue } } }
    }

    // MARK: Appearance

    /// The opacity of the layer with its sublayers, 0…1, clamped.
    open var opacity: Float {
        get { Float(values.opacity) }
        set { if !newValue.isNaN { change { $0.opacity = CGFloat(min(max(newValue, 0), 1)) } } }
    }
    /// Whether the layer and its sublayers are neither drawn nor found by `hitTest(_:)`. The default is false.
    open var isHidden: Bool {
        get { values.isHidden }
        set { change { $0.isHidden = newValue } }
    }
    /// The color behind the other content of the layer. Nil, the default, draws none.
    open var backgroundColor: CGColor? {
        get { values.backgroundColor }
        set { change { $0.backgroundColor = newValue } }
    }
    /// The corner radius of the background, the border and the masked bounds, in points. Negative values become 0.
    open var cornerRadius: CGFloat {
        get { values.cornerRadius }
        set { if newValue.isFinite { change { $0.cornerRadius = max(0, newValue) } } }
    }
    /// The width of the border, in points. Negative values become 0. The border is inside the bounds, above the other
    /// content of the layer.
    open var borderWidth: CGFloat {
        get { values.border.width }
        set { if newValue.isFinite { change { $0.border.width = max(0, newValue) } } }
    }
    /// The color of the border. The default is black; nil draws no border.
    open var borderColor: CGColor? {
        get { values.border.color }
        set { change { $0.border.color = newValue } }
    }
    /// Whether everything outside the bounds is cut off, including the shadow.
    open var masksToBounds: Bool {
        get { values.masksToBounds }
        set { change { $0.masksToBounds = newValue } }
    }
    /// The image of the layer: a `CIImage` that holds pixels. For the output of a filter, or for an object of another
    /// type, the layer shows no image.
    open var contents: Any? {
        get { values.contents.image.map(CIImage.init) }
        set { change { $0.contents.image = (newValue as? CIImage)?.bitmap } }
    }
    /// The position and scale of `contents` in the bounds. The default is `.resize`.
    open var contentsGravity: CALayerContentsGravity {
        get { values.contents.gravity }
        set { change { $0.contents.gravity = newValue } }
    }
    /// The scale of `contents`, which has no effect: layers are always drawn in the resolution of the display.
    open var contentsScale: CGFloat = 1

    /// The color of the shadow. The default is black; nil draws no shadow.
    open var shadowColor: CGColor? {
        get { values.shadow.color }
        set { change { $0.shadow.color = newValue } }
    }
    /// The opacity of the shadow, 0…1, clamped. 0 draws no shadow.
    ///
    /// ```swift
    /// layer.shadowOpacity = 0.5
    /// layer.shadowRadius = 4
    /// layer.shadowOffset = CGSize(width: 0, height: 2)
    /// ```
    open var shadowOpacity: Float {
        get { Float(values.shadow.opacity) }
        set { if !newValue.isNaN { change { $0.shadow.opacity = CGFloat(min(max(newValue, 0), 1)) } } }
    }
    /// The offset of the shadow, in the layer's space, in points. The default is (0, −3), which is upward.
    open var shadowOffset: CGSize {
        get { values.shadow.offset }
        set { if newValue.isFinite { change { $0.shadow.offset = newValue } } }
    }
    /// The standard deviation of the shadow's blur, in points. The default is 3. Negative values become 0.
    open var shadowRadius: CGFloat {
        get { values.shadow.radius }
        set { if newValue.isFinite { change { $0.shadow.radius = max(0, newValue) } } }
    }
    /// The outline that casts the shadow, or nil for the layer's own content.
    open var shadowPath: CGPath? {
        get { values.shadow.path.map { CGPath(data: $0) } }
        set { change { $0.shadow.path = newValue?.data } }
    }

    // MARK: Time

    /// The start of the layer's time, in seconds of the superlayer's time.
    ///
    /// The layer's time, in which its animations run, is `(superlayer's time − beginTime) · speed + timeOffset`.
    open var beginTime: Double = 0 {
        didSet { if beginTime.isFinite { markChanged() } else { beginTime = oldValue } }
    }
    /// The speed of the layer's time. 0 stops the time at `timeOffset`.
    open var speed: Float = 1 {
        didSet { if speed.isFinite { markChanged() } else { speed = oldValue } }
    }
    /// The offset of the layer's time, in seconds. See `beginTime`.
    open var timeOffset: Double = 0 {
        didSet { if timeOffset.isFinite { markChanged() } else { timeOffset = oldValue } }
    }
    /// Converts a time of another layer to this layer's time. A nil layer means `CACurrentMediaTime()`.
    public final func convertTime(_ t: Double, from layer: CALayer?) -> Double {
        timeline.local(layer.map { $0.timeline.parent(t) } ?? t)
    }
    /// Converts a time of this layer to another layer's time. A nil layer means `CACurrentMediaTime()`.
    public final func convertTime(_ t: Double, to layer: CALayer?) -> Double {
        let time = timeline.parent(t)
        return layer.map { $0.timeline.local(time) } ?? time
    }
    private var timeline: LayerTimeline {
        let own = LayerTimeline(begin: beginTime, speed: Double(speed), offset: timeOffset)
        return owner.map { $0.timeline.appending(child: own) } ?? own
    }

    // MARK: Layer tree

    /// A name for use by the app, and in messages about problems.
    open var name: String?
    /// The layer that contains this layer, or nil for the outermost layer and for a mask. The reference is weak.
    public internal(set) weak final var superlayer: CALayer?
    /// The layer of which this layer is the mask.
    private weak var masked: CALayer?
    private var owner: CALayer? { superlayer ?? masked }
    /// The layers in this layer, from bottom to top. Nil if there are none.
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
    /// A layer whose alpha masks this layer: only where it is opaque, this layer is visible.
    ///
    /// The mask is in this layer's space and has no superlayer. A layer that contains this layer is ignored. A layer
    /// that is already another layer's mask or sublayer is removed there.
    ///
    /// ```swift
    /// let circle = CAShapeLayer()
    /// circle.path = CGPath(ellipseIn: layer.bounds)
    /// layer.mask = circle
    /// ```
    open var mask: CALayer? {
        get { maskLayer }
        set {
            guard newValue !== self, newValue.map({ !self.isWithin($0) }) ?? true else { return }
            maskLayer?.masked = nil
            newValue?.removeFromOwner()
            maskLayer = newValue
            newValue?.masked = self
            markChanged()
        }
    }
    private var maskLayer: CALayer?

    /// Adds a layer on top, and removes it from its previous superlayer or from the layer that it masks. A layer that
    /// contains this layer is ignored.
    open func addSublayer(_ layer: CALayer) { insert(layer, at: children.count) }
    /// Adds a layer at an index.
    ///
    /// - Parameter index: The position among the sublayers, clamped.
    open func insertSublayer(_ layer: CALayer, at index: UInt32) { insert(layer, at: Int(index)) }
    /// Adds a layer below a sublayer, or below all others if `sibling` is nil or not a sublayer.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insert(layer, at: children.filter { $0 !== layer }.firstIndex { $0 === sibling } ?? 0)
    }
    /// Adds a layer above a sublayer, or on top of all others if `sibling` is nil or not a sublayer.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        let others = children.filter { $0 !== layer }
        insert(layer, at: others.firstIndex { $0 === sibling }.map { $0 + 1 } ?? others.count)
    }
    /// Replaces `old` with `new`. Does nothing if `old` is not a sublayer, or if `new` contains this layer.
    open func replaceSublayer(_ old: CALayer, with new: CALayer) {
        let others = children.filter { $0 !== new }
        guard !isWithin(new), let index = others.firstIndex(where: { $0 === old }) else { return }
        old.removeFromSuperlayer()
        insert(new, at: index)
    }
    /// Removes the layer from its superlayer. Does nothing if there is none; a mask stays a mask.
    open func removeFromSuperlayer() {
        guard let parent = superlayer else { return }
        parent.children.removeAll { $0 === self }
        superlayer = nil
        parent.markChanged()
    }
    /// Removes the layer from the only layer that contains it or that it masks.
    private func removeFromOwner() {
        removeFromSuperlayer()
        masked?.mask = nil
    }
    private func insert(_ layer: CALayer, at index: Int) {
        // A layer inside itself would make an endless loop.
        guard layer !== self, !isWithin(layer) else { return }
        layer.removeFromOwner()
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

    // MARK: Conversion and hit testing

    /// The transform from the layer's space to that of the outermost layer's parent.
    private var matrixToRoot: CGAffineTransform {
        let own = values.matrix
        return owner.map { own.concatenating($0.matrixToRoot) } ?? own
    }
    /// Converts a point from this layer's space to that of another layer.
    ///
    /// - Parameter layer: The other layer. Nil means the space that contains the outermost layer.
    open func convert(_ point: CGPoint, to layer: CALayer?) -> CGPoint {
        let outer = point.applying(matrixToRoot)
        return layer.map { outer.applying($0.matrixToRoot.inverted()) } ?? outer
    }
    /// Converts a point from the space of another layer to this layer's. A nil layer means the space that contains the
    /// outermost layer.
    open func convert(_ point: CGPoint, from layer: CALayer?) -> CGPoint {
        let outer = layer.map { point.applying($0.matrixToRoot) } ?? point
        return outer.applying(matrixToRoot.inverted())
    }
    /// Converts a rectangle to the space of another layer and returns the smallest rectangle around the result. A nil
    /// layer means the space that contains the outermost layer.
    open func convert(_ rect: CGRect, to layer: CALayer?) -> CGRect {
        let outer = rect.applying(matrixToRoot)
        return layer.map { outer.applying($0.matrixToRoot.inverted()) } ?? outer
    }
    /// Converts a rectangle from the space of another layer and returns the smallest rectangle around the result. A nil
    /// layer means the space that contains the outermost layer.
    open func convert(_ rect: CGRect, from layer: CALayer?) -> CGRect {
        (layer.map { rect.applying($0.matrixToRoot) } ?? rect).applying(matrixToRoot.inverted())
    }
    /// Returns whether the bounds contain a point of this layer's space.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }
    /// Returns the topmost layer, this one included, whose bounds contain a point of the superlayer's space. Returns
    /// nil if there is none.
    open func hitTest(_ p: CGPoint) -> CALayer? {
        guard !isHidden, let inverse = values.matrix.inverse else { return nil }
        let own = p.applying(inverse)
        if masksToBounds, !contains(own) { return nil }
        for child in children.enumerated().sorted(by: {
            ($0.element.zPosition, $0.offset) > ($1.element.zPosition, $1.offset)
        }) {
            if let hit = child.element.hitTest(own) { return hit }
        }
        return contains(own) ? self : nil
    }
}
