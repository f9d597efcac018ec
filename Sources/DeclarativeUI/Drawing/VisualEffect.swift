import Foundation
@_spi(Graph) import ViewGraph

/// A change of a view's look that does not affect its layout. Same API as in SwiftUI: call these methods on the value
/// that the closure of `visualEffect(_:)` receives.
public protocol VisualEffect: Sendable {
    /// The steps of the effect in order. Not for apps.
    var _steps: [@MainActor @Sendable (AnyView) -> AnyView] { get }
}
/// An effect that changes nothing.
public struct EmptyVisualEffect: VisualEffect {
    /// Creates an effect that changes nothing.
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
    /// Sets the opacity, clamped to 0…1.
    public func opacity(_ opacity: Double) -> some VisualEffect { then { $0.opacity(opacity) } }
    /// Draws the view moved by `x` and `y` points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some VisualEffect { then { $0.offset(x: x, y: y) } }
    /// Draws the view at an offset, in points.
    public func offset(_ offset: CGSize) -> some VisualEffect { then { $0.offset(offset) } }
    /// Scales the drawing of the view about `anchor`.
    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some VisualEffect {
        then { $0.scaleEffect(s, anchor: anchor) }
    }
    /// Scales the drawing of the view by `x` and `y` about `anchor`.
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some VisualEffect {
        then { $0.scaleEffect(x: x, y: y, anchor: anchor) }
    }
    /// Rotates the drawing of the view clockwise about `anchor`.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some VisualEffect {
        then { $0.rotationEffect(angle, anchor: anchor) }
    }
    /// Rotates the drawing of the view in space, without perspective.
    /// - Parameters:
    ///   - axis: The direction of the axis: x to the right, y down, z toward the viewer. If its length is 0 or not
    ///     finite, the axis is z.
    ///   - anchorZ: Has no effect.
    ///   - perspective: Has no effect.
    public func rotation3DEffect(
        _ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat), anchor: UnitPoint = .center, anchorZ: CGFloat = 0,
        perspective: CGFloat = 1
    ) -> some VisualEffect { then { $0.rotation3DEffect(angle, axis: axis, anchor: anchor) } }
    /// Blurs the view.
    /// - Parameters:
    ///   - radius: The radius in points, clamped to 0…250.
    ///   - opaque: Has no effect.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some VisualEffect { then { $0.blur(radius: radius) } }
    /// Changes the saturation: 0 is gray, 1 changes nothing.
    public func saturation(_ amount: Double) -> some VisualEffect { then { $0.saturation(amount) } }
    /// Reduces the colors to gray: 0 changes nothing, 1 is gray.
    public func grayscale(_ amount: Double) -> some VisualEffect { then { $0.grayscale(amount) } }
    /// Changes the brightness: −1 is black, 0 changes nothing, 1 is white.
    public func brightness(_ amount: Double) -> some VisualEffect { then { $0.brightness(amount) } }
    /// Changes the contrast: 0 is gray, 1 changes nothing.
    public func contrast(_ amount: Double) -> some VisualEffect { then { $0.contrast(amount) } }
    /// Rotates the hue of all colors by an angle.
    public func hueRotation(_ angle: Angle) -> some VisualEffect { then { $0.hueRotation(angle) } }

    @MainActor fileprivate func apply<V: View>(to view: V) -> AnyView {
        _steps.reduce(AnyView(view)) { $1($0) }
    }
}

@MainActor private final class KnownGeometry {
    var proxy: GeometryProxy?
    nonisolated init() {}
}

private struct PlacementEffect<Content: View, Effect: VisualEffect>: View {
    let content: Content
    let effect: (EmptyVisualEffect, GeometryProxy) -> Effect
    @State private var geometry = KnownGeometry()
    @State private var frame = CGRect.null
    var body: some View {
        let proxy = frame.isNull ? nil : geometry.proxy
        AnyView(content.onGeometryChange(for: CGRect.self, of: globalFrame) { frame = $0 })
            .effect(proxy.map { effect(EmptyVisualEffect(), $0) })
    }
    private func globalFrame(_ proxy: GeometryProxy) -> CGRect {
        geometry.proxy = proxy
        return proxy.frame(in: .global)
    }
}

extension View {
    fileprivate func effect<E: VisualEffect>(_ effect: E?) -> AnyView { effect?.apply(to: self) ?? AnyView(self) }
    /// Applies effects to this view that depend on its size and position. The layout does not change.
    /// - Parameter effect: A closure that returns the effect. Its arguments are an effect that changes nothing, and the
    ///   view's geometry. Called on the main thread after the first layout, and again when the view is updated or its
    ///   frame in the window changes.
    public func visualEffect<E: VisualEffect>(
        _ effect: @escaping (_ content: EmptyVisualEffect, _ proxy: GeometryProxy) -> E
    ) -> some View { PlacementEffect(content: self, effect: effect) }
}

/// The position of a view in the scroll view around it. Same API as in SwiftUI.
public enum ScrollTransitionPhase: Hashable, Sendable {
    /// The phases: near the beginning and mostly hidden, visible, or near the end and mostly hidden.
    case topLeading, identity, bottomTrailing
    /// Whether the view is visible.
    public var isIdentity: Bool { self == .identity }
    /// The phase as a number: −1 at the beginning, 0 while visible, 1 at the end.
    public var value: Double { self == .identity ? 0 : self == .topLeading ? -1 : 1 }

    /// Creates a phase. A view counts as visible if half of it is visible, or if it fills half of the visible area.
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

/// The way in which a view changes while it scrolls in and out. Same API as in SwiftUI.
public struct ScrollTransitionConfiguration: Sendable {
    let animation: Animation?
    /// A change with an animation when half of the view is visible.
    public static let animated = ScrollTransitionConfiguration(animation: .easeInOut(duration: 0.3))
    /// The same as `animated`. Between two phases, the look depends on the animation, not on the scroll offset.
    public static let interactive = ScrollTransitionConfiguration(animation: .easeInOut(duration: 0.3))
    /// No change.
    public static let identity = ScrollTransitionConfiguration(animation: nil)
    /// Returns a change with a given animation when half of the view is visible.
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
        guard let position = proxy.placeInScroll else { return .identity }
        return ScrollTransitionPhase(position.own, seen: position.seen, axis: axis)
    }
}

extension View {
    /// Changes the look of this view while it scrolls in and out.
    ///
    /// ```swift
    /// ScrollView {
    ///     ForEach(titles, id: \.self) { title in
    ///         Text(title).frame(height: 120)
    ///             .scrollTransition { content, phase in content.opacity(phase.isIdentity ? 1 : 0.4) }
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - configuration: The animation of the change.
    ///   - axis: The direction of scrolling. Nil means vertical.
    ///   - transition: A closure that returns the effect for a phase. Called on the main thread, and again when the
    ///     phase changes or the view is updated.
    public func scrollTransition<E: VisualEffect>(
        _ configuration: ScrollTransitionConfiguration = .interactive, axis: Axis? = nil,
        transition: @escaping (_ content: EmptyVisualEffect, _ phase: ScrollTransitionPhase) -> E
    ) -> some View {
        ScrollTransition(content: self, configuration: configuration, axis: axis ?? .vertical, effect: transition)
    }
}
