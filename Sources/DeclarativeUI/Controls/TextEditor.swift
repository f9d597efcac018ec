import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// Text of many lines to edit: a GtkTextView that scrolls. SwiftUI's view.
///
/// It takes the room that is offered. What the binding refuses or changes is what stands in it, at once. Main actor.
public struct TextEditor: View {
    let text: Binding<String>
    /// An editor of `text`; at least 40 points wide and high, 240 × 120 where nothing is offered.
    public init(text: Binding<String>) { self.text = text }
    public var body: some View { GTKTextEditor(text: text.wrappedValue, binding: text) }
}

struct GTKTextEditor: _PrimitiveView {
    let text: String
    let binding: Binding<String>
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, TextEditorElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

final class TextEditorElement: ControlElement {
    private var view: GTKTextEditor?
    private var isMonospaced = false
    private(set) var text = ""
    private var editor: UnsafeMutablePointer<GtkWidget>?

    func set(_ view: GTKTextEditor, _ environment: EnvironmentValues) {
        self.view = view
        text = view.text
        isMonospaced = environment.font?.design == .monospaced
        follow(environment)
        update()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        guard let scrolled = gtk_scrolled_window_new(), let made = gtk_text_view_new() else { return nil }
        gtk_scrolled_window_set_child(scrolled.opaque, made)
        gtk_scrolled_window_set_has_frame(scrolled.opaque, 1)
        let view = made.cast(GtkTextView.self)
        gtk_text_view_set_left_margin(view, 8)
        gtk_text_view_set_right_margin(view, 8)
        gtk_text_view_set_top_margin(view, 6)
        gtk_text_view_set_bottom_margin(view, 6)
        gtk_text_view_set_wrap_mode(view, GTK_WRAP_WORD_CHAR)
        // Tab leads on, as in every other control.
        gtk_text_view_set_accepts_tab(view, 0)
        editor = made
        if let buffer = gtk_text_view_get_buffer(view) {
            connect(UnsafeMutablePointer<GtkWidget>(OpaquePointer(buffer)), "changed") { [weak self] in self?.edited() }
        }
        return scrolled
    }

    override func willRemove(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.willRemove(widget)
        editor = nil
    }

    override func named(_ widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<GtkWidget>] {
        editor.map { [$0] } ?? []
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        guard let editor else { return }
        gtk_text_view_set_monospace(editor.cast(GtkTextView.self), isMonospaced ? 1 : 0)
        // What the app calls it is said of the text, not of the frame around it.
        if let label = accessibility.label { zt_gtk_set_accessible_label(editor, label) }
        show()
    }

    private func standing() -> String {
        guard let buffer = editor.flatMap({ gtk_text_view_get_buffer($0.cast(GtkTextView.self)) }) else { return text }
        var start = GtkTextIter()
        var end = GtkTextIter()
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let raw = gtk_text_buffer_get_text(buffer, &start, &end, 1) else { return "" }
        defer { g_free(raw) }
        return String(cString: raw)
    }

    /// The widget's text becomes ours, its cursor stays as near as can be.
    private func show() {
        guard let buffer = editor.flatMap({ gtk_text_view_get_buffer($0.cast(GtkTextView.self)) }), standing() != text
        else { return }
        silently {
            var place = GtkTextIter()
            gtk_text_buffer_get_iter_at_mark(buffer, &place, gtk_text_buffer_get_insert(buffer))
            let offset = gtk_text_iter_get_offset(&place)
            gtk_text_buffer_set_text(buffer, text, -1)
            gtk_text_buffer_get_iter_at_offset(buffer, &place, offset)
            gtk_text_buffer_place_cursor(buffer, &place)
        }
    }

    private func edited() { type(standing()) }

    /// The user wants `text` to stand there; the binding has the last word.
    func type(_ wanted: String) {
        guard let view, isEnabled else { return }
        if wanted != text {
            text = wanted
            view.binding.wrappedValue = wanted
            text = view.binding.wrappedValue
        }
        show()
    }

    /// Points: what it takes when nothing is offered.
    private static let ideal = CGSize(width: 240, height: 120)
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(40, proposal.width ?? TextEditorElement.ideal.width),
            height: max(40, proposal.height ?? TextEditorElement.ideal.height))
    }
}
