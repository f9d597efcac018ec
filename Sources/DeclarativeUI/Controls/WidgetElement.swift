import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// An element that stands for a real GTK widget: a child of the host's, put where the element is.
///
/// The widget lives from `attached` to `detached`; without a display there is none, and the element has the
/// sizes of GTK's default theme. Subclasses make the widget (`makeWidget`), connect its signals (`connect`), and
/// bring it up to date (`configure`), which is also called right after it was made.
@MainActor
class WidgetElement: Element, Describable, DrawnElement, FocusHolder {
    /// Nil while not in a window.
    final var widget: GTKWidget? { reference?.object }
    private var reference: GTKReference<GTKWidget>?
    private var signals: [SignalConnection] = []
    var accessibility = AccessibilityWords() { didSet { if accessibility != oldValue { applyAccessibility() } } }
    var isEnabled = true {
        didSet { if isEnabled != oldValue { widget?.setSensitive(isEnabled) } }
    }

    /// A new widget with a floating reference.
    func makeWidget() -> GTKWidget? { nil }
    /// The widget is to show what the element now says.
    func configure(_ widget: GTKWidget) {}
    /// The widget goes.
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
        applyAccessibility()
        if isPassedByPointer { pointerChanged() }
    }

    override func directionChanged() {
        widget?.setDirection(isMirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
    }
    var focusWidget: GTKWidget? { widget }
    /// Whether pointers are for the widget itself.
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
        widget.setCanTarget(takesPointer && !isInert && !isPassedByPointer && !wasCutOff)
    }
    /// It was located last where what is around it cuts all of it off. GTK goes by the widget's own bounds: of one that
    /// is cut in part, the part that is not seen takes the pointer too.
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

    /// Tells assistive technology what the app says of it. Overrides call `super` first.
    func applyAccessibility() {
        guard let widget else { return }
        accessibility.apply(to: widget)
    }

    /// Runs `body`, in which signals are no input: the widget is brought up to date.
    final func silently(_ body: () -> Void) {
        for signal in signals { signal.isSilent = true }
        body()
        for signal in signals { signal.isSilent = false }
    }

    /// Calls `action` for a signal without arguments of its own ("clicked", "value-changed", "notify::active").
    final func connect<Object: GTKObject>(
        _ object: Object, _ signal: String, _ action: @escaping @MainActor () -> Void
    ) {
        signals.append(SignalConnection(object, signal, action))
    }

    /// What GTK would give the widget if it were asked: natural size for a width, at least its minimum.
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
        // GTK forgets what is asked of it while it allocates.
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

/// What assistive technology is told of an element.
struct AccessibilityWords: Equatable {
    var label: String?
    var value: String?
    var hint: String?
    var identifier: String?

    @MainActor func apply(to widget: GTKWidget) {
        if let label { widget.setAccessibleLabel(label) }
        // GTK 4.8 hands AT-SPI no identifiers, and values of its own ranges only: they stand in the description too.
        let description = [value, hint, identifier.map { "[\($0)]" }].compactMap { $0 }.joined(separator: " ")
        if !description.isEmpty { widget.setAccessibleDescription(description) }
        if let value { widget.setAccessibleValue(value) }
        if let identifier { widget.setName(identifier) }
    }
}
