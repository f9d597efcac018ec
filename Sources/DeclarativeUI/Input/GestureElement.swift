import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

struct GestureModifier: ElementModifier {
    /// Whether the gestures of the views below are recognised.
    let allowsBelow: Bool
    let make: @MainActor (_GestureMemory) -> [_Recognizer]
    func makeElement() -> GestureElement { GestureElement() }
    func update(_ element: GestureElement, _ fiber: _Fiber) {
        element.isEnabled = fiber.environment.isEnabled
        element.allowsBelow = allowsBelow
        element.set(make)
    }
}

/// Recognises gestures on its content: a widget of its own, which lies behind the content (so that the content's
/// controls come first) and takes what meets something of it.
///
/// GTK gives a press to one widget. So the innermost one also recognises for the gestures of the views around it.
final class GestureElement: WrapperElement, WidgetOwner {
    private var widget: GTKWidget?
    private(set) var recognizers: [_Recognizer] = []
    private let memory = _GestureMemory()
    private var arena: GestureArena?
    /// Whose gestures the arena recognises, and which those were.
    private var installed: [(source: ObjectIdentifier, version: Int)] = []
    /// Counts how often its gestures became others.
    private var version = 0
    var isEnabled = true
    var allowsBelow = true { didSet { if allowsBelow != oldValue { host?.needsPlacement() } } }
    /// Of its space into the host's, as it was located last.
    private(set) var transform = CGAffineTransform.identity

    func set(_ make: @MainActor (_GestureMemory) -> [_Recognizer]) {
        memory.rewind()
        let new = make(memory)
        // The same kinds in the same order: what they tell is all that changed.
        let same =
            new.count == recognizers.count
            && zip(new, recognizers).allSatisfy { $0.kind == $1.kind && $0.isFirst == $1.isFirst }
        recognizers = new
        guard !same else { return }
        version += 1
        host?.needsPlacement()
    }

    override func attached(to host: any ElementHost) {
        guard let container = host.container,
            let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_PRESENTATION, owner: self)
        else { return }
        widget = raw
        raw.setParent(container)
    }

    override func detached(from host: any ElementHost) {
        arena?.remove()
        arena = nil
        installed = []
        widget?.unparent()
        widget = nil
    }

    /// Those whose gestures are recognised where this one is: itself and those around it.
    private var sources: [GestureElement] {
        var all: [GestureElement] = []
        var element: Element? = self
        while let current = element {
            if let gestures = current as? GestureElement {
                if !gestures.allowsBelow { all = [] }
                all.append(gestures)
            }
            element = current.parent
        }
        return all
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        self.transform = transform
        guard let widget else { return }
        let sources = sources
        let now = sources.map { (source: ObjectIdentifier($0), version: $0.version) }
        if !now.elementsEqual(installed, by: { $0 == $1 }) {
            installed = now
            arena?.remove()
            arena = GestureArena(sources, on: widget, of: self)
        }
        host?.position(widget, transform, size)
    }

    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool {
        guard let arena, arena.controllers.contains(where: \.isEnabled) else { return false }
        return contains(point) && isReached(at: point)
    }

    /// A point of its own space, as its widget was placed last, in another space. A gesture may move what is around it:
    /// GTK's points are then still those of the widget's place of before.
    func placedPoint(_ point: CGPoint, in space: CoordinateSpace) -> CGPoint {
        space == .local ? point : self.point(ofHost: point.applying(transform), in: space) ?? point
    }
}

struct HoverModifier: ElementModifier {
    let action: @MainActor (Bool) -> Void
    func makeElement() -> HoverElement { HoverElement() }
    func update(_ element: HoverElement, _ fiber: _Fiber) { element.action = action }
}

/// Follows the pointer over its content. The host's own motion is watched, so that controls in between do not hide it.
class PointerElement: WrapperElement {
    private var motion: MotionController?

    final override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        motion = MotionController(container) { [weak self] point in self?.moved(point) }
    }
    final override func detached(from host: any ElementHost) {
        motion?.remove()
        motion = nil
        moved(nil)
    }

    /// - Parameter point: in the host; nil when the pointer has left it.
    func moved(_ point: CGPoint?) {}

}

/// Tells when the pointer is over its content.
final class HoverElement: PointerElement {
    var action: @MainActor (Bool) -> Void = { _ in }
    private var isOver = false

    override func moved(_ point: CGPoint?) {
        let over = point.flatMap(hit) != nil
        guard over != isOver else { return }
        isOver = over
        action(over)
    }
}
