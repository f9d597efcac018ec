import Foundation
import MediaCore

/// A tree of layers with its animations, as it was at one moment. Immutable: what is drawn from, on any thread.
package final class LayerSnapshot: Sendable {
    let values: LayerValues
    let animations: [AnimationRecord]
    /// From the host's seconds to the layer's.
    let timeline: LayerTimeline
    let mask: LayerSnapshot?
    let sublayers: [LayerSnapshot]
    /// Here or below.
    let hasAnimations: Bool

    /// Deeper layers are not drawn: each level costs stack.
    private static let deepest = 200

    package convenience init(_ layer: CALayer) { self.init(layer, LayerTimeline(), 0) }
    private init(_ layer: CALayer, _ outer: LayerTimeline, _ depth: Int) {
        values = layer.values
        animations = layer.attached.compactMap(\.record)
        timeline = outer.then(
            LayerTimeline(begin: layer.beginTime, speed: Double(layer.speed), offset: layer.timeOffset))
        let inner = timeline
        let goesOn = depth < LayerSnapshot.deepest
        mask = goesOn ? layer.mask.map { LayerSnapshot($0, inner, depth + 1) } : nil
        sublayers = goesOn ? (layer.sublayers ?? []).map { LayerSnapshot($0, inner, depth + 1) } : []
        hasAnimations = !animations.isEmpty || mask?.hasAnimations == true || sublayers.contains(where: \.hasAnimations)
    }

    /// Another's own content, without its sublayers.
    private init(bodyOf other: LayerSnapshot) {
        values = other.values
        animations = other.animations
        timeline = other.timeline
        mask = nil
        sublayers = []
        hasAnimations = !animations.isEmpty
    }

    /// What can be drawn one after the other with the same result, from the bottom to the top, with the way from the
    /// unit's superlayer to the device in points: a layer that only holds others is not one picture with them.
    func units(_ parent: CGAffineTransform = .identity) -> [LayerUnit] {
        let m = values.matrix.concatenating(parent)
        guard isMereHolder, sublayers.count <= LayerUnit.most, m.isInvertible else {
            return [LayerUnit(snapshot: self, parent: parent)]
        }
        let inner = sublayers.flatMap { $0.units(m) }
        guard inner.count < LayerUnit.most else { return [LayerUnit(snapshot: self, parent: parent)] }
        return [LayerUnit(snapshot: LayerSnapshot(bodyOf: self), parent: parent)] + inner
    }
    /// Nothing about it holds for its sublayers together, and their order stays.
    private var isMereHolder: Bool {
        animations.isEmpty && mask == nil && !sublayers.isEmpty && values.opacity == 1 && !values.isHidden
            && !values.masksToBounds
            && !values.throwsShadow && values.border.width == 0
            && sublayers.allSatisfy { layer in
                layer.values.zPosition == 0 && !layer.animations.contains { $0.changes("zPosition") }
            }
    }

    /// All animations, with the time of their layers.
    func visit(_ body: (AnimationRecord, LayerTimeline) -> Void) {
        guard hasAnimations else { return }
        for animation in animations { body(animation, timeline) }
        mask?.visit(body)
        for layer in sublayers { layer.visit(body) }
    }

    /// What is seen at a time.
    /// - Parameters:
    ///   - host: seconds. - begins: of animations that do not say it themselves, in their layer's time.
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

/// A part of a layer tree that is drawn by itself.
struct LayerUnit: Sendable {
    let snapshot: LayerSnapshot
    let parent: CGAffineTransform
    /// More bitmaps than these cost more than the pixels between them.
    static let most = 32
}

/// Layers as they are seen at one moment.
package struct PresentedLayer {
    package var values: LayerValues
    /// One or none.
    package var mask: [PresentedLayer]
    /// From the bottom to the top.
    package var sublayers: [PresentedLayer]

    var isSeen: Bool { !values.isHidden && values.opacity > 0 }
}
