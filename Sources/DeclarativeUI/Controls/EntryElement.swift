import CGTK
import Foundation
@_spi(Graph) import ViewGraph

struct GTKEntry: _PrimitiveView {
    let kind: EntryElement.Kind
    let text: String
    let binding: Binding<String>
    let prompt: String
    let onCommit: (@MainActor () -> Void)?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, EntryElement(view.kind)) { element, view, fiber in element.set(view, fiber.environment)
        }
    }
}

/// A GtkEntry, GtkPasswordEntry or GtkSearchEntry.
final class EntryElement: ControlElement {
    enum Kind: Hashable { case text, secure, search }
    private let kind: Kind
    private var view: GTKEntry?
    private var submit = SubmitActions()
    private var isPlain = false
    private var alignment = TextAlignment.leading
    private(set) var text = ""

    init(_ kind: Kind) {
        self.kind = kind
        super.init()
    }

    func set(_ view: GTKEntry, _ environment: EnvironmentValues) {
        self.view = view
        text = view.text
        submit = environment.submitActions
        alignment = environment.multilineTextAlignment
        if isPlain != environment.textFieldIsPlain {
            isPlain = environment.textFieldIsPlain
            setNeedsLayout()
        }
        follow(environment)
        update()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        let made =
            switch kind {
            case .text: gtk_entry_new()
            case .secure: gtk_password_entry_new()
            case .search: gtk_search_entry_new()
            }
        guard let made else { return nil }
        if kind == .secure { gtk_password_entry_set_show_peek_icon(made.opaque, 1) }
        // Its least is ours to say.
        gtk_editable_set_width_chars(made.opaque, 2)
        connect(made, "changed") { [weak self] in self?.edited() }
        connect(made, "activate") { [weak self] in self?.committed() }
        if kind == .search { connect(made, "stop-search") { [weak self] in self?.type("") } }
        return made
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        if kind == .text {
            gtk_entry_set_placeholder_text(widget.cast(GtkEntry.self), view?.prompt)
        } else {
            zt_gtk_set_string(widget, "placeholder-text", view?.prompt)
        }
        if isPlain {
            gtk_widget_add_css_class(widget, "zt-plain")
        } else {
            gtk_widget_remove_css_class(widget, "zt-plain")
        }
        gtk_editable_set_alignment(widget.opaque, alignment == .leading ? 0 : alignment == .center ? 0.5 : 1)
        show(widget)
    }

    /// The widget's text becomes ours, its cursor stays as near as can be.
    private func show(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard String(cString: gtk_editable_get_text(widget.opaque)) != text else { return }
        silently {
            let position = gtk_editable_get_position(widget.opaque)
            gtk_editable_set_text(widget.opaque, text)
            gtk_editable_set_position(widget.opaque, min(position, Int32(clamping: text.unicodeScalars.count)))
        }
    }

    private func edited() {
        guard let widget else { return }
        type(String(cString: gtk_editable_get_text(widget.opaque)))
    }

    /// The user wants `text` to stand there; the binding has the last word.
    func type(_ wanted: String) {
        guard let view, isEnabled else { return }
        if wanted != text {
            text = wanted
            view.binding.wrappedValue = wanted
            text = view.binding.wrappedValue
        }
        if let widget { show(widget) }
    }

    /// The user presses Return.
    func committed() {
        view?.onCommit?()
        submit(kind == .search ? .search : .text)
    }

    /// Points: what it takes when nothing is offered, and its least.
    private static let ideal: CGFloat = 160, least: CGFloat = 40
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(EntryElement.least, proposal.width ?? EntryElement.ideal),
            height: height(isPlain ? 20 : ControlExtent.regular))
    }
}
