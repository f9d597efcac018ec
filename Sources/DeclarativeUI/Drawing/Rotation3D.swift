import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// The modifier behind `rotation3DEffect`: a rotation in space, seen from the front without perspective.
struct Rotation3D: ElementModifier {
    let angle: Angle
    let axis: (x: CGFloat, y: CGFloat, z: CGFloat)
    let anchor: UnitPoint
    func makeElement() -> Rotation3DElement { Rotation3DElement() }
    func update(_ element: Rotation3DElement, _ fiber: _Fiber) { element.set(self, fiber.graph) }
}

final class Rotation3DElement: WrapperElement, DrawnElement {
    private var axis: (x: Double, y: Double, z: Double) = (0, 0, 1)
    private var anchor = UnitPoint.center
    private var angle: Animated<Double>?

    func set(_ rotation: Rotation3D, _ graph: ViewGraph) {
        let length = hypot(hypot(rotation.axis.x, rotation.axis.y), rotation.axis.z)
        axis =
            length > 0 && length.isFinite
            ? (rotation.axis.x / length, rotation.axis.y / length, rotation.axis.z / length) : (0, 0, 1)
        anchor = rotation.anchor
        let next = rotation.angle.radians.isFinite ? rotation.angle.radians : 0
        if var moving = angle {
            if next != moving.target {
                let animation = graph.transaction.effective
                moving.set(next, animation, now: graph.now())
                angle = moving
                if animation != nil { host?.animate() }
            }
        } else {
            angle = Animated(next)
        }
        host?.needsPlacement()
        setNeedsDisplay()
    }

    override func isAnimatingItself(_ now: Double) -> Bool { angle?.isRunning(now) ?? false }

    /// Returns the upper left part of the rotation matrix. Depth is not visible, so the rest is not needed.
    private func transform(_ size: CGSize, _ now: Double) -> CGAffineTransform {
        let angle = angle?.value(now) ?? 0
        guard angle != 0 else { return .identity }
        let (c, s) = (cos(angle), sin(angle))
        let flat = CGAffineTransform(
            a: c + axis.x * axis.x * (1 - c), b: axis.y * axis.x * (1 - c) + axis.z * s,
            c: axis.x * axis.y * (1 - c) - axis.z * s, d: c + axis.y * axis.y * (1 - c), tx: 0, ty: 0)
        return flat.around(anchor, CGRect(origin: .zero, size: size))
    }

    override func childTransform(_ size: CGSize) -> CGAffineTransform { transform(size, host?.now ?? 0) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        context.transformed(transform(size, context.now)) { drawChildren(context) }
    }
}

extension View {
    /// Rotates this view in space, without perspective: distant parts are not smaller.
    /// - Parameters:
    ///   - axis: The direction of the axis: x to the right, y down, z toward the viewer. If its length is 0 or not
    ///     finite, the axis is z.
    ///   - anchorZ: Has no effect, because depth is not visible.
    ///   - perspective: Has no effect.
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0,
        perspective: CGFloat = 1
    ) -> some View { elementModifier(Rotation3D(angle: angle, axis: axis, anchor: anchor)) }
}
