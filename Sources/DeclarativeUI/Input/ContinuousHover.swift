import Foundation
@_spi(Graph) import ViewGraph

/// The position of the pointer over a view, or the end of the hover. Modeled on SwiftUI's type.
@frozen public enum HoverPhase: Equatable, Sendable {
    /// The pointer is over the view, at a position in the requested coordinate space, in points.
    case active(CGPoint)
    /// The pointer has left the view.
    case ended
}

extension View {
    /// Calls `action` with each position of the pointer over this view, and when the pointer leaves or the view is
    /// removed.
    ///
    /// ```swift
    /// .onContinuousHover { phase in
    ///     switch phase {
    ///     case .active(let point): position = point
    ///     case .ended: position = nil
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - coordinateSpace: The space of the reported positions.
    ///   - action: The closure to call. Runs on the main actor.
    public func onContinuousHover(
        coordinateSpace: some CoordinateSpaceProtocol = .local,
        perform action: @escaping @MainActor (HoverPhase) -> Void
    ) -> some View {
        onContinuousHover(coordinateSpace: coordinateSpace.coordinateSpace, perform: action)
    }
    /// Calls `action` with each position of the pointer over this view, and when the pointer leaves. This is an older
    /// form, with a `CoordinateSpace`.
    @_disfavoredOverload public func onContinuousHover(
        coordinateSpace: CoordinateSpace, perform action: @escaping @MainActor (HoverPhase) -> Void
    ) -> some View {
        elementModifier(ContinuousHoverModifier(space: coordinateSpace, action: action))
    }
}

struct ContinuousHoverModifier: ElementModifier {
    let space: CoordinateSpace
    let action: @MainActor (HoverPhase) -> Void
    func makeElement() -> ContinuousHoverElement { ContinuousHoverElement() }
    func update(_ element: ContinuousHoverElement, _ fiber: _Fiber) {
        element.space = space
        element.action = action
    }
}

/// An element that reports the pointer's positions over its content.
final class ContinuousHoverElement: PointerElement {
    var space = CoordinateSpace.local
    var action: @MainActor (HoverPhase) -> Void = { _ in }
    private var last: CGPoint?

    override func moved(_ point: CGPoint?) {
        guard let own = point.flatMap(hit) else {
            if last != nil { action(.ended) }
            last = nil
            return
        }
        guard own != last else { return }
        last = own
        action(.active(self.point(own, in: space)))
    }
}
