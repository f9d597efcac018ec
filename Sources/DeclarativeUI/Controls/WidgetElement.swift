import CGTK
import Foundation
import GLibSupport
import MediaCore
@_spi(Graph) import ViewGraph

/// An element that stands for a real GTK widget: a child of the host's, put where the element is.
///
/// The widget lives from `attached` to `detached`; without a display there is none, and the element has the
/// sizes of GTK's default theme. Subclasses make the widget (`makeWidget`), connect its signals (`connect`), and
/// bring it up to date (`configure`), which is also called right after it was made.
@MainActor
class WidgetElement: Element, Describable, DrawnElement, FocusHolder {
    /// A reference of our own; nil while not in a window.
    private(set) var widget: UnsafeMutablePointer<GtkWidget>?
    private var signals: [SignalConnection] = []
    var accessibility = AccessibilityWords() { didSet { if accessibility != oldValue { applyAccessibility() } } }
    var isEnabled = true {
        didSet { if isEnabled != oldValue, let widget { gtk_widget_set_sensitive(widget, isEnabled ? 1 : 0) } }
    }

    /// A new widget with a floating reference.
    func makeWidget() -> UnsafeMutablePointer<GtkWidget>? { nil }
    /// The widget is to show what the element now says.
    func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {}
    /// The widget goes.
    func willRemove(_ widget: UnsafeMutablePointer<GtkWidget>) {}

    final func update() {
        if let widget { configure(widget) }
    }

    override func attached(to host: any ElementHost) {
        guard let container = host.container, let raw = makeWidget() else { return }
        g_object_ref_sink(raw)
        widget = raw
        gtk_widget_set_parent(raw, container)
        gtk_widget_set_sensitive(raw, isEnabled ? 1 : 0)
        directionChanged()
        configure(raw)
        applyAccessibility()
        if isPassedByPointer { pointerChanged() }
    }

    override func directionChanged() {
        if let widget { gtk_widget_set_direction(widget, isMirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR) }
    }
    var focusWidget: UnsafeMutablePointer<GtkWidget>? { widget }
    /// Whether pointers are for the widget itself.
    var takesPointer: Bool { true }
    override func inertChanged() {
        guard let widget else { return }
        if isInert { FocusableElement.takeOver(from: widget, of: self) }
        target(widget)
        gtk_widget_set_can_focus(widget, isInert ? 0 : 1)
    }
    override func pointerChanged() {
        super.pointerChanged()
        if let widget { target(widget) }
    }
    private func target(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_set_can_target(widget, takesPointer && !isInert && !isPassedByPointer ? 1 : 0)
    }

    override func detached(from host: any ElementHost) {
        guard let widget else { return }
        FocusableElement.takeOver(from: widget, of: self)
        willRemove(widget)
        for signal in signals { signal.disconnect() }
        signals = []
        gtk_widget_unparent(widget)
        g_object_unref(widget)
        self.widget = nil
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
    final func connect(
        _ object: UnsafeMutablePointer<GtkWidget>, _ signal: String, _ action: @escaping @MainActor () -> Void
    ) {
        signals.append(SignalConnection(object, signal, action))
    }

    /// What GTK would give the widget if it were asked: natural size for a width, at least its minimum.
    final func natural(width: CGFloat?) -> CGSize? {
        guard let widget else { return nil }
        var minimum: Int32 = 0
        var natural: Int32 = 0
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
        let chosen = width.map { max(CGFloat(minimum), min($0, 100_000)) } ?? CGFloat(natural)
        var minimumHeight: Int32 = 0
        var naturalHeight: Int32 = 0
        gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, Int32(chosen), &minimumHeight, &naturalHeight, nil, nil)
        return CGSize(width: chosen, height: CGFloat(naturalHeight))
    }

    override func contains(_ point: CGPoint) -> Bool { CGRect(origin: .zero, size: frame.size).contains(point) }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let widget { host?.position(widget, transform, size) }
    }

    func draw(_ context: DrawContext, _ size: CGSize) {
        if let widget { context.widget(widget) }
        drawChildren(context)
    }
}

/// What assistive technology is told of an element.
struct AccessibilityWords: Equatable {
    var label: String?
    var value: String?
    var hint: String?
    var identifier: String?

    @MainActor func apply(to widget: UnsafeMutablePointer<GtkWidget>) {
        if let label { zt_gtk_set_accessible_label(widget, label) }
        // GTK 4.8 hands AT-SPI no identifiers, and values of its own ranges only: they stand in the description too.
        let description = [value, hint, identifier.map { "[\($0)]" }].compactMap { $0 }.joined(separator: " ")
        if !description.isEmpty { zt_gtk_set_accessible_description(widget, description) }
        if let value { zt_gtk_set_accessible_value_text(widget, value) }
        if let identifier { gtk_widget_set_name(widget, identifier) }
    }
}
