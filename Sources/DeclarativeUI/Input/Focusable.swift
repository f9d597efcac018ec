import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// What a view that may have the keyboard does with it. SwiftUI's type.
public struct FocusInteractions: OptionSet, Hashable, Sendable {
    /// One bit a kind of interaction: 1 is `activate`, 2 is `edit`.
    public let rawValue: Int
    /// Makes a set of raw bits; bits other than 1 and 2 mean nothing.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It does something when it is pressed, as a button does: it has the keyboard by Tab, not by a click.
    public static let activate = FocusInteractions(rawValue: 1)
    /// It takes keys one after the other: it has the keyboard by Tab and by a click.
    public static let edit = FocusInteractions(rawValue: 2)
    /// As `.edit`.
    public static let automatic: FocusInteractions = [.activate, .edit]
}

private struct FocusEffectKey: EnvironmentKey { static let defaultValue = true }

extension EnvironmentValues {
    /// Whether a view that came to the keyboard by Tab shows it. Views that are `focusable` look at it; controls are
    /// GTK's.
    public var isFocusEffectEnabled: Bool {
        get { self[FocusEffectKey.self] }
        set { self[FocusEffectKey.self] = newValue }
    }
}

extension View {
    /// Lets this view have the keyboard (for `onKeyPress`, `focused`): by Tab, before the controls in it, and by a
    /// click on any part of it that takes none itself. When a control in it goes while it has the keyboard, this view
    /// has it.
    public func focusable(_ isFocusable: Bool = true) -> some View { focusable(isFocusable, interactions: .automatic) }
    /// The same. - Parameter interactions: whether a click gives it the keyboard, too.
    public func focusable(_ isFocusable: Bool = true, interactions: FocusInteractions) -> some View {
        elementModifier(FocusableModifier(isFocusable: isFocusable, takesClicks: interactions.contains(.edit)))
    }
    /// True: nothing is drawn around this view, or those in it, when they have come to the keyboard by Tab.
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

/// Has a widget behind its content that may have the keyboard, and takes no pointer.
final class FocusableElement: WrapperElement, WidgetOwner, Describable, DrawnElement, FocusHolder {
    private var widget: GTKWidget?
    private var focus: EventController?
    private var presses: PressPlace?
    var takesClicks = true
    var isFocusable = true { didSet { if isFocusable != oldValue { allow() } } }
    var accessibility = AccessibilityWords() {
        didSet { if accessibility != oldValue, let widget { accessibility.apply(to: widget) } }
    }
    /// Of the ring; nil: none.
    var ring: FocusRing.Look?
    /// Tab brought it the keyboard: only then users look for where it is.
    private var cameByTab = false { didSet { if cameByTab != oldValue { setNeedsDisplay() } } }

    private static let mark = GTKMark("zoetrope-focusable")
    /// Whether a widget is one of these, which has no use for keys of its own.
    static func has(_ widget: GTKWidget) -> Bool { mark.isSet(on: widget) }

    override func attached(to host: any ElementHost) {
        guard let container = host.container, let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self)
        else { return }
        FocusableElement.mark.set(on: raw)
        widget = raw
        raw.setParent(container)
        accessibility.apply(to: raw)
        focus = EventController(GTKController.focus(), on: raw)
        focus?.on("leave") { [weak self] in self?.cameByTab = false }
        presses = PressPlace(container) { [weak self] point, picked in self?.pressed(point, picked) }
        allow()
    }

    override func detached(from host: any ElementHost) {
        presses?.end()
        focus?.remove()
        (presses, focus, cameByTab) = (nil, nil, false)
        widget?.unparent()
        widget = nil
    }

    private func allow() {
        guard let widget else { return }
        let isAllowed = isFocusable && !isInert
        // GTK leaves the keyboard where it is.
        if !isAllowed, widget.hasFocus { widget.root?.focus = nil }
        widget.isFocusable = isAllowed
    }
    override func inertChanged() { allow() }

    var focusWidget: GTKWidget? { isFocusable ? widget : nil }
    func moveFocus(_ direction: GtkDirectionType) -> Bool? {
        // A window that opens gives the keyboard to its first view: nobody has pressed anything.
        let isMoved = widget?.root?.focus != nil
        cameByTab = isMoved && (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
        return nil
    }
    /// The pointer goes through to what is behind, and to the content's own.
    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool { false }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let widget { host?.position(widget, transform, size) }
    }

    func takeFocus() {
        guard let widget, isFocusable, !isInert else { return }
        widget.grabFocus()
    }

    /// - Parameter picked: what GTK gives the press to.
    private func pressed(_ point: CGPoint, _ picked: GTKWidget?) {
        guard takesClicks, isFocusable, host?.visibleRect.map({ $0.contains(point) }) != false, hit(point) != nil,
            !hasInner(at: point)
        else { return }
        var each = picked
        while let current = each, current != host?.container {
            // It takes the keyboard itself.
            if current.isFocusable, current.isSensitive { return }
            each = current.parent
        }
        takeFocus()
        cameByTab = false
    }

    /// One of these below it is nearer to the press.
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
        guard cameByTab, let ring, let widget, widget.hasFocus else { return }
        FocusRing.draw(ring, around: FocusRing.outline(of: self, size), context)
    }

    /// The innermost around `element` that may have the keyboard.
    static func around(_ element: Element) -> FocusableElement? {
        var each = element.outward
        while let current = each {
            if let found = current as? FocusableElement, found.isFocusable, !found.isInert { return found }
            each = current.outward
        }
        return nil
    }

    /// `element` is about to lose its widget, or will have no use for it: who is around it has the keyboard then, if it
    /// had.
    static func takeOver(from widget: GTKWidget, of element: Element) {
        if widget.root?.focus?.isWithin(widget) == true { around(element)?.takeFocus() }
    }
}
