import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// The ways in which a focusable view uses the keyboard focus. Modeled on SwiftUI's type.
public struct FocusInteractions: OptionSet, Hashable, Sendable {
    /// The bit mask of interactions: 1 is `activate`, 2 is `edit`.
    public let rawValue: Int
    /// Creates a set from a bit mask. Bits other than 1 and 2 have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The interaction of a view that is pressed, like a button. The view gets the focus by Tab, but not by a click.
    public static let activate = FocusInteractions(rawValue: 1)
    /// The interaction of a view that handles a series of keys. The view gets the focus by Tab and by a click.
    public static let edit = FocusInteractions(rawValue: 2)
    /// The default, which behaves like `edit`.
    public static let automatic: FocusInteractions = [.activate, .edit]
}

private struct FocusEffectKey: EnvironmentKey { static let defaultValue = true }

extension EnvironmentValues {
    /// Whether a view that gets the focus by Tab is highlighted. `focusable` views, lists, plain buttons and buttons
    /// with a custom style read this value. GTK draws the focus of other controls.
    public var isFocusEffectEnabled: Bool {
        get { self[FocusEffectKey.self] }
        set { self[FocusEffectKey.self] = newValue }
    }
}

extension View {
    /// Sets whether this view can have the keyboard focus, for `onKeyPress` and `focused`.
    ///
    /// Tab moves the focus first to the view, and then to the controls in it. A click on a part that does not take the
    /// focus itself also moves the focus to the view. If a control in the view is removed while it has the focus, the
    /// view gets the focus.
    public func focusable(_ isFocusable: Bool = true) -> some View { focusable(isFocusable, interactions: .automatic) }
    /// Sets whether this view can have the keyboard focus, by a click or only by Tab.
    /// - Parameters:
    ///   - isFocusable: Whether the view can have the focus.
    ///   - interactions: With `edit`, a click moves the focus to the view.
    public func focusable(_ isFocusable: Bool = true, interactions: FocusInteractions) -> some View {
        elementModifier(FocusableModifier(isFocusable: isFocusable, takesClicks: interactions.contains(.edit)))
    }
    /// Sets whether the focus highlight is hidden for this view and the views in it.
    /// - Parameter disabled: Whether the highlight is hidden. False does not show a highlight that a view around this
    ///   one hides.
    public func focusEffectDisabled(_ disabled: Bool = true) -> some View {
        transformEnvironment(\.isFocusEffectEnabled) { $0 = $0 && !disabled }
    }
}

struct FocusableModifier: ElementModifier {
    let isFocusable: Bool
    let takesClicks: Bool
    func makeElement() -> FocusableElement { FocusableElement() }
    func update(_ element: FocusableElement, _ fiber: _Fiber) {
        let environment = fiber.environment
        element.ring = environment.focusRing
        element.takesClicks = takesClicks
        element.isFocusable = isFocusable && environment.isEnabled
    }
}

/// An element with a focusable widget behind its content. The widget receives no pointer events.
final class FocusableElement: WrapperElement, WidgetOwner, Describable, DrawnElement, FocusHolder {
    private var widget: GTKWidget?
    private var focus: EventController?
    private var presses: PressObserver?
    var takesClicks = true
    var isFocusable = true { didSet { if isFocusable != oldValue { updateFocusability() } } }
    var accessibility = AccessibilityTexts() {
        didSet {
            if accessibility != oldValue, let widget { accessibility.apply(to: widget, replacing: oldValue) }
        }
    }
    /// The look of the focus ring, or nil to draw no ring.
    var ring: FocusRing.Look?
    /// Whether Tab moved the focus here. After a click, the user knows where the focus is and needs no ring.
    private var wasFocusedByTab = false { didSet { if wasFocusedByTab != oldValue { setNeedsDisplay() } } }

    private static let mark = GTKMark("zoetrope-focusable")
    /// Returns whether a widget belongs to a focusable element. Such a widget handles no keys itself.
    static func has(_ widget: GTKWidget) -> Bool { mark.isSet(on: widget) }

    override func attached(to host: any ElementHost) {
        guard let container = host.container, let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self)
        else { return }
        FocusableElement.mark.set(on: raw)
        widget = raw
        raw.setParent(container)
        accessibility.apply(to: raw)
        focus = EventController(GTKController.focus(), on: raw)
        focus?.on("leave") { [weak self] in self?.wasFocusedByTab = false }
        presses = PressObserver(container) { [weak self] point, picked in self?.pressed(point, picked) }
        updateFocusability()
    }

    override func detached(from host: any ElementHost) {
        presses?.end()
        focus?.remove()
        (presses, focus, wasFocusedByTab) = (nil, nil, false)
        widget?.unparent()
        widget = nil
    }

    private func updateFocusability() {
        guard let widget else { return }
        let isAllowed = isFocusable && !isInert
        // GTK would leave the focus on a widget that is no longer focusable.
        if !isAllowed, widget.hasFocus { widget.root?.focus = nil }
        widget.isFocusable = isAllowed
    }
    override func inertChanged() { updateFocusability() }

    var focusWidget: GTKWidget? { isFocusable ? widget : nil }
    func moveFocus(_ direction: GtkDirectionType) -> Bool? {
        // A window that opens gives the focus to its first view without a key press, so that view gets no ring.
        let isMoved = widget?.root?.focus != nil
        wasFocusedByTab = isMoved && (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
        return nil
    }
    /// Returns false, so that the pointer reaches the content and the widgets behind.
    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool { false }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let widget { host?.position(widget, transform, size) }
    }

    func takeFocus() {
        guard let widget, isFocusable, !isInert else { return }
        widget.grabFocus()
    }

    /// Takes the focus if this element is the innermost focusable one at a press.
    /// - Parameter target: The widget to which GTK delivers the press.
    private func pressed(_ point: CGPoint, _ target: GTKWidget?) {
        guard takesClicks, isFocusable, host?.visibleRect.map({ $0.contains(point) }) != false, hit(point) != nil,
            !hasInner(at: point)
        else { return }
        var ancestor = target
        while let current = ancestor, current != host?.container {
            // The widget takes the focus itself.
            if current.isFocusable, current.isSensitive { return }
            ancestor = current.parent
        }
        takeFocus()
        wasFocusedByTab = false
    }

    /// Returns whether a focusable element below this one contains the point.
    private func hasInner(at point: CGPoint) -> Bool {
        func search(_ element: Element) -> Bool {
            element.children.contains { child in
                if let inner = child as? FocusableElement, inner.isFocusable, inner.takesClicks {
                    if inner.hit(point) != nil { return true }
                }
                return search(child)
            }
        }
        return search(self)
    }

    func draw(_ context: DrawContext, _ size: CGSize) {
        drawChildren(context)
        guard wasFocusedByTab, let ring, let widget, widget.hasFocus else { return }
        FocusRing.draw(ring, around: FocusRing.outline(of: self, size), context)
    }

    /// Returns the innermost focusable element around `element`.
    static func around(_ element: Element) -> FocusableElement? {
        var ancestor = element.enclosingElement
        while let current = ancestor {
            if let found = current as? FocusableElement, found.isFocusable, !found.isInert { return found }
            ancestor = current.enclosingElement
        }
        return nil
    }

    /// Moves the focus to the focusable element around `element`, if the focus is in `widget`.
    ///
    /// Called when `element` is about to lose its widget or becomes inert.
    static func takeOver(from widget: GTKWidget, of element: Element) {
        if widget.root?.focus?.isWithin(widget) == true { around(element)?.takeFocus() }
    }
}
