import Foundation
import MediaCore

/// An immutable copy of a layer tree with its animations, which can be drawn on any thread.
package final class LayerSnapshot: Sendable {
    let values: LayerValues
    let animations: [AnimationRecord]
    /// The mapping from the host's time to the layer's time, in seconds.
    let timeline: LayerTimeline
    let mask: LayerSnapshot?
    let sublayers: [LayerSnapshot]
    /// Whether this layer, its mask or its sublayers have animations.
    let hasAnimations: Bool

    /// The maximum depth of a tree, because each level uses stack. Deeper layers are not drawn.
    private static let maximumDepth = 200

    package convenience init(_ layer: CALayer) { self.init(layer, LayerTimeline(), 0) }
    private init(_ layer: CALayer, _ outer: LayerTimeline, _ depth: Int) {
        values = layer.values
        animations = layer.attached.compactMap(\.record)
        timeline = outer.appending(
            child:
                LayerTimeline(begin: layer.beginTime, speed: Double(layer.speed), offset: layer.timeOffset))
        let inner = timeline
        let isWithinDepth = depth < LayerSnapshot.maximumDepth
        mask = isWithinDepth ? layer.mask.map { LayerSnapshot($0, inner, depth + 1) } : nil
        sublayers = isWithinDepth ? (layer.sublayers ?? []).map { LayerSnapshot($0, inner, depth + 1) } : []
        hasAnimations = !animations.isEmpty || mask?.hasAnimations == true || sublayers.contains(where: \.hasAnimations)
    }

    /// Copies another snapshot's own content, without its mask and sublayers.
    private init(bodyOf other: LayerSnapshot) {
        values = other.values
        animations = other.animations
        timeline = other.timeline
        mask = nil
        sublayers = []
        hasAnimations = !animations.isEmpty
    }

    /// Divides the tree into parts that give the same result when drawn one after the other, from bottom to top.
    ///
    /// A layer that only groups its sublayers is divided, so that they can be separate bitmaps. The result contains the
    /// transform from each part's superlayer to the device, in points.
    func units(_ parent: CGAffineTransform = .identity) -> [LayerUnit] {
        let m = values.matrix.concatenating(parent)
        guard isGroupOnly, sublayers.count <= LayerUnit.maximumCount, m.isDrawable else {
            return [LayerUnit(snapshot: self, parent: parent)]
        }
        let inner = sublayers.flatMap { $0.units(m) }
        guard inner.count < LayerUnit.maximumCount else { return [LayerUnit(snapshot: self, parent: parent)] }
        return [LayerUnit(snapshot: LayerSnapshot(bodyOf: self), parent: parent)] + inner
    }
    /// Whether the layer only groups its sublayers: no property applies to all of them together, and their order is
    /// fixed.
    private var isGroupOnly: Bool {
        animations.isEmpty && mask == nil && !sublayers.isEmpty && values.opacity == 1 && !values.isHidden
            && !values.masksToBounds
            && !values.castsShadow && values.border.width == 0
            && sublayers.allSatisfy { layer in
                layer.values.zPosition == 0 && !layer.animations.contains { $0.changes("zPosition") }
            }
    }

    /// Calls `body` with all animations in the tree and the timelines of their layers.
    func visit(_ body: (AnimationRecord, LayerTimeline) -> Void) {
        guard hasAnimations else { return }
        for animation in animations { body(animation, timeline) }
        mask?.visit(body)
        for layer in sublayers { layer.visit(body) }
    }

    /// Returns the tree as it is displayed at a time.
    ///
    /// - Parameters:
    ///   - host: The host's time, in seconds.
    ///   - begins: The starts of animations that have no start of their own, by token, in their layers' time.
    package func presented(at host: Double, begins: [UInt64: Double]) -> PresentedLayer {
        var shown = values
        let local = timeline.local(host)
        for animation in animations {
            animation.apply(to: &shown, at: local, begin: animation.timing.begin ?? begins[animation.token] ?? local)
        }
        let layers = sublayers.map { $0.presented(at: host, begins: begins) }
        let isFlat = layers.allSatisfy { $0.values.zPosition == 0 }
        let sorted =
            isFlat
            ? layers
            : layers.enumerated()
                .sorted { ($0.element.values.zPosition, $0.offset) < ($1.element.values.zPosition, $1.offset) }.map(
                    \.element)
        return PresentedLayer(
            values: shown, mask: mask.map { [$0.presented(at: host, begins: begins)] } ?? [], sublayers: sorted)
    }
}

/// A part of a layer tree that is drawn independently.
struct LayerUnit: Sendable {
    let snapshot: LayerSnapshot
    let parent: CGAffineTransform
    /// The maximum number of parts. More bitmaps cost more than drawing the pixels between them.
    static let maximumCount = 32
}

/// A layer tree as it is displayed at one moment.
package struct PresentedLayer {
    package var values: LayerValues
    /// The mask, as an array of one element or none.
    package var mask: [PresentedLayer]
    /// The sublayers, from bottom to top.
    package var sublayers: [PresentedLayer]

    var isSeen: Bool { !values.isHidden && values.opacity > 0 }
}
