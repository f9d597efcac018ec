import GTK
import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Sets whether the pointer is visible while it is over this view. Modeled on SwiftUI's modifier.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .pointerVisibility(isFullScreen ? .hidden : .automatic)
    /// ```
    /// A control with its own pointer, such as a text field, still shows that pointer.
    ///
    /// - Parameter visibility: `.hidden` hides the pointer whether it moves or rests. `.automatic` and `.visible`
    ///   change nothing.
    public func pointerVisibility(_ visibility: Visibility) -> some View {
        elementModifier(PointerVisibilityModifier(visibility: visibility))
    }
}

struct PointerVisibilityModifier: ElementModifier {
    let visibility: Visibility
    func makeElement() -> PointerVisibilityElement { PointerVisibilityElement() }
    func update(_ element: PointerVisibilityElement, _ fiber: _Fiber) { element.hides = visibility == .hidden }
}

/// An element that hides the pointer while it is over the content.
///
/// The element watches motion on the host's widget, so controls between the host and the content do not block the
/// events.
final class PointerVisibilityElement: WrapperElement {
    var hides = false { didSet { if hides != oldValue { follow() } } }
    private var isOver = false
    private var motion: MotionController?

    /// The elements that request a hidden pointer, by the widget of their host.
    private static var hiding: [GTKWidget: Set<ObjectIdentifier>] = [:]

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        motion = MotionController(container) { [weak self] point in self?.moved(point) }
    }
    override func detached(from host: any ElementHost) {
        motion?.remove()
        (motion, isOver) = (nil, false)
        if let container = host.container { set(container, false) }
    }

    private func moved(_ point: CGPoint?) {
        isOver = point.flatMap(hit) != nil
        follow()
    }

    private func follow() {
        if let container = host?.container { set(container, hides && isOver) }
    }

    /// Adds this element to the elements that hide the pointer over `container`, or removes it.
    ///
    /// The pointer appears only when the last element is removed. In one motion, the pointer can leave one element and
    /// enter another one that hides it.
    private func set(_ container: GTKWidget, _ isHidden: Bool) {
        let identity = ObjectIdentifier(self)
        let hidingBefore = Self.hiding[container] ?? []
        let hidingNow = isHidden ? hidingBefore.union([identity]) : hidingBefore.subtracting([identity])
        guard hidingNow != hidingBefore else { return }
        Self.hiding[container] = hidingNow.isEmpty ? nil : hidingNow
        guard hidingNow.isEmpty != hidingBefore.isEmpty else { return }
        container.setCursor(hidingNow.isEmpty ? nil : "none")
    }
}
