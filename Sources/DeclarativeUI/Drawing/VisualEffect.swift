import Foundation
@_spi(Graph) import ViewGraph

/// What is done to how a view looks, without its layout. SwiftUI's protocol: begin with the value that a closure is
/// given.
public protocol VisualEffect: Sendable {
    /// Not for apps: what is done, in order.
    var _steps: [@MainActor @Sendable (AnyView) -> AnyView] { get }
}
/// Nothing done yet.
public struct EmptyVisualEffect: VisualEffect {
    /// Makes an effect that does nothing.
    public init() {}
    public var _steps: [@MainActor @Sendable (AnyView) -> AnyView] { [] }
}
private struct LongerEffect: VisualEffect {
    let _steps: [@MainActor @Sendable (AnyView) -> AnyView]
}

extension VisualEffect {
    private func then<V: View>(_ step: @escaping @MainActor @Sendable (AnyView) -> V) -> some VisualEffect {
        LongerEffect(_steps: _steps + [{ AnyView(step($0)) }])
    }
    /// 0 is not seen, 1 is opaque.
    public func opacity(_ opacity: Double) -> some VisualEffect { then { $0.opacity(opacity) } }
    /// Drawn `x` and `y` points away.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some VisualEffect { then { $0.offset(x: x, y: y) } }
    /// Drawn elsewhere, points.
    public func offset(_ offset: CGSize) -> some VisualEffect { then { $0.offset(offset) } }
    /// Drawn larger or smaller.
    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some VisualEffect {
        then { $0.scaleEffect(s, anchor: anchor) }
    }
    /// Drawn wider and higher by factors.
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some VisualEffect {
        then { $0.scaleEffect(x: x, y: y, anchor: anchor) }
    }
    /// Turned clockwise.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some VisualEffect {
        then { $0.rotationEffect(angle, anchor: anchor) }
    }
    /// Turned in space.
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0,
        perspective: CGFloat = 1
    ) -> some VisualEffect { then { $0.rotation3DEffect(angle, axis: axis, anchor: anchor) } }
    /// Blurred. - Parameter radius: Points.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some VisualEffect { then { $0.blur(radius: radius) } }
    /// In stronger or weaker colours.
    public func saturation(_ amount: Double) -> some VisualEffect { then { $0.saturation(amount) } }
    /// With less colour.
    public func grayscale(_ amount: Double) -> some VisualEffect { then { $0.grayscale(amount) } }
    /// With more light.
    public func brightness(_ amount: Double) -> some VisualEffect { then { $0.brightness(amount) } }
    /// With more contrast.
    public func contrast(_ amount: Double) -> some VisualEffect { then { $0.contrast(amount) } }
    /// In other hues.
    public func hueRotation(_ angle: Angle) -> some VisualEffect { then { $0.hueRotation(angle) } }

    @MainActor fileprivate func apply<V: View>(to view: V) -> AnyView {
        _steps.reduce(AnyView(view)) { $1($0) }
    }
}

@MainActor private final class KnownGeometry {
    var proxy: GeometryProxy?
    nonisolated init() {}
}

private struct EffectOfPlace<Content: View, Effect: VisualEffect>: View {
    let content: Content
    let effect: (EmptyVisualEffect, GeometryProxy) -> Effect
    @State private var geometry = KnownGeometry()
    @State private var place = CGRect.null
    var body: some View {
        let proxy = place.isNull ? nil : geometry.proxy
        AnyView(content.onGeometryChange(for: CGRect.self, of: look) { place = $0 })
            .effect(proxy.map { effect(EmptyVisualEffect(), $0) })
    }
    private func look(_ proxy: GeometryProxy) -> CGRect {
        geometry.proxy = proxy
        return proxy.frame(in: .global)
    }
}

extension View {
    fileprivate func effect<E: VisualEffect>(_ effect: E?) -> AnyView { effect?.apply(to: self) ?? AnyView(self) }
    /// Does to this view's looks what a closure says of its size and place; its layout stays.
    public func visualEffect<E: VisualEffect>(
        _ effect: @escaping (_ content: EmptyVisualEffect, _ proxy: GeometryProxy) -> E
    ) -> some View { EffectOfPlace(content: self, effect: effect) }
}

/// Where a view is in what scrolls around it. SwiftUI's type.
public enum ScrollTransitionPhase: Hashable, Sendable {
    /// On its way in at the beginning; seen; on its way out at the end.
    case topLeading, identity, bottomTrailing
    /// It is seen.
    public var isIdentity: Bool { self == .identity }
    /// −1 at the beginning, 0 where it is seen, 1 at the end.
    public var value: Double { self == .identity ? 0 : self == .topLeading ? -1 : 1 }

    /// Seen is what is seen by half, or fills the area.
    init(_ own: CGRect, seen: CGRect, axis: Axis) {
        let (low, high) = axis == .vertical ? (own.minY, own.maxY) : (own.minX, own.maxX)
        let (first, last) = axis == .vertical ? (seen.minY, seen.maxY) : (seen.minX, seen.maxX)
        let shown = min(high, last) - max(low, first)
        if last <= first || high <= low || shown >= min(high - low, last - first) / 2 {
            self = .identity
        } else {
            self = (low + high) / 2 < (first + last) / 2 ? .topLeading : .bottomTrailing
        }
    }
}

/// How a view changes while it scrolls in and out. SwiftUI's type.
public struct ScrollTransitionConfiguration: Sendable {
    let animation: Animation?
    /// It changes when it is half seen, animated.
    public static let animated = ScrollTransitionConfiguration(animation: .easeInOut(duration: 0.3))
    /// The same as `animated`: looks between two phases are those of the animation here.
    public static let interactive = ScrollTransitionConfiguration(animation: .easeInOut(duration: 0.3))
    /// It does not change.
    public static let identity = ScrollTransitionConfiguration(animation: nil)
    /// It changes when it is half seen, by an animation.
    public static func animated(_ animation: Animation) -> ScrollTransitionConfiguration {
        ScrollTransitionConfiguration(animation: animation)
    }
}

private struct ScrollTransition<Content: View, Effect: VisualEffect>: View {
    let content: Content
    let configuration: ScrollTransitionConfiguration
    let axis: Axis
    let effect: (EmptyVisualEffect, ScrollTransitionPhase) -> Effect
    @State private var phase = ScrollTransitionPhase.identity
    var body: some View {
        AnyView(
            content.onGeometryChange(for: ScrollTransitionPhase.self, of: phase) { new in
                guard configuration.animation != nil else { return }
                withAnimation(configuration.animation) { phase = new }
            }
        ).effect(effect(EmptyVisualEffect(), phase))
    }
    private func phase(_ proxy: GeometryProxy) -> ScrollTransitionPhase {
        guard let place = proxy.placeInScroll else { return .identity }
        return ScrollTransitionPhase(place.own, seen: place.seen, axis: axis)
    }
}

extension View {
    /// Changes this view's looks while it scrolls in and out.
    /// - Parameter axis: The direction that counts; nil is down.
    public func scrollTransition<E: VisualEffect>(
        _ configuration: ScrollTransitionConfiguration = .interactive, axis: Axis? = nil,
        transition: @escaping (_ content: EmptyVisualEffect, _ phase: ScrollTransitionPhase) -> E
    ) -> some View {
        ScrollTransition(content: self, configuration: configuration, axis: axis ?? .vertical, effect: transition)
    }
}
