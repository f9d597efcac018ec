import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

struct GestureModifier: ElementModifier {
    /// Whether the gestures of views inside this one are recognized.
    let allowsBelow: Bool
    let make: @MainActor (_GestureMemory) -> [_Recognizer]
    func makeElement() -> GestureElement { GestureElement() }
    func update(_ element: GestureElement, _ fiber: _Fiber) {
        element.isEnabled = fiber.environment.isEnabled
        element.allowsBelow = allowsBelow
        element.set(make)
    }
}

/// An element that recognizes gestures on its content.
///
/// The element has a widget of its own behind the content, so controls in the content receive events first. The widget
/// accepts events only where the content is.
///
/// GTK delivers a press to one widget. Therefore the innermost gesture element also recognizes the gestures of the
/// gesture elements around it.
final class GestureElement: WrapperElement, WidgetOwner {
    private var widget: GTKWidget?
    private(set) var recognizers: [_Recognizer] = []
    private let memory = _GestureMemory()
    private var arena: GestureArena?
    /// The elements whose gestures the arena recognizes, and the version of each when the arena was created.
    private var installed: [(source: ObjectIdentifier, version: Int)] = []
    /// Incremented when the gestures or their precedence change, so that arenas are created again.
    private(set) var version = 0
    var isEnabled = true
    var allowsBelow = true { didSet { if allowsBelow != oldValue { host?.needsPlacement() } } }
    /// The transform from the element's space to the host's, as of the last placement.
    private(set) var transform = CGAffineTransform.identity

    func set(_ make: @MainActor (_GestureMemory) -> [_Recognizer]) {
        memory.rewind()
        let new = make(memory)
        // If gestures and precedence are the same, only the closures have changed, and the arena can stay.
        let isUnchanged =
            new.count == recognizers.count
            && zip(new, recognizers).allSatisfy { $0.kind.isSameGesture(as: $1.kind) && $0.isFirst == $1.isFirst }
        recognizers = new
        guard !isUnchanged else { return }
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

    /// The elements whose gestures are recognized at this element: itself and elements around it, the innermost first.
    ///
    /// If `allowsBelow` of an element is false, the gesture elements inside that element are left out.
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
        let current = sources.map { (source: ObjectIdentifier($0), version: $0.version) }
        if !current.elementsEqual(installed, by: { $0 == $1 }) {
            installed = current
            arena?.remove()
            arena = GestureArena(sources, on: widget, of: self)
        }
        host?.position(widget, transform, size)
    }

    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool {
        guard let arena, arena.controllers.contains(where: \.isEnabled) else { return false }
        return contains(point) && isReached(at: point)
    }

    /// Converts a point from the element's space, as of its widget's last placement, to another space.
    ///
    /// A gesture may move the views around it. Until the next placement, GTK's points refer to the old position of the
    /// widget.
    func placedPoint(_ point: CGPoint, in space: CoordinateSpace) -> CGPoint {
        space == .local ? point : self.point(ofHost: point.applying(transform), in: space) ?? point
    }
}

struct HoverModifier: ElementModifier {
    let action: @MainActor (Bool) -> Void
    func makeElement() -> HoverElement { HoverElement() }
    func update(_ element: HoverElement, _ fiber: _Fiber) { element.action = action }
}

/// An element that follows the pointer over its content.
///
/// The element watches motion on the host's widget, so controls between the host and the content do not block the
/// events.
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

    /// Called when the pointer moves.
    /// - Parameter point: The position in the host, or nil when the pointer has left it.
    func moved(_ point: CGPoint?) {}

}

/// An element that reports when the pointer enters or leaves its content.
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
