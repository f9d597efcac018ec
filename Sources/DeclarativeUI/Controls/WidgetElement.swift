import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// An element with a GTK widget that is a child of the host's widget, at the element's position.
///
/// The widget exists from `attached` to `detached`. Without a display, there is no widget, and the element has the
/// sizes of GTK's default theme. Subclasses create the widget in `makeWidget` and connect its signals with `connect`.
/// They update it in `configure`, which is also called right after the widget was created.
@MainActor
class WidgetElement: Element, Describable, DrawnElement, FocusHolder {
    /// The widget, or nil while the element is not in a window.
    final var widget: GTKWidget? { reference?.object }
    private var reference: GTKReference<GTKWidget>?
    private var signals: [SignalConnection] = []
    var accessibility = AccessibilityTexts() {
        didSet { textsChanged(from: AccessibilityTexts(hint: tooltip).with(oldValue)) }
    }
    /// The text of the tooltip, or nil for none. It describes the widget, unless the app has set a hint.
    final var tooltip: String? {
        didSet { textsChanged(from: AccessibilityTexts(hint: oldValue).with(accessibility)) }
    }
    /// The texts that assistive technology reads in place of the widget's own.
    final var spokenTexts: AccessibilityTexts { AccessibilityTexts(hint: tooltip).with(accessibility) }
    var isEnabled = true {
        didSet { if isEnabled != oldValue { widget?.setSensitive(isEnabled) } }
    }

    /// Returns a new widget with a floating reference, or nil for none.
    func makeWidget() -> GTKWidget? { nil }
    /// Updates the widget to the element's current properties.
    func configure(_ widget: GTKWidget) {}
    /// Called before the widget is removed.
    func willRemove(_ widget: GTKWidget) {}

    final func update() {
        if let widget { configure(widget) }
    }

    override func attached(to host: any ElementHost) {
        guard let container = host.container, let raw = makeWidget() else { return }
        reference = GTKReference(raw)
        wasCutOff = false
        raw.setParent(container)
        raw.setSensitive(isEnabled)
        directionChanged()
        configure(raw)
        applyAccessibility(replacing: AccessibilityTexts())
        if isInert { inertChanged() }
        if isIgnoredByPointer { pointerChanged() }
    }

    /// Creates the widget if it could not be created when the element was attached.
    final func makeMissingWidget() {
        guard widget == nil, let host else { return }
        attached(to: host)
        if widget != nil { setNeedsLayout() }
    }

    override func directionChanged() {
        widget?.setDirection(isMirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
    }
    var focusWidget: GTKWidget? { widget }
    /// Whether the widget itself receives pointer events.
    var takesPointer: Bool { true }
    override func inertChanged() {
        guard let widget else { return }
        if isInert { FocusableElement.takeOver(from: widget, of: self) }
        target(widget)
        widget.setCanFocus(!isInert)
    }
    override func pointerChanged() {
        super.pointerChanged()
        if let widget { target(widget) }
    }
    private func target(_ widget: GTKWidget) {
        widget.setCanTarget(takesPointer && !isInert && !isIgnoredByPointer && !wasCutOff)
    }
    /// Whether the last position of the element was completely clipped by an ancestor.
    ///
    /// GTK uses the widget's own bounds. If a widget is partly clipped, its invisible part therefore also receives the
    /// pointer.
    private var wasCutOff = false

    override func detached(from host: any ElementHost) {
        guard let widget else { return }
        FocusableElement.takeOver(from: widget, of: self)
        willRemove(widget)
        for signal in signals { signal.disconnect() }
        signals = []
        widget.unparent()
        reference = nil
    }

    private func textsChanged(from old: AccessibilityTexts) {
        guard spokenTexts != old else { return }
        applyAccessibility(replacing: old)
        // Without the app's label, the control's name counts again.
        if spokenTexts.label == nil, old.label != nil { update() }
    }

    /// Sets `spokenTexts` on the widget, which has the texts `old`. Overrides call `super` first.
    func applyAccessibility(replacing old: AccessibilityTexts) {
        guard let widget else { return }
        spokenTexts.apply(to: widget, replacing: old)
    }

    /// Runs `body` while the widget's signals are ignored, so that an update of the widget does not count as the user's
    /// input.
    final func silently(_ body: () -> Void) {
        for signal in signals { signal.isSilent = true }
        body()
        for signal in signals { signal.isSilent = false }
    }

    /// Calls `action` for a signal without arguments, such as "clicked", "value-changed" or "notify::active".
    final func connect<Object: GTKObject>(
        _ object: Object, _ signal: String, _ action: @escaping @MainActor () -> Void
    ) {
        signals.append(SignalConnection(object, signal, action))
    }

    /// Returns the size of the widget, in points, or nil without a widget.
    ///
    /// - Parameter width: The width, which is clamped to the range from the widget's minimum width to 100,000 points.
    ///   Nil means the natural width.
    final func natural(width: CGFloat?) -> CGSize? {
        guard let widget else { return nil }
        let (minimum, natural) = widget.measure(GTK_ORIENTATION_HORIZONTAL)
        let chosen = width.map { max(CGFloat(minimum), min($0, 100_000)) } ?? CGFloat(natural)
        return CGSize(
            width: chosen, height: CGFloat(widget.measure(GTK_ORIENTATION_VERTICAL, for: Int32(chosen)).natural))
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        guard let widget else { return }
        host?.position(widget, transform, size)
        let isCutOff = isCutOff
        guard isCutOff != wasCutOff else { return }
        wasCutOff = isCutOff
        // GTK discards changes during allocation.
        OnMain.later { [weak self] in
            if let self, let widget = self.widget { target(widget) }
        }
    }

    func draw(_ context: DrawContext, _ size: CGSize) {
        if let widget { context.widget(widget) }
        drawChildren(context)
    }
}

extension WidgetElement: InspectableElement {
    var inspection: String? { "" }
}

/// The texts that assistive technology reads for an element.
struct AccessibilityTexts: Equatable {
    var label: String?
    var value: String?
    var hint: String?
    var identifier: String?

    /// The description of the widget, or nil for none.
    ///
    /// GTK 4.8 passes no identifiers to AT-SPI, and no values except those of its own ranges. The description therefore
    /// contains both.
    private var description: String? {
        let text = [value, hint, identifier.map { "[\($0)]" }].compactMap { $0 }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// Sets the texts on a widget. Texts that were set in `old` and are nil now are removed from the widget. Texts that
    /// are nil in both are not changed.
    @MainActor func apply(to widget: GTKWidget, replacing old: AccessibilityTexts = AccessibilityTexts()) {
        if label != nil || old.label != nil { widget.setAccessibleLabel(label) }
        if description != nil || old.description != nil { widget.setAccessibleDescription(description) }
        if value != nil || old.value != nil { widget.setAccessibleValue(value) }
        if identifier != nil || old.identifier != nil { widget.setName(identifier) }
    }
}
