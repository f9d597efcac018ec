import Foundation
@_spi(Graph) import ViewGraph

/// Where the pointer is over a view. SwiftUI's type.
@frozen public enum HoverPhase: Equatable, Sendable {
    /// A point of the space that was asked for.
    case active(CGPoint)
    /// It has gone.
    case ended
}

extension View {
    /// Called with each place of the pointer while it is over this view, and when it goes. Main actor.
    public func onContinuousHover(
        coordinateSpace: CoordinateSpace = .local, perform action: @escaping @MainActor (HoverPhase) -> Void
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

/// Tells the pointer's places over its content.
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
