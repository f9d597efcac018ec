import Foundation
@_spi(Graph) import ViewGraph

/// The look of a source of a zoom transition. Matches SwiftUI's `MatchedTransitionSourceConfiguration`; only the types
/// of this module are supported.
public protocol MatchedTransitionSourceConfiguration: Sendable {
    /// The look in the form that transitions use. Not intended for apps.
    var _look: _MatchedTransitionSourceLook { get }
}
/// The look of a source in the form that transitions use. Not intended for apps.
public struct _MatchedTransitionSourceLook: Sendable {
    var background: Color?
    var cornerSize = CGSize.zero
    var shadow: (color: Color, radius: CGFloat, offset: CGSize)?
}
/// The look of a source that is not configured.
public struct EmptyMatchedTransitionSourceConfiguration: MatchedTransitionSourceConfiguration {
    /// Creates the look.
    public init() {}
    public var _look: _MatchedTransitionSourceLook { _MatchedTransitionSourceLook() }
}
private struct ChangedSourceConfiguration: MatchedTransitionSourceConfiguration {
    let _look: _MatchedTransitionSourceLook
}

extension MatchedTransitionSourceConfiguration {
    private func changed(_ change: (inout _MatchedTransitionSourceLook) -> Void)
        -> some MatchedTransitionSourceConfiguration
    { ChangedSourceConfiguration(_look: with(_look, change)) }

    /// Sets the color behind the page while the page is near the source.
    public func background(_ style: Color) -> some MatchedTransitionSourceConfiguration {
        changed { $0.background = style }
    }
    /// Sets the shape of the page at the source. On the way to its full size, the page loses its round corners.
    public func clipShape(_ shape: RoundedRectangle) -> some MatchedTransitionSourceConfiguration {
        changed { $0.cornerSize = shape.cornerSize }
    }
    /// Sets the shadow of the page at the source. On the way to its full size, the page loses its shadow.
    /// - Parameters:
    ///   - color: The color of the shadow.
    ///   - radius: The radius of the blur in points, clamped to 0…250.
    ///   - x: The horizontal offset of the shadow in points, clamped to ±100 000.
    ///   - y: The vertical offset of the shadow in points, clamped to ±100 000.
    public func shadow(
        color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
    ) -> some MatchedTransitionSourceConfiguration {
        changed {
            let offset = CGSize(width: x.within(100_000), height: y.within(100_000))
            $0.shadow = (color, max(0, radius.within(250)), offset)
        }
    }
}

/// The name of a source in a namespace.
struct MatchedSourceKey: Hashable {
    let namespace: Namespace.ID
    let id: AnyHashable
}

private struct MatchedSourceModifier: ElementModifier {
    let key: MatchedSourceKey
    let look: _MatchedTransitionSourceLook
    func makeElement() -> MatchedSourceElement { MatchedSourceElement() }
    func update(_ element: MatchedSourceElement, _ fiber: _Fiber) {
        let environment = fiber.environment
        let resolve: (Color) -> Color.Components = {
            $0.resolved(dark: environment.colorScheme == .dark, accent: environment.tintColor)
        }
        element.key = key
        element.look = look
        element.backgroundColor = look.background.map(resolve)
        element.shadowColor = look.shadow.map { resolve($0.color) }
    }
}

/// An element from whose frame pages zoom.
final class MatchedSourceElement: WrapperElement {
    private struct Member { weak var element: MatchedSourceElement? }
    /// The elements in windows, in the order in which they appeared.
    private static var all: [Member] = []

    fileprivate(set) var key: MatchedSourceKey?
    fileprivate(set) var look = _MatchedTransitionSourceLook()
    fileprivate(set) var backgroundColor: Color.Components?
    fileprivate(set) var shadowColor: Color.Components?

    override func attached(to host: any ElementHost) {
        MatchedSourceElement.all.removeAll { $0.element == nil }
        MatchedSourceElement.all.append(Member(element: self))
    }
    override func detached(from host: any ElementHost) {
        MatchedSourceElement.all.removeAll { $0.element === self || $0.element == nil }
    }

    /// Returns the element with the name `key` that appeared last and has a frame, or nil if there is none.
    static func named(_ key: MatchedSourceKey) -> MatchedSourceElement? {
        all.last { $0.element?.key == key && $0.element?.isPlaced == true }?.element
    }
}

extension View {
    /// Makes this view the source of a zoom: a page with `navigationTransition(.zoom(sourceID:in:))` zooms out of this
    /// view when it is pushed, and back into it when it is removed.
    ///
    /// ```swift
    /// NavigationLink(value: video) {
    ///     Thumbnail(video).matchedTransitionSource(id: video.id, in: namespace)
    /// }
    /// ```
    /// If several views have the same name, the view that appeared last is the source.
    ///
    /// - Parameters:
    ///   - id: The name of the view in the namespace.
    ///   - namespace: A namespace that a `@Namespace` property creates.
    public func matchedTransitionSource<ID: Hashable>(id: ID, in namespace: Namespace.ID) -> some View {
        matchedTransitionSource(id: id, in: namespace) { $0 }
    }
    /// Makes this view the source of a zoom, with a look at the source.
    /// - Parameters:
    ///   - id: The name of the view in the namespace.
    ///   - namespace: A namespace that a `@Namespace` property creates.
    ///   - configuration: A closure that receives a look that is not configured, and returns the look of the page at
    ///     the source.
    public func matchedTransitionSource<ID: Hashable, C: MatchedTransitionSourceConfiguration>(
        id: ID, in namespace: Namespace.ID,
        configuration: (EmptyMatchedTransitionSourceConfiguration) -> C
    ) -> some View {
        elementModifier(
            MatchedSourceModifier(
                key: MatchedSourceKey(namespace: namespace, id: AnyHashable(id)),
                look: configuration(EmptyMatchedTransitionSourceConfiguration())._look))
    }
}
