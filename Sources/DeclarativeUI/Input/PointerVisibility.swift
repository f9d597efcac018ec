import GTK
import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Whether the pointer is seen while it is over this view: `.hidden` takes it away, however long it moves or rests
    /// there; `.automatic` and `.visible` leave it as it is. A control with a pointer of its own, as a text field has,
    /// shows that. SwiftUI's modifier.
    public func pointerVisibility(_ visibility: Visibility) -> some View {
        elementModifier(PointerVisibilityModifier(visibility: visibility))
    }
}

struct PointerVisibilityModifier: ElementModifier {
    let visibility: Visibility
    func makeElement() -> PointerVisibilityElement { PointerVisibilityElement() }
    func update(_ element: PointerVisibilityElement, _ fiber: _Fiber) { element.hides = visibility == .hidden }
}

/// Takes the pointer away over its content. The host's own motion is watched, so that controls in between do not hide
/// it.
final class PointerVisibilityElement: WrapperElement {
    var hides = false { didSet { if hides != oldValue { follow() } } }
    private var isOver = false
    private var motion: MotionController?

    /// Who wants it away, of a host's widget.
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

    /// One that goes out of it must not show what another, which the pointer has come over in the same motion, has
    /// hidden.
    private func set(_ container: GTKWidget, _ isHidden: Bool) {
        let me = ObjectIdentifier(self)
        let before = Self.hiding[container] ?? []
        let now = isHidden ? before.union([me]) : before.subtracting([me])
        guard now != before else { return }
        Self.hiding[container] = now.isEmpty ? nil : now
        guard now.isEmpty != before.isEmpty else { return }
        container.setCursor(now.isEmpty ? nil : "none")
    }
}
