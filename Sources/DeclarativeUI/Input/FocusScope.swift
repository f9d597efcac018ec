import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

extension View {
    /// Makes this view the scope of `prefersDefaultFocus(_:in:)` and `resetFocus`, which choose a view inside it.
    ///
    /// ```swift
    /// @Namespace private var namespace
    /// @Environment(\.resetFocus) private var resetFocus
    ///
    /// var body: some View {
    ///     VStack {
    ///         Button("Delete") { delete() }
    ///         Button("Cancel") { cancel() }.prefersDefaultFocus(in: namespace)
    ///         Button("Start over") { resetFocus(in: namespace) }
    ///     }
    ///     .focusScope(namespace)
    /// }
    /// ```
    /// When the view appears, the preferred view in it gets the focus, unless a view outside already has it.
    /// - Parameter namespace: A namespace that a `@Namespace` property creates.
    public func focusScope(_ namespace: Namespace.ID) -> some View {
        elementModifier(FocusScopeModifier(namespace: namespace))
    }
    /// Sets whether this view gets the focus when the focus scope around it appears or is reset.
    ///
    /// If several views of a scope prefer the focus, the first one in the focus order gets it.
    /// - Parameters:
    ///   - prefersDefaultFocus: Whether the view prefers the focus.
    ///   - namespace: The namespace of a `focusScope(_:)` around this view.
    public func prefersDefaultFocus(_ prefersDefaultFocus: Bool = true, in namespace: Namespace.ID) -> some View {
        elementModifier(PreferredFocusModifier(isPreferred: prefersDefaultFocus, namespace: namespace))
    }
}

/// An action that moves the focus to the default view of a focus scope. Modeled on SwiftUI's type.
public struct ResetFocusAction: Sendable {
    /// Moves the focus to the view of a scope that prefers it, or else to the first view of the scope that can have the
    /// focus.
    ///
    /// The focus moves after the current changes of the app's state have been applied. Without a scope in the
    /// namespace, the call has no effect.
    /// - Parameter namespace: The namespace of a `focusScope(_:)`.
    @MainActor @preconcurrency public func callAsFunction(in namespace: Namespace.ID) {
        OnMain.later { FocusScopeElement.reset(namespace) }
    }
}

private struct ResetFocusKey: EnvironmentKey { static let defaultValue = ResetFocusAction() }
extension EnvironmentValues {
    /// The action that moves the focus to the default view of a focus scope.
    public var resetFocus: ResetFocusAction { self[ResetFocusKey.self] }
}

private struct PreferredFocusModifier: ElementModifier {
    let isPreferred: Bool
    let namespace: Namespace.ID
    func makeElement() -> PreferredFocusElement { PreferredFocusElement() }
    func update(_ element: PreferredFocusElement, _ fiber: _Fiber) {
        element.namespace = isPreferred ? namespace : nil
    }
}

/// An element whose content prefers the default focus of a scope.
final class PreferredFocusElement: WrapperElement {
    /// The namespace of the scope, or nil if the content does not prefer the focus.
    fileprivate(set) var namespace: Namespace.ID?
}

private struct FocusScopeModifier: ElementModifier {
    let namespace: Namespace.ID
    func makeElement() -> FocusScopeElement { FocusScopeElement() }
    func update(_ element: FocusScopeElement, _ fiber: _Fiber) { element.namespace = namespace }
}

/// An element that moves the focus to its default view when it appears or is reset.
final class FocusScopeElement: WrapperElement {
    private struct Member { weak var element: FocusScopeElement? }
    /// The scopes in windows, in the order in which they appeared.
    private static var all: [Member] = []

    fileprivate(set) var namespace: Namespace.ID?
    private var hasAppeared = false

    override func attached(to host: any ElementHost) {
        FocusScopeElement.all.removeAll { $0.element == nil }
        FocusScopeElement.all.append(Member(element: self))
    }
    override func detached(from host: any ElementHost) {
        hasAppeared = false
        FocusScopeElement.all.removeAll { $0.element === self || $0.element == nil }
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        guard !hasAppeared else { return }
        hasAppeared = true
        // GTK may still be allocating the widgets.
        OnMain.later { [weak self] in self?.appeared() }
    }

    private func appeared() {
        guard let root = host?.container?.root else { return }
        // The focus is outside if the user, or a `FocusState`, has moved it there.
        if let focus = root.focus, !holders.contains(where: { focus.isWithin($0) }) { return }
        takePreferred()
    }

    /// The widgets in the scope that can have the focus, in the focus order.
    private var holders: [GTKWidget] {
        var all: [GTKWidget] = []
        visit { element in
            if let widget = (element as? any FocusHolder)?.focusWidget { all.append(widget) }
            return false
        }
        return all
    }

    /// Moves the focus to the preferred view, and returns whether there is one.
    @discardableResult
    private func takePreferred() -> Bool {
        visit { element in
            guard let preferred = element as? PreferredFocusElement, preferred.namespace == namespace,
                let target = preferred.content?.focusTarget, target.isSensitive
            else { return false }
            target.grabFocus()
            return true
        }
    }

    private func takeFirst() -> Bool {
        guard let root = host?.container?.root else { return false }
        // GTK would move the focus on from a widget that already has it.
        root.focus = nil
        return holders.contains { $0.isMapped && $0.moveFocus(GTK_DIR_TAB_FORWARD) }
    }

    fileprivate static func reset(_ namespace: Namespace.ID) {
        let scopes = all.compactMap(\.element).filter { $0.namespace == namespace && $0.isShown }
        for scope in scopes { (scope.host as? ElementSurface)?.graph.flush() }
        _ = scopes.contains { $0.takePreferred() } || scopes.contains { $0.takeFirst() }
    }

    /// Moves the focus to the preferred view of the first scope below `root` that has one, and returns whether there is
    /// one.
    static func takeDefaultFocus(below root: Element) -> Bool {
        root.visit { ($0 as? FocusScopeElement)?.takePreferred() ?? false }
    }
}

extension Element {
    /// Calls `body` with this element and the visible elements below it, including those in scroll areas, in the focus
    /// order. Stops when `body` returns true, and returns whether it did.
    @discardableResult
    fileprivate func visit(_ body: (Element) -> Bool) -> Bool {
        guard !isHidden, !isInert else { return false }
        if body(self) { return true }
        if let scroll = self as? ScrollElement, scroll.scrolledContent.visit(body) { return true }
        return inFocusOrder.contains { $0.visit(body) }
    }

    /// The widget of the first control or `focusable` view in this element, including the element itself.
    var focusTarget: GTKWidget? {
        if let control = self as? WidgetElement { return control.widget }
        if let area = self as? FocusableElement { return area.focusWidget }
        for child in children { if let found = child.focusTarget { return found } }
        return nil
    }
}
